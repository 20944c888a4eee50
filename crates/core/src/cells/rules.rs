//! The rules, each the control vector (Q10) of a cell, and the steering that follows their weighted sum.

use super::context::{PassContext, RowKernel, perceive};
use super::parameters::Parameters;
use crate::lanes::Lanes;
use crate::numbers::{Cell, RULE_LIMIT, Vector};
use crate::vector::{
    add, clamp_components, limit, negate, pack, quotient, ratio, round_shift, scale, select, subtract, unpack, zero,
};
use crate::world::{self, Edges, Extents, PARTS, offset};

/// Cohesion: towards the centre of the boids in sight. Fills rows of v_c. Reads the density.
///
/// v_c = Σ s·p(x+s) / Σ p(x+s) / R — the paper's equation 2, scaled by the sight's reach R.
pub struct Cohesion;

/// v_c (Q10) from Σ s·p and Σ p; zero if nothing is seen, because then the first sum is zero too.
#[inline(always)]
pub fn control_of_cohesion<L: Lanes>(centre: [L; 2], seen: L, reach: i32) -> [L; 2] {
    clamp_components(ratio(centre, seen.multiply(L::splat(reach)).divisor()), RULE_LIMIT)
}

impl RowKernel for Cohesion {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, sight) = (context.read[0], context.sight());
        for x in context.chunks::<L>() {
            let (mut seen, mut centre) = (L::splat(0), zero());
            for s in &sight.vectors {
                let p: L = perceive(density.lanes(x + s[0], y + s[1]), context.parameters);
                seen = seen.add(p);
                centre = add(centre, scale([L::splat(s[0]), L::splat(s[1])], p));
            }
            pack(control_of_cohesion(centre, seen, sight.reach)).store(context.at(write[0], x));
        }
    }
}

/// Separation: away from near boids, the more so the nearer they are. Fills rows of v_s. Reads the density.
///
/// v_s = - Σ p(x+s) · s/|s|² / crowd — the paper's equation 3, scaled by a reference density.
pub struct Separation;

/// v_s (Q10) from Σ p·s/|s|² (Q10). `crowd` is below 2^19.
#[inline(always)]
pub fn control_of_separation<L: Lanes>(pressure: [L; 2], crowd: i32) -> [L; 2] {
    // Clamped to four crowds before the division, so that the quotient is within its domain.
    let held = clamp_components(pressure, RULE_LIMIT * crowd);
    negate(quotient(held, L::splat(crowd).divisor()))
}

impl RowKernel for Separation {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, sight) = (context.read[0], context.sight());
        for x in context.chunks::<L>() {
            let mut pressure = zero();
            for (s, pull) in sight.vectors.iter().zip(&sight.pulls) {
                let p: L = perceive(density.lanes(x + s[0], y + s[1]), context.parameters);
                pressure = add(pressure, scale([L::splat(pull[0]), L::splat(pull[1])], p));
            }
            pack(control_of_separation(pressure, context.parameters.crowd)).store(context.at(write[0], x));
        }
    }
}

/// Alignment: towards the mean velocity of the boids in sight. Fills rows of v_a. Reads the density and the control vector.
///
/// v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x) — the paper's equation 4.
pub struct Alignment;

/// A control vector (Q14) in the unit of sums and rules (Q10).
#[inline(always)]
pub fn to_q10<L: Lanes>(control: [L; 2]) -> [L; 2] {
    round_shift::<L, 2, 4>(control)
}

/// v_a (Q10) from Σ V·p (Q10), Σ p and the cell's own V (Q14); zero if nothing is seen.
#[inline(always)]
pub fn control_of_alignment<L: Lanes>(momentum: [L; 2], seen: L, own: [L; 2]) -> [L; 2] {
    let mean = quotient(momentum, seen.divisor());
    select(seen.equals(L::splat(0)), zero(), subtract(mean, to_q10(own)))
}

impl RowKernel for Alignment {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, control, sight) = (context.read[0], context.read[1], context.sight());
        for x in context.chunks::<L>() {
            let (mut seen, mut momentum) = (L::splat(0), zero());
            for s in &sight.vectors {
                let p: L = perceive(density.lanes(x + s[0], y + s[1]), context.parameters);
                seen = seen.add(p);
                momentum = add(momentum, scale(to_q10(unpack(control.lanes(x + s[0], y + s[1]))), p));
            }
            let v = control_of_alignment(momentum, seen, unpack(control.lanes(x, y)));
            pack(v).store(context.at(write[0], x));
        }
    }
}

/// The hunter: v_h, the control vector that [`HunterPlace::control`](world::HunterPlace::control) defines. Fills rows of v_h.
/// Reads nothing.
pub struct Hunter;

/// v_h (Q10) of a cell.
#[inline(always)]
pub fn hunter(cell: Cell, extents: Extents, edges: Edges, parameters: &Parameters) -> Vector {
    parameters.hunter().control(cell.map(|place| place * PARTS), extents, edges)
}

impl RowKernel for Hunter {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let parameters = context.parameters;
        let [_, height] = context.extents.as_parts();
        let rows_away = offset(parameters.hunter_y, y * PARTS, height, context.edges).abs();
        if rows_away > parameters.hunter_reach * PARTS {
            write[0].fill(0);
            return;
        }
        let cells = &mut context.at(write[0], 0)[..context.extents.width as usize];
        for (x, out) in (0..).zip(cells) {
            *out = pack(hunter([x, y], context.extents, context.edges, parameters));
        }
    }
}

/// Walls: v_w, the control vector that [`world::walls`] defines for each axis. Fills rows of v_w. Reads nothing.
pub struct Walls;

/// v_w (Q10) of a cell.
#[inline(always)]
pub fn walls(cell: Cell, extents: Extents, margin: i32) -> Vector {
    let ends = extents.as_parts();
    [0, 1].map(|axis| world::walls(cell[axis] * PARTS, ends[axis], margin * PARTS))
}

impl RowKernel for Walls {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let cells = &mut context.at(write[0], 0)[..context.extents.width as usize];
        for (x, out) in (0..).zip(cells) {
            *out = pack(walls([x, y], context.extents, context.parameters.margin));
        }
    }
}

/// Steer: the control vector of the next movement, from the sum of the rules' vectors. Fills rows of V'. Reads the control
/// vector and every vector that the chain lists after it.
///
/// V' = limit( round(keep·V) + Σ w_i·v_i )
pub struct Steer;

/// V' (Q14) from V (Q14) and Σ w·v (Q20).
#[inline(always)]
pub fn control_of_steering<L: Lanes>(own: [L; 2], weighted_sum: [L; 2], parameters: &Parameters) -> [L; 2] {
    let kept = round_shift::<L, 2, 10>(scale(own, L::splat(parameters.keep)));
    let wanted = add(kept, round_shift::<L, 2, 6>(weighted_sum));
    limit(wanted, parameters.cruise, parameters.max)
}

impl RowKernel for Steer {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (control, rules) = (context.read[0], &context.read[1..]);
        for x in context.chunks::<L>() {
            let mut sum = zero();
            for (rule, weight) in rules.iter().zip(context.parameters.weights) {
                sum = add(sum, scale(unpack(rule.lanes(x, y)), L::splat(weight)));
            }
            let v = control_of_steering(unpack(control.lanes(x, y)), sum, context.parameters);
            pack(v).store(context.at(write[0], x));
        }
    }
}
