//! The numbers of the rules of individuals, the units in which neighbours are summed, and the numbers of one step.

use super::lives::LifeRules;
use super::lives::food::FoodRules;
use super::rays::RayNumbers;
use super::table::{NeighbourRuleArray, Rule, RuleArray, RuleSet};
use super::{PLACE_BITS, Space};
use crate::numbers::round_shift_any;
use crate::uniform;
use crate::world::World;

/// Every number that the rules of individuals may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRules {
    pub set: RuleSet,
    /// How far each rule sees neighbours (Q16 of a cell); 0: it sees nobody.
    pub radii: NeighbourRuleArray<u32>,
    /// The weight of each rule (Q20), at most 8 in size.
    pub weights: RuleArray<i32>,
    /// The greatest acceleration (school) or force of a rule (flock), in Q14 of a cell a step²; at most 2.
    pub force: i32,
    /// How much of its velocity a boid keeps (Q10), 0 to 1; reynolds only.
    pub keep: i32,
    /// The speed towards which boids tend (Q14), 0: none; reynolds only.
    pub cruise: i32,
    /// The least speed (Q14), at most `max`; aquarium only.
    pub min: i32,
    /// The greatest speed (Q14), at most 2.
    pub max: i32,
    /// The boids a cell that separation takes for a crowd (Q10); reynolds only.
    pub crowd: i32,
    /// The rays of avoidance; `None`: the rule asks for nothing.
    pub rays: Option<RayNumbers>,
    /// The rules of lives; `None`: individuals have none.
    pub lives: Option<LifeRules>,
    /// The rules of food; all 0 where there is none.
    pub food: FoodRules,
}

/// The greatest weight, in Q20: 8.
pub const WEIGHT_LIMIT: i32 = 8 << 20;
/// Bits of a weight where it is summed: the weighted vectors of all rules, each at most 2^15 and that of avoidance at most 2^12, stay
/// below 2^31 together.
const WEIGHT_BITS: u32 = 13;
const _: () = assert!(((Rule::ALL.len() - 1) << (WEIGHT_BITS + 15)) + (1 << (WEIGHT_BITS + 12)) < 1 << 31);

/// The units in which neighbours are summed, chosen so that no sum overflows however the agents crowd.
///
/// Positions are rounded down to units of 2^`place` (Q16 of a cell). An offset is the difference of two such positions: at
/// most `resolution` units where it counts. So sums over all agents stay within 2^30.
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
    /// The radius of each rule in units, rounded up.
    pub radii: NeighbourRuleArray<i32>,
    /// For each rule the bound of a neighbour's squared distance, in units²; 0: it sees nobody.
    pub thresholds: NeighbourRuleArray<i32>,
}

impl AgentRules {
    /// The greatest radius (Q16 of a cell).
    pub fn reach(&self) -> u32 {
        self.radii.0.into_iter().fold(0, u32::max)
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

    /// Bits that a weight (Q20) loses where weighted vectors are summed.
    pub fn weight_bits(&self) -> u32 {
        let greatest = self.weights.0.into_iter().map(i32::abs).fold(0, i32::max);
        (32 - greatest.leading_zeros()).saturating_sub(WEIGHT_BITS)
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
        Some(Units {
            place,
            velocity,
            resolution: resolution as i32,
            reach: self.reach().div_ceil(1 << place) as i32,
            radii: RuleArray::from_fn(|rule| self.radii[rule].div_ceil(1 << place) as i32),
            thresholds: RuleArray::from_fn(|rule| threshold(self.radii[rule])),
        })
    }
}

impl Units {
    /// The most agents that may be summed in these units.
    pub fn most(&self) -> usize {
        (1 << 30) / self.resolution as usize
    }

    /// 1024 in `resolution`.
    pub fn coarseness(&self) -> i32 {
        (1024 / self.resolution.max(1)).max(1)
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

uniform::parameters! {
    /// The numbers of one step of individuals. No engine is made for them: they may change between two steps.
    AgentParameters, AGENT_PARAMETERS_WGSL;
    /// The weight of each rule in the order of the table, in Q(20 - `weight_bits`).
    weights: 8 in 2 rows;
    /// The rules of lives; zero where individuals have none.
    lives: LifeRules,
    /// The rules of food; zero where there is none.
    food: FoodRules,
    /// Bits that a weight (Q20) lost, so that the weighted vectors of all rules stay below 2^31 together.
    weight_bits: u32,
    /// The greatest acceleration (school) or force of a rule (flock), in Q14 of a cell a step².
    force: i32,
    /// How much of its velocity a boid keeps (Q10).
    keep: i32,
    /// The speed towards which boids tend (Q14); 0: none.
    cruise: i32,
    /// The least speed (Q14).
    min: i32,
    /// The greatest speed (Q14).
    max: i32,
    /// The boids a cell that separation takes for a crowd (Q10).
    crowd: i32,
    /// The greatest sum of separation, in units: beyond it the control vector is at its limit anyway.
    most_apart: i32,
    /// Steps made before this one, modulo 2^32.
    step: u32,
    /// The numbers that individuals were given so far, from 0 on: parents are drawn among them.
    population: u32,
}

// A structure in a uniform begins at a multiple of 16 bytes.
const _: () = assert!(std::mem::offset_of!(AgentParameters, lives).is_multiple_of(16));
const _: () = assert!(Rule::ALL.len() <= 8, "there is a weight for every rule");

impl AgentParameters {
    /// The numbers of the step that follows `step` steps, for sums in these units.
    pub fn new(rules: &AgentRules, units: &Units, world: &World, step: u64) -> Self {
        let mut parameters = Self::of(rules, units);
        parameters.set_world(world);
        parameters.set_hunters(world.hunters_at(step, None).as_slice());
        parameters.step = step as u32;
        parameters
    }

    /// The numbers of the rules in a world without a hunter and margins.
    pub fn of(rules: &AgentRules, units: &Units) -> Self {
        let weight_bits = rules.weight_bits();
        let mut parameters = Self {
            lives: rules.lives.unwrap_or(bytemuck::Zeroable::zeroed()),
            food: rules.food,
            weight_bits,
            force: rules.force,
            keep: rules.keep,
            cruise: rules.cruise,
            min: rules.min,
            max: rules.max,
            crowd: rules.crowd.max(1),
            most_apart: (8 * rules.crowd).min((1 << 30) - 1) / units.coarseness(),
            ..bytemuck::Zeroable::zeroed()
        };
        for (own, weight) in parameters.weights.iter_mut().zip(rules.weights.0) {
            *own = round_shift_any(weight, weight_bits);
        }
        parameters
    }
}
