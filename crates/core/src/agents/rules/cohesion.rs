//! Cohesion: towards the centre of the neighbours.
//!
//! direction: Σd;   v_c = Σd / n / R, with d the offsets to the n neighbours (the agent among them) and R the radius.

use super::NeighbourRule;
use crate::agents::numbers::Units;
use crate::agents::situation::{Neighbour, Situation};
use crate::agents::table::{KnownSet, Rule};
use crate::lanes::Lanes;
use crate::vector::ratio;

pub struct Cohesion;

impl NeighbourRule for Cohesion {
    const RULE: Rule = Rule::Cohesion;
    const COUNTS: bool = true;

    #[inline(always)]
    fn quantity<S: KnownSet, V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, _: &Units) -> [V; AXES] {
        neighbour.offset
    }

    #[inline(always)]
    fn direction<S: KnownSet, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        agent.sum(Self::RULE)
    }

    #[inline(always)]
    fn control<V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        let radius = V::splat(Ord::max(agent.units.radii[Self::RULE], 1));
        let divisor = agent.sums.counts[Self::RULE].max(V::splat(1)).multiply(radius).divisor();
        ratio(agent.sum(Self::RULE), divisor)
    }
}
