//! The numbers of one step of the cell system, as every kernel sees them.

use crate::numbers::MOST_RULES;
use crate::rules::{Distribution, Rules};
use crate::uniform;
use crate::world::World;

uniform::parameters! {
    /// The numbers of one step of the cell system.
    Parameters, PARAMETERS_WGSL;
    /// The weight (Q10) of each control vector that the pass that steers sums, in its order.
    weights: [i32; 16] as "array<vec4<i32>, 4>";
    /// Steps made before this one, modulo 2^32.
    step: u32,
    /// Perceived density is density >> shift, at most `most_perceived`.
    shift: u32,
    /// The greatest perceived density.
    most_perceived: u32,
    /// The reference density of separation, in perceived density.
    crowd: i32,
    /// The fraction of its control vector that a boid keeps (Q10).
    keep: i32,
    /// The speed that boids tend to (Q14); 0: none.
    cruise: i32,
    /// The greatest speed (Q14).
    max: i32,
    /// 0: nearest, 1: split, 2: bilinear.
    distribution: u32,
    /// 1: a control vector travels with the boids.
    carry: u32,
    /// The fraction of a cell that wanders to each face neighbour (Q14).
    wander: u32,
    /// A cell with fewer quanta rests: it gives nothing and keeps its control vector; 0: none rests.
    rest: u32,
}

const _: () = assert!(MOST_RULES < 16, "there is a weight for every control vector that is summed");

impl Parameters {
    /// The numbers of the step that follows `step` steps. `weights`: in the order of `steer`'s control vectors.
    pub fn new(rules: &Rules, world: &World, weights: &[i32], step: u64) -> Self {
        let mut parameters = Self {
            step: step as u32,
            shift: rules.shift,
            most_perceived: rules.most_perceived(),
            crowd: rules.crowd,
            keep: rules.keep,
            cruise: rules.cruise,
            max: rules.max,
            distribution: match rules.distribution {
                Distribution::Nearest => 0,
                Distribution::Split => 1,
                Distribution::Bilinear => 2,
            },
            carry: u32::from(rules.carry),
            wander: rules.wander,
            rest: rules.rest,
            ..bytemuck::Zeroable::zeroed()
        };
        parameters.weights[..weights.len()].copy_from_slice(weights);
        parameters.set_world(world);
        parameters.set_hunters(world.hunters_at(step, None).as_slice());
        parameters
    }
}
