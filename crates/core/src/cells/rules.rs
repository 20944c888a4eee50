//! The rules and the steering. Each rule is a control vector (Q10) of a cell. The steering follows the weighted sum of
//! these vectors. Both are the same on two and on three axes.
//!
//! The default chain calls the `control_of_…` functions, `hunter_at`, `walls_at` and `roost` from `rule_sums.rs`. There
//! the sums over the sights come from `sums.rs` and `boxes.rs`, or in deep worlds from `deep/sums.rs` and
//! `contrast.rs`. Species that meet play cohesion, separation and alignment as passes of the default chain, so these
//! work on lanes.
//!
//! In the formulas x is a cell, s a perceptual vector (an offset in the sight of the rule), D the density, p the
//! perceived density, and V the control vector. v_c, v_s, … are the vectors of rules, and w_i is the weight of the rule
//! i.

use super::band::RowKernel;
use super::context::{PassContext, perceive, rests};
use crate::cells::numbers::Parameters;
use crate::lanes::vector::{
    SMALL, add, clamp_components, limit, negate, quotient, quotient_of_small, ratio_by, round_shift, scale,
    scale_halves, select, splat, subtract, zero,
};
use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::{RULE_LIMIT, RULE_ONE, Vector3, each_axis};
use crate::state::fields::{Layout, Row};
use crate::world::{self, Edges, HunterNumbers, PARTS, control_of_hunters, offset, place_of};

/// Cohesion: towards the centre of the boids in sight. Fills rows of v_c. Reads the density.
///
/// v_c = Σ s·p(x+s) / Σ p(x+s) / R — the paper's equation 2, scaled by the sight's reach R; for a contrast see
/// [`crate::cells::sight::Contrast`].
pub struct Cohesion<const AXES: usize>;

/// v_c (Q10) from Σ s·p and Σ p. If nothing is seen both sums are 0, and so is v_c. No component of s exceeds R, so v_c
/// is at most 1.
#[inline(always)]
pub fn control_of_cohesion<L: Lanes, const AXES: usize>(centre: [L; AXES], seen: L, reach: i32) -> [L; AXES] {
    ratio_by(centre, seen.multiply(L::splat(reach)))
}

/// v_c (Q10) of a contrast, from its numerator on each axis and its divisor.
#[inline(always)]
pub fn control_of_contrast<L: Lanes, const AXES: usize>(centre: [L; AXES], seen: L) -> [L; AXES] {
    clamp_components(ratio_by(centre, seen), RULE_LIMIT)
}

impl<const AXES: usize> RowKernel for Cohesion<AXES> {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, [y, z]: Row, write: &mut [&mut [i32]]) {
        let (density, sight) = (context.read[0], context.sight());
        for x in context.chunks::<L>() {
            let (mut seen, mut centre) = (L::splat(0), zero::<L, AXES>());
            if let Some(contrast) = &sight.contrast {
                for (index, s) in sight.vectors.iter().enumerate() {
                    let [along_x, along_y, along_z, weight] = contrast.weights[index];
                    let p: L = perceive(density.lanes_of(x + s[0], [y + s[1], z + s[2]]), context.parameters);
                    seen = seen.add(p.multiply(L::splat(weight)));
                    centre = add(centre, scale(splat([along_x, along_y, along_z]), p));
                }
                context.store_vector(write[0], x, control_of_contrast(centre, seen));
                continue;
            }
            for s in &sight.vectors {
                let p: L = perceive(density.lanes_of(x + s[0], [y + s[1], z + s[2]]), context.parameters);
                seen = seen.add(p);
                centre = add(centre, scale(splat(*s), p));
            }
            context.store_vector(write[0], x, control_of_cohesion(centre, seen, sight.reach));
        }
    }
}

/// Separation: away from near boids, more strongly from nearer ones. Fills rows of v_s. Reads the density.
///
/// v_s = - Σ p(x+s) · s/|s|² / crowd — the paper's equation 3, scaled by a reference density.
pub struct Separation<const AXES: usize>;

/// v_s (Q10) from Σ p·s/|s|² (Q10). `crowd` is below 2^19.
#[inline(always)]
pub fn control_of_separation<L: Lanes, const AXES: usize>(pressure: [L; AXES], crowd: i32) -> [L; AXES] {
    // The pressure is clamped to four crowds, so that the quotient is within its domain.
    let held = clamp_components(pressure, RULE_LIMIT * crowd);
    negate(if RULE_LIMIT * crowd < SMALL {
        quotient_of_small(held, L::splat(crowd))
    } else {
        quotient(held, L::splat(crowd).divisor())
    })
}

