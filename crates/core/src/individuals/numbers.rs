//! The numbers of the rules of individuals, and the units in which neighbours are summed.

use super::selection::{ALL_AROUND, Selection};
use super::table::{NeighbourRuleArray, Rule, RuleArray, RuleSet};
use crate::lives::LifeRules;
use crate::noise::Noise;
use crate::numbers::{ONE, RULE_ONE};
use crate::terrain::rays::RayNumbers;
use crate::world::{MAX_SPECIES, MeetingKind, PLACE_BITS, Space};

/// The rules of food for a species. Rates are for one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FoodRules {
    /// The most food that an individual eats in a step, in parts of [`FULL`](crate::lives::FULL), at least 1; 0: the
    /// species eats no food.
    pub bite: i32,
    /// The food that grows in a cell of food in a step, in parts of [`FULL`](crate::lives::FULL), up to the capacity of
    /// the cell.
    pub growth: i32,
    /// The acceleration towards food at the greatest hunger, in cells per step² (Q14).
    pub forage: i32,
}

/// Every number that the rules of individuals may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndividualRules {
    /// The set of rules.
    pub set: RuleSet,
    /// The radius within which each rule sees neighbours (Q16 of a cell); 0: the rule sees no neighbour.
    pub radii: NeighbourRuleArray<u32>,
    /// The individuals within the radii that are neighbours.
    pub selection: Selection,
    /// The weight of each rule (Q20), at most 8 in size.
    pub weights: RuleArray<i32>,
    /// The greatest acceleration (school) or force of a rule (flock), in Q14 of a cell a step²; at most 2 cells a
    /// step².
    pub force: i32,
    /// The part of its velocity that a boid keeps (Q10), 0 to 1; reynolds only.
    pub keep: i32,
    /// The speed towards which boids tend (Q14 of a cell a step); 0: boids tend towards no speed; reynolds only.
    pub cruise: i32,
    /// The least speed (Q14 of a cell a step), at most `max`; aquarium only.
    pub min: i32,
    /// The greatest speed (Q14 of a cell a step), at most 2 cells a step.
    pub max: i32,
    /// The cosine and the sine (Q14) of the greatest turn in a step; couzin only.
    pub turn: [i32; 2],
    /// The boids a cell at which separation has its full strength (Q10); reynolds only.
    pub crowd: i32,
    /// The random changes of headings.
    pub noise: Noise,
    /// The rays along which the rule of avoidance looks for rock; `None`: the rule has no effect.
    pub rays: Option<RayNumbers>,
    /// The rules of lives; `None`: individuals have no lives.
    pub lives: Option<LifeRules>,
    /// The rules of food; all 0 if the world has no food or the species eats none.
    pub food: FoodRules,
    /// How individuals meet other species.
    pub meetings: Vec<IndividualMeeting>,
    /// The number of individuals of the species above which none is born; `None`: no limit.
    pub most: Option<u32>,
}

/// How individuals of a species meet individuals of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndividualMeeting {
    /// The number of the other species.
    pub other: usize,
    /// The reaction of the individuals when they see the others.
    pub kind: MeetingKind,
    /// The weight (Q20), at most 8 in size.
    pub weight: i32,
    /// The radius within which the others are seen (Q16 of a cell).
    pub radius: u32,
    /// The distance at which one of the others is eaten (Q16 of a cell); 0: none is eaten.
    pub jaws: u32,
    /// The hunger that a meal of one of the others stills, in parts of [`crate::lives::FULL`].
    pub meal: i32,
}

/// The greatest weight, in Q20: 8.
pub const WEIGHT_LIMIT: i32 = 8 << 20;
/// Bits of a weight in a sum. The weighted vectors of all rules together stay below 2^31. The vector of avoidance is at
/// most 2^12, and the vector of any other rule at most 2^15. With meetings a weight has one bit less, and the vectors
/// of up to `MAX_SPECIES - 1` meetings join the sum.
const WEIGHT_BITS: u32 = 13;
const _: () = assert!(((Rule::ALL.len() - 1) << (WEIGHT_BITS + 15)) + (1 << (WEIGHT_BITS + 12)) < 1 << 31);
const _: () =
    assert!(((Rule::ALL.len() - 1 + MAX_SPECIES - 1) << (WEIGHT_BITS + 14)) + (1 << (WEIGHT_BITS + 11)) < 1 << 31);

/// The units of places and velocities in which neighbours are summed. They are chosen so that no sum overflows, even if
/// all individuals are at one place.
///
/// A unit of places is 2^`place` in Q16 of a cell, and positions are rounded down to it. A unit of velocities is
/// 2^`velocity` in Q14 of a cell a step. An offset is the difference of two such positions: at most `resolution` units
/// within the radii. So sums over all individuals stay within 2^30.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Units {
    /// Bits that a position (Q16 of a cell) loses when it is converted to units.
    pub place: u32,
    /// Bits that a velocity (Q14 of a cell a step) loses when it is converted to units.
    pub velocity: u32,
    /// The most units of an offset or a velocity: 1024, or fewer for more than 2^20 individuals.
    pub resolution: i32,
    /// The greatest radius of any rule or meeting, in units of places, rounded up.
    pub reach: i32,
    /// The radius of each rule in units of places, rounded up.
    pub radii: NeighbourRuleArray<i32>,
    /// For each rule the bound of a neighbour's squared distance, in units²; 0: the rule sees no neighbour.
    pub thresholds: NeighbourRuleArray<i32>,
    /// The individuals within the radii that are neighbours.
    pub selection: Selection,
}

