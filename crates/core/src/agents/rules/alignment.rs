//! Alignment: towards the mean velocity of the neighbours.
//!
//! direction: Σv;   v_a = Σv / n - v, with v the velocities of the n neighbours.

use super::NeighbourRule;
use crate::agents::numbers::Units;
use crate::agents::situation::{Neighbour, Situation};
use crate::agents::table::{KnownSet, Rule};
use crate::lanes::Lanes;
use crate::vector::{quotient, round_shift, scale, subtract};

pub struct Alignment;

impl NeighbourRule for Alignment {
    const RULE: Rule = Rule::Alignment;
    const COUNTS: bool = true;

    #[inline(always)]
    fn quantity<S: KnownSet, V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, _: &Units) -> [V; AXES] {
        neighbour.velocity
    }

    /// The agent is among its own neighbours, at distance 0: it is taken out. Half a sight does not see it.
    #[inline(always)]
    fn direction<S: KnownSet, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        let sum = agent.sum(Self::RULE);
        let sees_itself = !S::SET.sees_half() && agent.units.thresholds[Self::RULE] > 0;
        if sees_itself { subtract(sum, agent.velocity_in_units) } else { sum }
    }

    #[inline(always)]
    fn control<V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        let count = agent.sums.counts[Self::RULE].divisor();
        let mean = scale(quotient(agent.sum(Self::RULE), count), V::splat(1 << agent.units.velocity));
        // Q14 to Q10.
        subtract(round_shift::<V, AXES, 4>(mean), round_shift::<V, AXES, 4>(agent.velocity))
    }
}
