//! The transport of boids between the cells of a deep world. The default chain runs `movement.rs` and `DeepWander`.
//!
//! A cell gives to up to seven neighbours ahead: along x, y and z, along two of these axes, and along all three. A list
//! of seven amounts is in the order of [`AXES_OF`].

pub(crate) mod behaviour;
mod movement;
mod neighbourhood;
mod shares;
mod sums;

pub use movement::{DeepMovement, scratch_words};
pub use neighbourhood::{DeepNeighbourhood, NineRows};

use super::context::{PassContext, RowKernel, is_any_awake, rests};
use super::transport::{amount_awake, has_room, remaining_capacity};
use crate::lanes::Lanes;
use crate::lanes::vector::select;
use crate::state::fields::Row;
use shares::shares;

/// The number of neighbours that a cell gives to.
pub const GIVEN: usize = 7;
/// The axes along which each of these neighbours lies: bit 0 is x, bit 1 is y, bit 2 is z. First the faces, then the
/// edges, then the corner.
pub const AXES_OF: [usize; GIVEN] = [0b001, 0b010, 0b100, 0b011, 0b101, 0b110, 0b111];

/// A share (Q16) of an amount, rounded down.
#[inline(always)]
fn share_of<L: Lanes>(amount: L, share: L) -> L {
    let high = amount.shift_right_unsigned::<16>().wrapping_multiply(share);
    let low = amount.and(L::splat(0xffff)).wrapping_multiply(share).shift_right_unsigned::<16>();
    high.wrapping_add(low)
}

/// n / (2·half) of an unsigned number, rounded down; `half` is odd.
///
/// The quotient of the lanes is rounded to nearest. n / 2 is below 2^31. It is lowered by half of the odd divisor, so
/// that no quotient lies on a half.
#[inline(always)]
fn quotient_by_even<L: Lanes>(n: L, half: i32) -> L {
    n.shift_right_unsigned::<1>().subtract(L::splat(half / 2)).quotient(L::splat(half).divisor())
}

/// V, reversed on each axis on which the cell straight ahead is solid or outside. `capacity`: of the cell and its
/// neighbours.
#[inline(always)]
pub(super) fn bounce<L: Lanes>(control: [L; 3], capacity: &DeepNeighbourhood<'_, L>) -> [L; 3] {
    let zero = L::splat(0);
    let mut turned = control;
    for axis in 0..3 {
        let is_blocked = capacity.ahead(control, 1 << axis).equals(zero);
        turned[axis] = is_blocked.select(zero.subtract(control[axis]), control[axis]);
    }
    turned
}

/// V after [`bounce`] in the cells from x on. `capacity`: the rows around them.
#[inline(always)]
fn bounce_at<L: Lanes>(
    context: &PassContext<'_>,
    control: [L; 3],
    capacity: &NineRows<'_>,
    x: i32,
    row: Row,
) -> [L; 3] {
    match context.capacities.around(x, L::COUNT, row) {
        0 => bounce(control, &capacity.at(x)),
        _ => control,
    }
}

