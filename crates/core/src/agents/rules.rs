//! The numbers of the agents' rules, and the units in which neighbours are summed.

use super::{PLACE_BITS, Space};

/// Whose rules they follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSet {
    /// The school of fish (`000_10129fa433732354.txt`).
    School,
    /// The flock (`002_9d0d67e8776b1f55.txt`), with the fourth rule, clarity of view.
    Flock,
    /// The flock with sight in the half of the space that lies towards the last axis, which makes circles.
    HalfFlock,
    /// The agents' form of the cell system's rules.
    Reynolds,
}

/// Every number that an agent's rules may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRules {
    pub set: RuleSet,
    /// How far neighbours are seen for each rule (Q16 of a cell); clarity is the flock's.
    pub cohesion: u32,
    pub separation: u32,
    pub alignment: u32,
    pub clarity: u32,
    /// What a rule weighs (Q20), at most 8 in size.
    pub weights: Weights,
    /// The greatest acceleration (school) or force of a rule (flock), in Q14 of a cell a step²; at most 2.
    pub force: i32,
    /// How much of its velocity a boid keeps (Q10), 0 to 1; reynolds only.
    pub keep: i32,
    /// The speed towards which boids tend (Q14), 0: none; reynolds only.
    pub cruise: i32,
    /// The greatest speed (Q14), at most 2.
    pub max: i32,
    /// The boids a cell that separation takes for a crowd (Q10); reynolds only.
    pub crowd: i32,
}

/// What each rule weighs, in Q20.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weights {
    pub cohesion: i32,
    pub separation: i32,
    pub alignment: i32,
    pub clarity: i32,
    pub hunter: i32,
    pub walls: i32,
}

impl Weights {
    pub fn all(&self) -> [i32; 6] {
        [self.cohesion, self.separation, self.alignment, self.clarity, self.hunter, self.walls]
    }
}

/// The greatest weight, in Q20: 8.
pub const WEIGHT_LIMIT: i32 = 8 << 20;
/// Bits of a weight as it is summed: six weighted vectors of at most 2^15 stay below 2^31 together.
const WEIGHT_BITS: u32 = 13;

/// The units in which neighbours are summed, chosen so that no sum overflows however the agents crowd.
///
/// Positions are rounded down to units of 2^`place` (Q16 of a cell), and an offset is the difference of two such
/// positions: at most `resolution` units where it counts. So sums over all agents stay within 2^30.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Units {
    /// Bits that a position loses.
    pub place: u32,
    /// Bits that a velocity (Q14) loses.
    pub velocity: u32,
    /// The most units of an offset or a velocity: 1024, or fewer for more than 2^20 agents.
    pub resolution: i32,
    /// The greatest radius in units, rounded up.
    pub reach: i32,
    /// A neighbour's squared distance is below these, in units²; 0 sees nobody.
    pub cohesion: i32,
    pub separation: i32,
    pub alignment: i32,
    pub clarity: i32,
    /// Bits that a weight (Q20) loses where they are summed.
    pub weights: u32,
}

impl AgentRules {
    /// The greatest radius (Q16 of a cell).
    pub fn reach(&self) -> u32 {
        self.cohesion.max(self.separation).max(self.alignment).max(self.clarity)
    }

    /// Whether other rules differ only in numbers that no engine is made for: in weights and speeds, and not in whose rules
    /// they are or how far they see.
    pub fn is_like(&self, other: &Self) -> bool {
        let made_for = |rules: &Self| [rules.cohesion, rules.separation, rules.alignment, rules.clarity];
        self.set == other.set && made_for(self) == made_for(other)
    }

    /// The weight (Q20) of a hunter with this weight (Q10), at most 8: a multiple of the force where there is one.
    pub fn hunter_weight(&self, weight: i32) -> i32 {
        // A weight is below 2^16 and a force at most 2^15.
        let weight = match self.set {
            RuleSet::Reynolds => i64::from(weight) << 10,
            _ => (i64::from(weight) * i64::from(self.force)) >> 4,
        };
        weight.clamp(-i64::from(WEIGHT_LIMIT), i64::from(WEIGHT_LIMIT)) as i32
    }

    /// The units for at most `most` agents; `None` where the radii are too great for so many.
    pub fn units(&self, most: usize) -> Option<Units> {
        let crowd = most.max(1 << 20).next_power_of_two() as i64;
        let resolution = ((1i64 << 30) / crowd) as u32;
        // No finer than 1/1024 cell, and no coarser than a cell, so that extents are whole numbers of units.
        let place = (6..=PLACE_BITS).find(|bits| self.reach().div_ceil(1 << bits) <= resolution)?;
        let velocity = (0..16).find(|bits| (self.max as u32).div_ceil(1 << bits) <= resolution)?;
        let threshold = |radius: u32| {
            let square = u64::from(radius) * u64::from(radius);
            square.div_ceil(1 << (2 * place)) as i32
        };
        let greatest = self.weights.all().map(i32::abs).into_iter().max().unwrap_or(0);
        let bits = 32 - greatest.leading_zeros();
        Some(Units {
            place,
            velocity,
            resolution: resolution as i32,
            reach: self.reach().div_ceil(1 << place) as i32,
            cohesion: threshold(self.cohesion),
            separation: threshold(self.separation),
            alignment: threshold(self.alignment),
            clarity: threshold(self.clarity),
            weights: bits.saturating_sub(WEIGHT_BITS),
        })
    }
}

impl Units {
    /// The most agents that may be summed in these units.
    pub fn most(&self) -> usize {
        (1 << 30) / self.resolution as usize
    }

    /// A cell in units.
    pub fn cell(&self) -> i32 {
        1 << (PLACE_BITS - self.place)
    }

    /// The extents in units.
    pub fn extents(&self, space: &Space) -> [i32; 3] {
        space.extents.map(|extent| extent as i32 * self.cell())
    }
}
