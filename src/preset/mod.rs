//! Presets: scenarios as TOML files with the world, the numbers, the seed and the look.

use crate::rules::Rules;
use crate::state::State;
use crate::world::World;

/// What a picture shows beside the state: taste, not simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The density that glows at half brightness, in boids a cell.
    pub exposure: f32,
    /// The strength of the bloom, 0 to 1.
    pub bloom: f32,
    /// The colour wheel is turned by this part of a full turn, 0 to 1.
    pub hue: f32,
}

/// A checked scenario, ready to run.
#[derive(Debug, Clone)]
pub struct Preset {
    pub name: String,
    /// One line.
    pub description: String,
    /// A chain by name or path; `None`: the default chain of the model.
    pub chain: Option<String>,
    pub seed: u64,
    pub world: World,
    pub rules: Rules,
    pub look: Look,
    /// The swarm before the first step.
    pub start: State,
}
