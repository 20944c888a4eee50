//! The rules of *Collective memory and spatial sorting in animal groups*, I. D. Couzin, J. Krause, R. James, G. D.
//! Ruxton and N. R. Franks, 2002 (`docs/model.md, Rules of individuals`). The twin is
//! `shaders/individuals/couzin.wgsl`.

use super::rules::{NeighbourRule, Steering, acceleration_of_world};
use super::situation::Situation;
use super::table::{Rule, RuleSet};
use crate::lanes::Lanes;
use crate::lanes::vector::{
    add, length, negate, normalise, round_shift, round_shift_any, scale, select, stretch, subtract, to_fifteen_bits,
};
use crate::numbers::ONE;

/// Zones around an individual. The zone of repulsion comes first:
///
/// d = -w_s Σ r̂_j over the zone of repulsion (separation), if another individual is in it; else
/// d = w_a Σ v̂_j + w_c Σ r̂_j over the zones of orientation (alignment) and attraction (cohesion).
///
/// d̂ is the direction of d, r̂_j the direction to another individual and v̂_j its heading. w_s, w_a and w_c are the
/// weights of the rules. A zone begins where the zone inside it ends. The vectors of meetings with other species and of
/// the rules of the world are added to d̂. The direction of this sum is the wanted direction. If the sum is zero, the
/// wanted direction is the heading. Noise turns the wanted direction. Then the heading turns towards it, by at most the
/// greatest turn ([`turned_to`]).
pub struct Couzin;

impl Steering for Couzin {
    const SET: RuleSet = RuleSet::Couzin;

    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        normalise(R::direction::<Self, V, AXES>(individual))
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let parameters = individual.parameters;
        let velocity = individual.velocity;
        let weights = &parameters.weights;
        // A vector of 15 bits times a weight of 13 bits fits in 32 bits.
        let [apart] = to_fifteen_bits([negate(individual.sum(Rule::Separation))]);
        let apart = scale(apart, V::splat(weights[Rule::Separation as usize]));
        let [aligned, drawn] = to_fifteen_bits([individual.sum(Rule::Alignment), individual.sum(Rule::Cohesion)]);
        let aligned = scale(aligned, V::splat(weights[Rule::Alignment as usize]));
        let drawn = scale(drawn, V::splat(weights[Rule::Cohesion as usize]));
        let is_crowded = V::splat(0).less_than(individual.others(Rule::Separation));
        let asked = normalise(select(is_crowded, apart, add(aligned, drawn)));
        let met = round_shift_any(individual.met, 20 - parameters.weight_bits);
        let wanted = normalise(add(asked, add(met, acceleration_of_world::<Self, V, AXES>(individual))));
        select(is_zero(wanted), normalise(velocity), wanted)
    }
}

/// The next velocity of an individual that turns towards a wanted direction (Q14, of length [`ONE`] apart from rounding), by at most
/// an angle with this cosine and sine (Q14). `speed` is its next speed (Q14 of a cell a step).
#[inline(always)]
pub fn turned_to<V: Lanes, const AXES: usize>(
    velocity: [V; AXES],
    wanted: [V; AXES],
    [cosine, sine]: [i32; 2],
    speed: i32,
) -> [V; AXES] {
    let heading = normalise(velocity);
    let turned = turn(heading, wanted, cosine, sine);
    let next = select(is_zero(heading), wanted, turned);
    // An individual that keeps its heading keeps it exactly.
    let next = select(is_zero(subtract(wanted, heading)), velocity, next);
    stretch(next, length(next), V::splat(speed))
}

/// The mask of the lanes whose vector is zero.
#[inline(always)]
fn is_zero<V: Lanes, const AXES: usize>(v: [V; AXES]) -> V {
    let mut any = V::splat(0);
    for axis in 0..AXES {
        any = any.or(v[axis]);
    }
    any.equals(V::splat(0))
}

/// The product a·b (Q14) of two directions (Q14).
#[inline(always)]
fn along<V: Lanes, const AXES: usize>(a: [V; AXES], b: [V; AXES]) -> V {
    let mut product = V::splat(0);
    for axis in 0..AXES {
        product = product.add(a[axis].multiply(b[axis]));
    }
    product.round_shift::<14>()
}

/// The direction h turned towards the direction d by at most an angle, given by its cosine and sine (all Q14). The
/// result is about as long as [`ONE`].
///
/// h' = cos·h + sin·e, with e the direction of d - (d·h)h; h' = d if the angle from h to d is smaller than the given
/// one.
/// If d is opposite to h, e is zero or is only a rounding error. Then h' = h.
#[inline(always)]
fn turn<V: Lanes, const AXES: usize>(h: [V; AXES], d: [V; AXES], cosine: i32, sine: i32) -> [V; AXES] {
    let nearness = along(h, d);
    let across = normalise(subtract(scale(d, V::splat(ONE)), scale(h, nearness)));
    let is_opposite = V::splat(ONE / 8).less_than(along(h, across).abs()).or(is_zero(across));
    let turned = round_shift::<V, AXES, 14>(add(scale(h, V::splat(cosine)), scale(across, V::splat(sine))));
    let turned = select(is_opposite, h, turned);
    select(nearness.less_than(V::splat(cosine)), turned, d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::individuals::selection::ALL_AROUND;
    use crate::numbers::Vector3;

    fn degrees(a: Vector3, b: Vector3) -> f64 {
        let product = |a: Vector3, b: Vector3| (0..3).map(|axis| f64::from(a[axis]) * f64::from(b[axis])).sum::<f64>();
        (product(a, b) / (product(a, a) * product(b, b)).sqrt()).clamp(-1.0, 1.0).acos().to_degrees()
    }

    #[test]
    fn a_turn_is_towards_the_direction_and_no_farther_than_the_angle() {
        let mut random = crate::numbers::random::generator(5, 7);
        let mut direction = || loop {
            let v: Vector3 = normalise([0; 3].map(|_: i32| random.around(1 << 12) as i32));
            if v != [0; 3] {
                return v;
            }
        };
        for most in [0.5f64, 4.0, 40.0, 90.0, 170.0] {
            let [cosine, sine] =
                [most.to_radians().cos(), most.to_radians().sin()].map(|n| (n * f64::from(ONE)) as i32);
            for _ in 0..2000 {
                let (h, d) = (direction(), direction());
                let angle = degrees(h, d);
                let turned = turn(h, d, cosine, sine);
                let (by, left) = (degrees(h, turned), degrees(turned, d));
                assert!((by - angle.min(most)).abs() < 0.3 || angle > 179.0, "{h:?} {d:?} {most}: {by}");
                assert!((left - (angle - most).max(0.0)).abs() < 0.3 || angle > 179.0, "{h:?} {d:?} {most}: {left}");
                let mirrored = turn(h.map(|n| -n), d.map(|n| -n), cosine, sine);
                assert_eq!(mirrored, turned.map(|n| -n));
            }
        }
    }

    #[test]
    fn what_is_opposite_turns_nobody_unless_all_turns_are_allowed() {
        for h in [[ONE, 0, 0], normalise([3, -4, 5]), normalise([1, 1, 0]), normalise([-7, 2, 100])] {
            let d = h.map(|n| -n);
            assert_eq!(turn(h, d, 16344, 1143), h);
            assert_eq!(turn(h, d, ALL_AROUND, 0), d);
        }
    }
}