impl<const AXES: usize> RowKernel for Separation<AXES> {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, [y, z]: Row, write: &mut [&mut [i32]]) {
        let (density, sight) = (context.read[0], context.sight());
        for x in context.chunks::<L>() {
            let mut pressure = zero::<L, AXES>();
            for (index, s) in sight.vectors.iter().enumerate() {
                let p: L = perceive(density.lanes_of(x + s[0], [y + s[1], z + s[2]]), context.parameters);
                pressure = add(pressure, scale(splat(sight.pulls[index]), p));
            }
            context.store_vector(write[0], x, control_of_separation(pressure, context.parameters.crowd));
        }
    }
}

/// Alignment: towards the mean velocity of the boids in sight. Fills rows of v_a. Reads the density and the control
/// vector. Alignment with another layer reads the density and the control vector of the other layer, and then the own
/// control vector.
///
/// v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x) — the paper's equation 4.
pub struct Alignment<const AXES: usize>;

/// A control vector (Q14) as Q10, the unit of sums and rules.
#[inline(always)]
pub fn to_q10<L: Lanes, const AXES: usize>(control: [L; AXES]) -> [L; AXES] {
    round_shift::<L, AXES, 4>(control)
}

/// v_a (Q10) from Σ V·p (Q10), Σ p and the cell's own V (Q14); zero if nothing is seen.
#[inline(always)]
pub fn control_of_alignment<L: Lanes, const AXES: usize>(momentum: [L; AXES], seen: L, own: [L; AXES]) -> [L; AXES] {
    // No component of the momentum is greater than 1024 Σ p.
    let mean = if L::splat(SMALL / RULE_ONE - 1).less_than(seen).any() {
        quotient(momentum, seen.divisor())
    } else {
        quotient_of_small(momentum, seen)
    };
    select(seen.equals(L::splat(0)), zero(), subtract(mean, to_q10(own)))
}

impl<const AXES: usize> RowKernel for Alignment<AXES> {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, [y, z]: Row, write: &mut [&mut [i32]]) {
        let (density, control, sight) = (context.read[0], context.read[1], context.sight());
        let own = context.read[context.read.len() - 1];
        for x in context.chunks::<L>() {
            let (mut seen, mut momentum) = (L::splat(0), zero::<L, AXES>());
            for s in &sight.vectors {
                let (x, row) = (x + s[0], [y + s[1], z + s[2]]);
                let p: L = perceive(density.lanes_of(x, row), context.parameters);
                seen = seen.add(p);
                momentum = add(momentum, scale(to_q10(control.vectors(x, row)), p));
            }
            context.store_vector(write[0], x, control_of_alignment(momentum, seen, own.vectors(x, [y, z])));
        }
    }
}

/// The hunters: the vector v_h (Q10) of a cell, which [`control_of_hunters`] defines. `ends`: the length of the world
/// along each axis, in 1/16 cell.
#[inline(always)]
pub fn hunter(cell: Vector3, ends: Vector3, edges: Edges, parameters: &Parameters) -> Vector3 {
    control_of_hunters(parameters.hunters(), parameters.own_species as usize, place_of(cell), ends, edges)
}

/// v_h (Q10) of a cell of the lattice.
#[inline(always)]
pub fn hunter_at(context: &PassContext<'_>, [x, y, z]: Vector3) -> Vector3 {
    let Layout { ends, edges, .. } = context.layout;
    let [y, z] = context.layout.in_world([y, z]);
    hunter([x, y, z], ends, edges, context.parameters)
}

/// Whether any cell of a row may be at most `cells` cells away from a hunter.
#[inline(always)]
pub fn is_row_near(hunter: &HunterNumbers, row: Row, cells: i32, layout: &Layout) -> bool {
    let (ends, edges, [y, z]) = (layout.ends, layout.edges, layout.in_world(row));
    let is_near =
        |axis: usize, cell: i32| offset(hunter.place[axis], cell * PARTS, ends[axis], edges).abs() <= cells * PARTS;
    is_near(1, y) && (hunter.is_column != 0 || is_near(2, z))
}

/// Whether any cell of a chunk may be within the reach of a hunter.
#[inline(always)]
pub fn is_hunted(context: &PassContext<'_>, [x, y, z]: Vector3) -> bool {
    const HALF: i32 = MAX_LANES as i32 / 2;
    let Layout { ends, edges, .. } = context.layout;
    context.parameters.hunters().iter().any(|hunter| {
        let columns = offset(hunter.place[0], (x + HALF) * PARTS, ends[0], edges).abs();
        columns <= (hunter.reach + HALF) * PARTS && is_row_near(hunter, [y, z], hunter.reach, &context.layout)
    })
}

