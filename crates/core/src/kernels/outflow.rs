//! Outflow: what a cell gives to the neighbours ahead, from D and V by the distribution method.
//!
//! Rule 2 and equation 7 of the paper: what the neighbours get is exactly what the cell loses. With a = max(|V_x|, |V_y|)
//! and b = min(|V_x|, |V_y|):
//! `nearest`   a to the diagonal neighbour if (a+b)² > 2a², else to the axis one
//! `split`     a - b to the axis neighbour, b to the diagonal one
//! `bilinear`  a_xy = |V_x|·|V_y| to the diagonal neighbour, |V_x| - a_xy and |V_y| - a_xy to the axis ones
//! A share is that fraction of D, rounded down, and at most an eighth of the room at the receiver.

use super::{RowKernel, Scene};
use crate::fields::Cells;
use crate::lanes::Lanes;
use crate::vector::{pack, unpack};

/// The distribution methods, as [`crate::kernels::parameters::Parameters::distribution`] counts them.
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
            let is_level = x.less_than(y);
            [is_level.select(L::splat(0), axis), is_level.select(axis, L::splat(0)), is_diagonal.and(a)]
        }
        SPLIT => [x.subtract(b), y.subtract(b), b],
        _ => {
            let both = x.multiply(y).shift_right::<14>();
            [x.subtract(both), y.subtract(both), both]
        }
    }
}

/// What the cells ahead hold: those beside by the sign of V_x, those beyond by that of V_y, and those across by both.
#[inline(always)]
pub fn ahead<L: Lanes>(field: Cells<'_, L>, control: [L; 2]) -> [L; 3] {
    [
        control[0].select(field.beside([-1, 0]), field.beside([1, 0])),
        control[1].select(field.beside([0, -1]), field.beside([0, 1])),
        control[1].select(
            control[0].select(field.beside([-1, -1]), field.beside([1, -1])),
            control[0].select(field.beside([-1, 1]), field.beside([1, 1])),
        ),
    ]
}

/// V reversed on each axis alone where the cell straight ahead is solid or outside.
#[inline(always)]
pub fn turned<L: Lanes>(control: [L; 2], capacity: Cells<'_, L>) -> [L; 2] {
    let [beside, beyond, _] = ahead(capacity, control);
    let none = L::splat(0);
    [
        beside.equals(none).select(none.subtract(control[0]), control[0]),
        beyond.equals(none).select(none.subtract(control[1]), control[1]),
    ]
}

/// What a cell gives to one neighbour: its share, and at most an eighth of the room there. A full or solid cell gets nothing.
#[inline(always)]
fn give<L: Lanes>(here: L, share: L, capacity: L, density: L) -> L {
    let room = capacity.saturating_subtract_unsigned(density).shift_right_unsigned::<3>();
    here.multiply_fraction(share).min_unsigned(room)
}

/// What cells give along x, y and both, from V as it is after it was turned.
#[inline(always)]
pub fn given<L: Lanes, const METHOD: u32>(control: [L; 2], density: Cells<'_, L>, capacity: Cells<'_, L>) -> [L; 3] {
    let here = density.here();
    let (density, capacity) = (ahead(density, control), ahead(capacity, control));
    let shares = shares::<L, METHOD>(control);
    [
        give(here, shares[0], capacity[0], density[0]),
        give(here, shares[1], capacity[1], density[1]),
        give(here, shares[2], capacity[2], density[2]),
    ]
}

/// Fills rows of V (reversed where the way is blocked) and of the amounts given along x, y and both.
/// Reads the density, the capacity and the control vector.
pub struct Outflow<const METHOD: u32>;

impl<const METHOD: u32> RowKernel for Outflow<METHOD> {
    #[inline(always)]
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, capacity, control) = (scene.read[0].around(y), scene.read[1].around(y), scene.read[2]);
        let [out_control, out_x, out_y, out_xy] = write else { unreachable!("outflow writes four fields") };
        for x in scene.chunks::<L>() {
            let v = turned(unpack(control.lanes(x, y)), capacity.cells(x));
            let given = given::<L, METHOD>(v, density.cells(x), capacity.cells(x));
            pack(v).store(scene.at(out_control, x));
            given[0].store(scene.at(out_x, x));
            given[1].store(scene.at(out_y, x));
            given[2].store(scene.at(out_xy, x));
        }
    }
}
