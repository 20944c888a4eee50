//! How a set of rules makes an agent's next velocity of what its rules ask for. The rules are those of the table that the
//! set has; the twins in WGSL are `school.wgsl`, `flock.wgsl` and `reynolds.wgsl` in `shaders/agents/`.
//!
//! The formulas are those of the documents, with their ratios kept. Velocities are Q14 of a cell a step. A zero vector has no
//! direction and asks for nothing.

mod flock;
mod reynolds;
mod school;

use super::rules::*;
use super::situation::Situation;
use super::table::{KnownSet, rules};
use crate::lanes::Lanes;
use crate::vector::{add, round_shift_any, scale, zero};

/// A way to steer.
pub trait Steering: KnownSet {
    /// What a rule that looks at neighbours asks for, before it is weighted.
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES];

    /// The control vector of a rule that looks at the world, before it is weighted.
    #[inline(always)]
    fn bounded<V: Lanes, const AXES: usize>(control: [V; AXES]) -> [V; AXES] {
        control
    }

    /// The next velocities of agents side by side.
    fn steer<V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES];
}

/// Σ w·v over the rules of the set that look at neighbours.
#[inline(always)]
fn sum_of_neighbours<S: Steering, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
    let mut sum = zero();
    macro_rules! add_all {
        (neighbours { $($Rule:ident $name:literal $sets:tt)* } world $world:tt) => {
            $(if $Rule::RULE.is_of(S::SET) {
                let weight = V::splat(agent.parameters.weights[$Rule::RULE as usize]);
                sum = add(sum, scale(S::request::<$Rule, V, AXES>(agent), weight));
            })*
        };
    }
    rules!(add_all);
    sum
}

/// Σ w·v over the rules that look at the world: Q10 times Q(20 - `weight_bits`).
#[inline(always)]
fn sum_of_world<S: Steering, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
    let mut sum = zero();
    macro_rules! add_all {
        (neighbours $neighbours:tt world { $($Rule:ident $name:literal $sets:tt)* }) => {
            $(if $Rule::RULE.is_of(S::SET) {
                let weight = V::splat(agent.parameters.weights[$Rule::RULE as usize]);
                sum = add(sum, scale(S::bounded(agent.around($Rule::RULE)), weight));
            })*
        };
    }
    rules!(add_all);
    sum
}

/// The acceleration (Q14) that the world asks for, where neighbours ask for another one.
#[inline(always)]
fn acceleration_of_world<S: Steering, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
    round_shift_any(sum_of_world::<S, V, AXES>(agent), 16 - agent.parameters.weight_bits)
}
