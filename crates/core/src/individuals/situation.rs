//! The inputs of a rule of individuals: one neighbour while neighbours are summed, then the individual with its sums.
//! Units of places and velocities are the units of [`Units`].
//!
//! `V` is a type of lanes: several neighbours of one individual, or several individuals.

use super::numbers::Units;
use super::table::{Rule, RuleSet};
use crate::individuals::species::SpeciesNumbers;
use crate::lanes::Lanes;
use crate::lanes::vector::zero;

/// The number of rules that sum over neighbours.
pub const SUMMING: usize = Rule::OF_NEIGHBOURS.len();

/// A candidate for a neighbour, relative to an individual. The lanes hold several candidates or several individuals.
pub struct Neighbour<V, const AXES: usize> {
    /// The offset to the candidate, in units of places.
    pub offset: [V; AXES],
    /// The squared distance of the candidate, in units of places squared.
    pub square: V,
    /// The velocity of the candidate, in units of velocities.
    pub velocity: [V; AXES],
    /// The velocity of the individual, in units of velocities.
    pub own_velocity: [V; AXES],
}

/// The sums of each rule over its neighbours: a vector, then the number of neighbours if they are counted. `N` is a
/// number for one individual, or lanes of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sums<N>(pub [[N; 4]; SUMMING]);

impl<V: Lanes> Sums<V> {
    /// The sums over no neighbour.
    #[inline(always)]
    pub fn none() -> Self {
        Self([[V::splat(0); 4]; SUMMING])
    }

    /// The sums over all lanes.
    #[inline(always)]
    pub fn total(&self) -> Sums<i32> {
        let mut total = Sums::<i32>::none();
        for rule in 0..SUMMING {
            for part in 0..4 {
                total.0[rule][part] = self.0[rule][part].reduce_sum();
            }
        }
        total
    }
}

/// The control vectors (Q10) of the rules that look at the world, in the order of [`Rule::OF_WORLD`].
pub type Surroundings<N> = [[N; 3]; Rule::OF_WORLD.len()];

/// An individual with all inputs of its rules.
pub struct Situation<'a, V: Lanes, const AXES: usize> {
    /// The velocity (Q14 of a cell a step).
    pub velocity: [V; AXES],
    /// The velocity in units of velocities, as neighbours see it.
    pub velocity_in_units: [V; AXES],
    /// The sums over its neighbours, by rule.
    pub sums: Sums<V>,
    /// The weighted sum of the vectors of meetings with other species.
    pub met: [V; AXES],
    /// The control vectors (Q10) of the rules that look at the world.
    pub surroundings: Surroundings<V>,
    /// The numbers of its species.
    pub parameters: &'a SpeciesNumbers,
    /// The units of places and velocities.
    pub units: &'a Units,
}

impl<V: Lanes, const AXES: usize> Situation<'_, V, AXES> {
    /// The vector that a rule has summed over the neighbours.
    #[inline(always)]
    pub fn sum(&self, rule: Rule) -> [V; AXES] {
        let mut sum = zero();
        for axis in 0..AXES {
            sum[axis] = self.sums.0[rule as usize][axis];
        }
        sum
    }

    /// The number of neighbours over which a rule has summed.
    #[inline(always)]
    pub fn count(&self, rule: Rule) -> V {
        self.sums.0[rule as usize][3]
    }

    /// The number of other individuals within the sight of a rule, including the zones inside its zone. The sums must
    /// have counts.
    #[inline(always)]
    pub fn neighbours(&self, rule: Rule, set: RuleSet) -> V {
        let itself = if set.sees_half() { 0 } else { 1 };
        let mut count = self.count(rule);
        for inside in set.zones_inside(rule) {
            count = count.add(self.count(*inside));
        }
        count.subtract(V::splat(itself)).max(V::splat(0))
    }

    /// The number of neighbours of a rule without the individual itself, which is among its own neighbours.
    #[inline(always)]
    pub fn others(&self, rule: Rule) -> V {
        self.count(rule).subtract(V::splat(1)).max(V::splat(0))
    }
}
