//! The cell system's rules (equations 2 to 4) for individuals:
//!
//! V' = limit(keep·V + Σ w_i·v_i), with v_i the control vectors of the rules.

use super::{Steering, sum_of_neighbours, sum_of_world};
use crate::agents::rules::NeighbourRule;
use crate::agents::situation::Situation;
use crate::agents::table::Reynolds;
use crate::lanes::Lanes;
use crate::numbers::RULE_LIMIT;
use crate::vector::{add, clamp_components, limit, round_shift, round_shift_any, scale};

impl Steering for Reynolds {
    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        clamp_components(R::control(agent), RULE_LIMIT)
    }

    #[inline(always)]
    fn bounded<V: Lanes, const AXES: usize>(control: [V; AXES]) -> [V; AXES] {
        clamp_components(control, RULE_LIMIT)
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        let parameters = agent.parameters;
        let requested = add(sum_of_neighbours::<Self, V, AXES>(agent), sum_of_world::<Self, V, AXES>(agent));
        // Q10 times Q(20 - weight_bits) becomes Q14.
        let requested = round_shift_any(requested, 16 - parameters.weight_bits);
        let kept = round_shift::<V, AXES, 10>(scale(agent.velocity, V::splat(parameters.keep)));
        limit(add(kept, requested), parameters.cruise, parameters.max)
    }
}