/// Walls: the vector v_w (Q10) of a cell, which [`world::walls`] defines for each axis. `ends`: the length of the world
/// along each axis, in 1/16 cell. `margin`: in cells.
#[inline(always)]
pub fn walls(cell: Vector3, ends: Vector3, margin: i32) -> Vector3 {
    let place = place_of(cell);
    let mut v = [0; 3];
    for axis in 0..3 {
        v[axis] = world::walls(place[axis], ends[axis], margin * PARTS);
    }
    v
}

/// v_w (Q10) of a cell of the lattice.
#[inline(always)]
pub fn walls_at(context: &PassContext<'_>, [x, y, z]: Vector3) -> Vector3 {
    let [y, z] = context.layout.in_world([y, z]);
    walls([x, y, z], context.layout.ends, context.parameters.margin)
}

/// Whether any cell of a chunk may be within the margin of a wall.
#[inline(always)]
pub fn is_near_wall(context: &PassContext<'_>, [x, y, z]: Vector3) -> bool {
    let extents = context.layout.slab.world;
    let along_axes = extents.along_axes();
    let [y, z] = context.layout.in_world([y, z]);
    let [width, height, depth] = each_axis(|axis| along_axes[axis] as i32);
    let distances = [x, width - x - MAX_LANES as i32, y, height - 1 - y, z, depth - 1 - z];
    let mut is_near = false;
    for index in 0..2 * extents.axes() {
        is_near |= distances[index] < context.parameters.margin;
    }
    is_near
}

/// The roost: the vectors v_r (Q10) of the cells of a row from x on, which [`Roost::control`](world::Roost::control)
/// defines.
#[inline(always)]
pub fn roost<L: Lanes, const AXES: usize>(context: &PassContext<'_>, x: i32, [y, z]: Row) -> [L; AXES] {
    let (roost, ends, edges) = (context.parameters.roost(), context.layout.ends, context.layout.edges);
    let [y, z] = context.layout.in_world([y, z]);
    let mut places = [0; MAX_LANES];
    for lane in 0..L::COUNT {
        places[lane] = (x + lane as i32) * PARTS;
    }
    let mut v = [roost.component(0, L::load(&places), ends, edges); AXES];
    for axis in 1..AXES {
        v[axis] = L::splat(roost.component(axis, [x, y, z][axis] * PARTS, ends, edges));
    }
    v
}

/// Fills a row of a rule's vectors. `rule`: the vector (Q10) of a cell.
pub fn fill_rule(
    context: &PassContext<'_>,
    row: Row,
    write: &mut [&mut [i32]],
    rule: impl Fn(&PassContext<'_>, Vector3) -> Vector3,
) {
    for cell in context.cells(row) {
        context.put_vector(write[0], cell[0], rule(context, cell));
    }
}

/// V' (Q14) from V (Q14) and Σ w·v (Q20).
#[inline(always)]
pub fn control_of_steering<L: Lanes, const AXES: usize>(
    own: [L; AXES],
    weighted_sum: [L; AXES],
    parameters: &Parameters,
) -> [L; AXES] {
    let kept = match parameters.keep {
        RULE_ONE => own,
        keep => round_shift::<L, AXES, 10>(scale_halves(own, L::splat(keep))),
    };
    let wanted = add(kept, round_shift::<L, AXES, 6>(weighted_sum));
    limit(wanted, parameters.cruise, parameters.max)
}

/// Steer: the control vector of the next movement, from the sum of the rules' vectors. Fills a row of V'. Reads the
/// density, the control vector and every vector that the chain lists after it.
///
/// V' = noise( limit( round(keep·V) + Σ w_i·v_i ) ), or V where D < rest
pub fn steer(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
    let (density, control, rules) = (context.read[0], context.read[1], &context.read[2..]);
    for cell in context.cells(row) {
        let mut sum = [0; 3];
        for (rule, weight) in rules.iter().zip(&context.parameters.weights) {
            sum = add(sum, scale(context.vector(*rule, cell), *weight));
        }
        let own = context.vector(control, cell);
        context.put_vector(write[0], cell[0], control_of_steering(own, sum, context.parameters));
    }
    let width = context.layout.extents.width as i32;
    match context.layout.extents.axes() {
        _ if !context.parameters.noise.is_any() => {}
        2 => context.add_noise::<2>(row, 0..width, write[0], None),
        _ => context.add_noise::<3>(row, 0..width, write[0], None),
    }
    for cell in context.cells(row) {
        if rests(density.lanes_of::<i32>(cell[0], row), context.parameters) != 0 {
            context.put_vector(write[0], cell[0], context.vector(control, cell));
        }
    }
}