impl IndividualRules {
    /// The numbers of a set of rules, with all weights and radii 0, no noise and no lives.
    pub fn new(set: RuleSet) -> Self {
        Self {
            set,
            radii: NeighbourRuleArray::default(),
            selection: Selection::ALL,
            weights: RuleArray::default(),
            force: 0,
            keep: RULE_ONE,
            cruise: 0,
            min: 0,
            max: ONE,
            turn: [ALL_AROUND, 0],
            crowd: RULE_ONE,
            noise: Noise::default(),
            rays: None,
            lives: None,
            food: FoodRules::default(),
            meetings: Vec::new(),
            most: None,
        }
    }

    /// The greatest radius (Q16 of a cell) within which individuals see their own species. Meetings are left out.
    pub fn link_radius(&self) -> u32 {
        self.radii.0.into_iter().fold(0, u32::max)
    }

    /// The greatest radius of a rule or of a meeting (Q16 of a cell).
    pub fn reach(&self) -> u32 {
        let met = self.meetings.iter().flat_map(|meeting| [meeting.radius, meeting.jaws]);
        met.fold(self.link_radius(), u32::max)
    }

    /// Converts the weight of a hunter from Q10 to Q20, at most 8. Sets with the rules of the cell system take the
    /// weight as it is. In other sets the weight counts in multiples of the force.
    pub fn hunter_weight(&self, weight: i32) -> i32 {
        // A weight is below 2^16 and a force at most 2^15.
        let weight = match self.set {
            set if set.is_of_cells() => i64::from(weight) << 10,
            _ => (i64::from(weight) * i64::from(self.force)) >> 4,
        };
        weight.clamp(-i64::from(WEIGHT_LIMIT), i64::from(WEIGHT_LIMIT)) as i32
    }

    /// Bits that a weight (Q20) loses where weighted vectors are summed.
    pub fn weight_bits(&self) -> u32 {
        let meetings = self.meetings.iter().map(|meeting| meeting.weight);
        let greatest = self.weights.0.into_iter().chain(meetings).map(i32::abs).fold(0, i32::max);
        // The weighted vectors of meetings are in the same sum.
        let room = if self.meetings.is_empty() { WEIGHT_BITS } else { WEIGHT_BITS - 1 };
        (32 - greatest.leading_zeros()).saturating_sub(room)
    }

    /// The units of a world with only this species, for at most `most` individuals. `None`: the radii are too great for
    /// this number.
    pub fn units(&self, most: usize) -> Option<Units> {
        Units::new(std::slice::from_ref(self), most)
    }
}

impl Units {
    /// The units of all species of a world, for at most `most` individuals, with the radii and the selection of the
    /// first species. `None`: the radii are too great for this number.
    pub fn new(species: &[IndividualRules], most: usize) -> Option<Self> {
        let crowd = most.max(1 << 20).next_power_of_two() as i64;
        let resolution = ((1i64 << 30) / crowd) as u32;
        let farthest = species.iter().map(|rules| rules.reach()).max()?;
        let fastest = species.iter().map(|rules| rules.max).max()? as u32;
        // No finer than 1/1024 cell, and no coarser than a cell, so that extents are whole numbers of units.
        let place = (6..=PLACE_BITS).find(|bits| farthest.div_ceil(1 << bits) <= resolution)?;
        let velocity = (0..16).find(|bits| fastest.div_ceil(1 << bits) <= resolution)?;
        let none = RuleArray([0; Rule::OF_NEIGHBOURS.len()]);
        let reach = farthest.div_ceil(1 << place) as i32;
        let units = Self {
            place,
            velocity,
            resolution: resolution as i32,
            reach,
            radii: none,
            thresholds: none,
            selection: Selection::ALL,
        };
        Some(units.with_sight(species.first()?))
    }

    /// These units with the radii and the selection of a species.
    pub fn with_sight(&self, rules: &IndividualRules) -> Self {
        Self {
            radii: RuleArray::from_fn(|rule| self.radius(rules.radii[rule])),
            thresholds: RuleArray::from_fn(|rule| self.threshold(rules.radii[rule])),
            selection: rules.selection,
            ..*self
        }
    }

    /// Converts a radius (Q16 of a cell) to units of places, rounded up.
    pub fn radius(&self, radius: u32) -> i32 {
        radius.div_ceil(1 << self.place) as i32
    }

    /// The bound below which the squared distance (units²) of a neighbour within a radius (Q16 of a cell) lies.
    pub fn threshold(&self, radius: u32) -> i32 {
        (u64::from(radius) * u64::from(radius)).div_ceil(1 << (2 * self.place)) as i32
    }

    /// The maximum number of individuals that may be summed in these units.
    pub fn most(&self) -> usize {
        (1 << 30) / self.resolution as usize
    }

    /// The ratio of 1024 to `resolution`, at least 1.
    pub fn coarseness(&self) -> i32 {
        (1024 / self.resolution.max(1)).max(1)
    }

    /// The width of a cell in units of places.
    #[inline(always)]
    pub fn cell(&self) -> i32 {
        1 << (PLACE_BITS - self.place)
    }

    /// The extents of a space in units of places.
    pub fn extents(&self, space: &Space) -> [i32; 3] {
        space.extents.map(|extent| extent as i32 * self.cell())
    }
}
