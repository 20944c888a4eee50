//! Outflow: the amounts that a cell gives to the neighbours ahead, from D and V by the distribution method.
//!
//! D_i = min( share_i·D, (capacity - D_receiver) / 8 )
//!
//! Rule 2 and equation 7 of the paper: the neighbours get exactly what the cell loses. With a = max(|V_x|, |V_y|) and
//! b = min(|V_x|, |V_y|), the paper's Figure 3:
//!
//! - `nearest`: a to the diagonal neighbour if (a+b)² > 2a², else to the axis neighbour.
//! - `split`: a - b to the axis neighbour, b to the diagonal one.
//! - `bilinear`: a_xy = |V_x|·|V_y| to the diagonal neighbour, |V_x| - a_xy and |V_y| - a_xy to the axis neighbours.
//!
//! A share is that fraction of D, rounded down. V is reversed on each axis on which the way is blocked.

use super::context::{PassContext, RowKernel};
use crate::fields::Neighbourhood;
use crate::lanes::Lanes;
use crate::vector::{pack, unpack};

/// The distribution methods, as [`super::parameters::Parameters::distribution`] numbers them.
pub const NEAREST: u32 = 0;
pub const SPLIT: u32 = 1;
pub const BILINEAR: u32 = 2;

/// The fractions (Q14) of a cell that go along x, along y and along both; together at most one.
#[inline(always)]
pub fn shares<L: Lanes, const METHOD: u32>(control: [L; 2]) -> [L; 3] {
    let (x, y) = (control[0].abs(), control[1].abs());
    let (a, b) = (x.max(y), x.min(y));
    match METHOD {
        NEAREST => {
            let both = a.add(b);
            let is_diagonal = a.multiply(a).shift_left::<1>().less_than(both.multiply(both));
            let axis = is_diagonal.select(L::splat(0), a);
            let is_along_y = x.less_than(y);
            [is_along_y.select(L::splat(0), axis), is_along_y.select(axis, L::splat(0)), is_diagonal.and(a)]
        }
        SPLIT => [x.subtract(b), y.subtract(b), b],
        _ => {
            let both = x.multiply(y).shift_right::<14>();
            [x.subtract(both), y.subtract(both), both]
        }
    }
}

/// The values of a field in the three cells ahead: along x by the sign of V_x, along y by that of V_y, along both.
#[inline(always)]
pub fn ahead<L: Lanes>(field: Neighbourhood<'_, L>, control: [L; 2]) -> [L; 3] {
    [
        control[0].select(field.neighbour([-1, 0]), field.neighbour([1, 0])),
        control[1].select(field.neighbour([0, -1]), field.neighbour([0, 1])),
        control[1].select(
            control[0].select(field.neighbour([-1, -1]), field.neighbour([1, -1])),
            control[0].select(field.neighbour([-1, 1]), field.neighbour([1, 1])),
        ),
    ]
}

/// V, reversed on each axis alone if the cell straight ahead, of this capacity, is solid or outside.
#[inline(always)]
pub fn bounce<L: Lanes>(control: [L; 2], capacity: Neighbourhood<'_, L>) -> [L; 2] {
    let [along_x, along_y, _] = ahead(capacity, control);
    let zero = L::splat(0);
    [
        along_x.equals(zero).select(zero.subtract(control[0]), control[0]),
        along_y.equals(zero).select(zero.subtract(control[1]), control[1]),
    ]
}

/// The amount that a cell can still take; 0 for a solid.
#[inline(always)]
pub fn room<L: Lanes>(capacity: L, density: L) -> L {
    capacity.saturating_subtract_unsigned(density)
}

/// The amount that a cell gives to a neighbour: a share (Q14) of it, and at most an eighth of the room there.
#[inline(always)]
fn amount_given<L: Lanes>(here: L, share: L, room: L) -> L {
    here.multiply_fraction(share).min_unsigned(room.shift_right_unsigned::<3>())
}

/// The amounts that cells give along x, y and both, for V after [`bounce`].
#[inline(always)]
pub fn outflows<L: Lanes, const METHOD: u32>(
    control: [L; 2],
    density: Neighbourhood<'_, L>,
    capacity: Neighbourhood<'_, L>,
) -> [L; 3] {
    let here = density.centre();
    let (density, capacity) = (ahead(density, control), ahead(capacity, control));
    let shares = shares::<L, METHOD>(control);
    [
        amount_given(here, shares[0], room(capacity[0], density[0])),
        amount_given(here, shares[1], room(capacity[1], density[1])),
        amount_given(here, shares[2], room(capacity[2], density[2])),
    ]
}

/// Fills rows of V after [`bounce`] and of the amounts given along x, y and both. Reads the density, the capacity and the
/// control vector.
pub struct Outflow<const METHOD: u32>;

impl<const METHOD: u32> RowKernel for Outflow<METHOD> {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, capacity) = (context.read[0].three_rows(y), context.read[1].three_rows(y));
        let control = context.read[2];
        let [out_control, out_x, out_y, out_xy] = write else { unreachable!("outflow writes four fields") };
        for x in context.chunks::<L>() {
            let v = bounce(unpack(control.lanes(x, y)), capacity.at(x));
            let outflows = outflows::<L, METHOD>(v, density.at(x), capacity.at(x));
            pack(v).store(context.at(out_control, x));
            outflows[0].store(context.at(out_x, x));
            outflows[1].store(context.at(out_y, x));
            outflows[2].store(context.at(out_xy, x));
        }
    }
}