/// The amounts that the cells from x on give to the neighbours ahead. `control`: V after [`bounce`].
#[inline(always)]
fn outflows<L: Lanes>(
    context: &PassContext<'_>,
    control: [L; 3],
    [density, capacity]: &[NineRows<'_>; 2],
    x: i32,
    row: Row,
) -> [L; GIVEN] {
    let density = density.at(x);
    let here = amount_awake(density.centre(), context.parameters);
    let mut outflows = shares(control, context.parameters.distribution);
    let uniform = context.capacities.around(x, L::COUNT, row);
    // 1/32 of the room is at most 1/26 of it, rounded down.
    if uniform != 0 && has_room::<L, 5>(here, uniform, greatest_around(&density)) {
        for outflow in &mut outflows {
            *outflow = share_of(here, *outflow);
        }
        return outflows;
    }
    let capacity = capacity.at(x);
    for (index, outflow) in outflows.iter_mut().enumerate() {
        let axes = AXES_OF[index];
        let room = remaining_capacity(capacity.ahead(control, axes), density.ahead(control, axes));
        *outflow = share_of(here, *outflow).min_unsigned(quotient_by_even(room, 13));
    }
    outflows
}

/// The max amount in the 26 neighbours.
#[inline(always)]
fn greatest_around<L: Lanes>(density: &DeepNeighbourhood<'_, L>) -> L {
    let mut greatest = L::splat(0);
    for z in -1..=1 {
        for y in -1..=1 {
            for x in -1..=1 {
                if [x, y, z] != [0; 3] {
                    greatest = greatest.max_unsigned(density.neighbour([x, y, z]));
                }
            }
        }
    }
    greatest
}

/// Outflow along the axes: the amounts that a cell gives to the three neighbours ahead that share a face, from D and V
/// by the distribution method.
///
/// D_i = min( floor(share_i·D), floor((capacity - D_receiver) / 26) ), or 0 where D < rest
///
/// Fills rows of V after the bounce and of the amounts given along x, y and z. Reads the density, the capacity and the
/// control vector.
pub struct OutflowAlongAxes;

impl RowKernel for OutflowAlongAxes {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let rows = [NineRows::new(context.read[0], row), NineRows::new(context.read[1], row)];
        let [out_control, amounts @ ..] = write else { unreachable!("it writes four fields") };
        for x in context.chunks::<L>() {
            let own = context.read[2].vectors(x, row);
            let rests = rests(rows[0].at::<L>(x).centre(), context.parameters);
            let v = select(rests, own, bounce_at(context, own, &rows[1], x, row));
            let outflows = outflows(context, v, &rows, x, row);
            context.store_vector(out_control, x, v);
            for (index, out) in amounts.iter_mut().enumerate() {
                outflows[index].store(context.at(out, x));
            }
        }
    }
}

/// Outflow along the diagonals: the amounts that a cell gives to the neighbours ahead along two axes and along all
/// three.
///
/// Fills rows of the amounts given along x and y, x and z, y and z, and all three. Reads the density, the capacity and
/// the control vector after the bounce.
pub struct OutflowAlongDiagonals;

impl RowKernel for OutflowAlongDiagonals {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let rows = [NineRows::new(context.read[0], row), NineRows::new(context.read[1], row)];
        for x in context.chunks::<L>() {
            let v = context.read[2].vectors::<L, 3>(x, row);
            let outflows = outflows(context, v, &rows, x, row);
            for (index, out) in write.iter_mut().enumerate() {
                outflows[3 + index].store(context.at(out, x));
            }
        }
    }
}

/// The six neighbours that share a face.
const FACES: [[i32; 3]; 6] = [[0, 0, -1], [0, -1, 0], [-1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];

/// The amount that cells of density `giver` give to neighbours with this room.
#[inline(always)]
fn amount_wandering<L: Lanes>(giver: L, room: L, fraction: L) -> L {
    giver.multiply_fraction(fraction).min_unsigned(quotient_by_even(room, 3))
}

/// Wander: every cell gives a small fraction of its amount to each face neighbour, at most 1/6 of the room there. V
/// stays. A cell that rests gives nothing.
///
/// D'' = D' - given + received
///
/// Fills rows of D''. Reads the density and the capacity.
pub struct DeepWander;

impl RowKernel for DeepWander {
    #[inline(always)]
    fn is_kept(context: &PassContext<'_>, [y, z]: Row) -> bool {
        let rows = [[y, z], [y - 1, z], [y + 1, z], [y, z - 1], [y, z + 1]];
        !rows.into_iter().any(|row| context.is_row_awake(row))
    }

    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let field = |index: usize| NineRows::new(context.read[index], row);
        let (density, capacity) = (field(0), field(1));
        let fraction = L::splat(context.parameters.wander as i32);
        for x in context.chunks::<L>() {
            let (density, capacity) = (density.at::<L>(x), capacity.at::<L>(x));
            let here = density.centre();
            let mut greatest = here;
            for face in FACES {
                greatest = greatest.max_unsigned(density.neighbour(face));
            }
            if !is_any_awake(greatest, context.parameters) {
                here.store(context.at(write[0], x));
                continue;
            }
            let (awake_here, room_here) =
                (amount_awake(here, context.parameters), remaining_capacity(capacity.centre(), here));
            let mut now = here;
            for face in FACES {
                let there = density.neighbour(face);
                let lost = amount_wandering(awake_here, remaining_capacity(capacity.neighbour(face), there), fraction);
                let gained = amount_wandering(amount_awake(there, context.parameters), room_here, fraction);
                now = now.wrapping_subtract(lost).wrapping_add(gained);
            }
            now.store(context.at(write[0], x));
        }
    }
}
