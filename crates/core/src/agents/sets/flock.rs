//! The flock (*I flock, you flock*, Vojtěch Tomas), each rule in Reynolds' form of steering:
//!
//! f(x) = limit(x̂·max - v, force);  v' = limit(v + Σ w_i·f(x_i), max), with x_i the directions of the rules.
//!
//! The document has neither a hunter nor walls: they are added as accelerations of their own.

use super::{Steering, acceleration_of_world, sum_of_neighbours};
use crate::agents::rules::NeighbourRule;
use crate::agents::situation::Situation;
use crate::agents::table::{Flock, HalfFlock, KnownSet};
use crate::lanes::Lanes;
use crate::vector::{add, limit_length, normalise, round_shift, round_shift_any, scale, select, subtract, zero};

impl Steering for Flock {
    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        request::<Self, R, V, AXES>(agent)
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        steer::<Self, V, AXES>(agent)
    }
}

impl Steering for HalfFlock {
    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        request::<Self, R, V, AXES>(agent)
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        steer::<Self, V, AXES>(agent)
    }
}

/// f(x), and nothing for x = 0.
#[inline(always)]
fn request<S: KnownSet, R: NeighbourRule, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
    let x = R::direction::<S, V, AXES>(agent);
    let wanted = round_shift::<V, AXES, 14>(scale(normalise(x), V::splat(agent.parameters.max)));
    let force = limit_length(subtract(wanted, agent.velocity), agent.parameters.force);
    let mut any = V::splat(0);
    for axis in 0..AXES {
        any = any.or(x[axis]);
    }
    select(any.equals(V::splat(0)), zero(), force)
}

#[inline(always)]
fn steer<S: Steering, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
    let parameters = agent.parameters;
    let force = round_shift_any(sum_of_neighbours::<S, V, AXES>(agent), 20 - parameters.weight_bits);
    let force = add(force, acceleration_of_world::<S, V, AXES>(agent));
    limit_length(add(agent.velocity, force), parameters.max)
}
