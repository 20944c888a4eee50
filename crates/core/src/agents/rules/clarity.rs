//! Clarity of view: sideways, away from the neighbours that block the view. Flake's fourth rule (The computational beauty of
//! nature, 1998).
//!
//! direction: -(Σd - (Σd·v̂)v̂), with d the offsets to the neighbours ahead (d·v > 0): the part of their sum across the
//! agent's own way.

use super::NeighbourRule;
use crate::agents::numbers::Units;
use crate::agents::situation::{Neighbour, Situation};
use crate::agents::table::{KnownSet, Rule};
use crate::lanes::Lanes;
use crate::vector::{normalise, round_shift, scale, subtract};

pub struct Clarity;

impl NeighbourRule for Clarity {
    const RULE: Rule = Rule::Clarity;

    #[inline(always)]
    fn seen<V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, within: V) -> V {
        let mut ahead = V::splat(0);
        for axis in 0..AXES {
            ahead = ahead.add(neighbour.offset[axis].multiply(V::splat(neighbour.own_velocity[axis])));
        }
        within.and(V::splat(0).less_than(ahead))
    }

    #[inline(always)]
    fn quantity<S: KnownSet, V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, _: &Units) -> [V; AXES] {
        neighbour.offset
    }

    #[inline(always)]
    fn direction<S: KnownSet, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        // Both as directions (Q14): their product is at most 2^28, and what lies along is at most 2^14 again.
        let (offset, way) = (normalise(agent.sum(Self::RULE)), normalise(agent.velocity));
        let mut along = V::splat(0);
        for axis in 0..AXES {
            along = along.add(offset[axis].multiply(way[axis]));
        }
        subtract(round_shift::<V, AXES, 14>(scale(way, along.round_shift::<14>())), offset)
    }
}
