//! The numbers of one step of individuals. No engine is made for them: they may change between two steps.

use super::numbers::{AgentRules, Units};
use super::table::Rule;
use crate::numbers::round_shift_any;
use crate::uniform;
use crate::world::World;

uniform::parameters! {
    /// The numbers of one step of individuals.
    AgentParameters, AGENT_PARAMETERS_WGSL;
    /// The weight of each rule in the order of the table, in Q(20 - `weight_bits`).
    weights: 8 in 2 rows;
    /// Bits that a weight (Q20) lost, so that the weighted vectors of all rules stay below 2^31 together.
    weight_bits: u32,
    /// The greatest acceleration (school) or force of a rule (flock), in Q14 of a cell a step².
    force: i32,
    /// How much of its velocity a boid keeps (Q10).
    keep: i32,
    /// The speed towards which boids tend (Q14); 0: none.
    cruise: i32,
    /// The greatest speed (Q14).
    max: i32,
    /// The boids a cell that separation takes for a crowd (Q10).
    crowd: i32,
    /// The greatest sum of separation, in units: beyond it the control vector is at its limit anyway.
    most_apart: i32,
}

const _: () = assert!(Rule::ALL.len() <= 8, "there is a weight for every rule");

impl AgentParameters {
    /// The numbers of the step that follows `step` steps, for sums in these units.
    pub fn new(rules: &AgentRules, units: &Units, world: &World, step: u64) -> Self {
        let mut parameters = Self { margin: world.margin as i32, ..Self::of(rules, units) };
        if let Some(hunter) = world.hunter_at(step) {
            parameters.set_hunter(hunter);
        }
        parameters
    }

    /// The numbers of the rules in a world without a hunter and margins.
    pub fn of(rules: &AgentRules, units: &Units) -> Self {
        let weight_bits = rules.weight_bits();
        let mut parameters = Self {
            weight_bits,
            force: rules.force,
            keep: rules.keep,
            cruise: rules.cruise,
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
