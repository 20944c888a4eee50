//! What a rule of individuals looks at: one neighbour while neighbours are summed, then the agent with its sums.
//!
//! The numbers are lanes: several neighbours of one agent side by side, or several agents.

use super::numbers::Units;
use super::parameters::AgentParameters;
use super::table::{ByNeighbourRule, ByRule, Rule};
use crate::lanes::Lanes;
use crate::numbers::Vector3;
use crate::vector::zero;

/// A candidate for a neighbour.
pub struct Neighbour<V, const AXES: usize> {
    /// The offset to it, in units.
    pub offset: [V; AXES],
    /// Its squared distance, in units².
    pub square: V,
    /// Its velocity, in units.
    pub velocity: [V; AXES],
    /// The velocity of the agent that looks at it, in units.
    pub own_velocity: Vector3,
}

/// What each rule sums over its neighbours: numbers for one agent, or lanes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sums<N> {
    pub vectors: ByNeighbourRule<[N; 3]>,
    /// The number of neighbours, for the rules that ask for means.
    pub counts: ByNeighbourRule<N>,
}

impl<V: Lanes> Sums<V> {
    /// The sums over no neighbour.
    #[inline(always)]
    pub fn none() -> Self {
        let zero = V::splat(0);
        Self {
            vectors: ByRule([[zero; 3]; Rule::OF_NEIGHBOURS.len()]),
            counts: ByRule([zero; Rule::OF_NEIGHBOURS.len()]),
        }
    }

    /// The sums over all lanes.
    #[inline(always)]
    pub fn total(&self) -> Sums<i32> {
        let mut total = Sums::<i32>::none();
        for rule in 0..Rule::OF_NEIGHBOURS.len() {
            total.counts.0[rule] = self.counts.0[rule].reduce_sum();
            for axis in 0..3 {
                total.vectors.0[rule][axis] = self.vectors.0[rule][axis].reduce_sum();
            }
        }
        total
    }
}

/// The control vectors (Q10) of the rules that look at the world, in the order of [`Rule::OF_WORLD`].
pub type Surroundings<N> = [[N; 3]; Rule::OF_WORLD.len()];

/// An agent with all that its rules need.
pub struct Situation<'a, V: Lanes, const AXES: usize> {
    /// Q14 of a cell a step.
    pub velocity: [V; AXES],
    /// The same in units, as neighbours see it.
    pub velocity_in_units: [V; AXES],
    pub sums: Sums<V>,
    pub surroundings: Surroundings<V>,
    pub parameters: &'a AgentParameters,
    pub units: &'a Units,
}

impl<V: Lanes, const AXES: usize> Situation<'_, V, AXES> {
    /// What a rule has summed over the neighbours.
    #[inline(always)]
    pub fn sum(&self, rule: Rule) -> [V; AXES] {
        on_axes(self.sums.vectors[rule])
    }

    /// The control vector (Q10) of a rule that looks at the world.
    #[inline(always)]
    pub fn around(&self, rule: Rule) -> [V; AXES] {
        on_axes(self.surroundings[rule as usize - Rule::OF_NEIGHBOURS.len()])
    }
}

/// A vector on the axes that the world has.
#[inline(always)]
fn on_axes<V: Lanes, const AXES: usize>(v: [V; 3]) -> [V; AXES] {
    let mut own = zero();
    own.copy_from_slice(&v[..AXES]);
    own
}
