//! The school of fish (*Unreal Engine 4 Parallel Processing School of Fish*, Nikolay Lazarev):
//!
//! a = limit(Σ w_i·x̂_i, force), a_z = 0;  v' = limit(v + a, max), with x_i the directions of the rules.
//!
//! The document has neither a hunter nor walls: they are added as accelerations of their own.

use super::{Steering, acceleration_of_world, sum_of_neighbours};
use crate::agents::rules::NeighbourRule;
use crate::agents::situation::Situation;
use crate::agents::table::School;
use crate::lanes::Lanes;
use crate::vector::{add, limit_length, normalise, round_shift_any};

impl Steering for School {
    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        normalise(R::direction::<Self, V, AXES>(agent))
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        let parameters = agent.parameters;
        let requested = round_shift_any(sum_of_neighbours::<Self, V, AXES>(agent), 20 - parameters.weight_bits);
        let mut acceleration = limit_length(requested, parameters.force);
        if AXES == 3 {
            acceleration[2] = V::splat(0);
        }
        let acceleration = add(acceleration, acceleration_of_world::<Self, V, AXES>(agent));
        limit_length(add(agent.velocity, acceleration), parameters.max)
    }
}
