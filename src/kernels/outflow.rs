//! Outflow: what a cell gives to the neighbours ahead, from D and V by the distribution method.
//!
//! Rule 2 and equation 7 of the paper: what the neighbours get is exactly what the cell loses. With a = max(|V_x|, |V_y|)
//! and b = min(|V_x|, |V_y|):
//! `nearest`   a to the diagonal neighbour if (a+b)² > 2a², else to the axis one
//! `split`     a - b to the axis neighbour, b to the diagonal one
//! `bilinear`  a_xy = |V_x|·|V_y| to the diagonal neighbour, |V_x| - a_xy and |V_y| - a_xy to the axis ones
//! A share is that fraction of D, rounded down, and at most an eighth of the room at the receiver.

use super::{RowKernel, Scene};
use crate::fields::{FieldView, LANES};
use crate::numbers::{Vector, if_negative, multiply_fraction, pack, unpack};

/// The distribution methods, as [`crate::kernels::parameters::Parameters::distribution`] counts them.
pub const NEAREST: u32 = 0;
pub const SPLIT: u32 = 1;
pub const BILINEAR: u32 = 2;

/// The fractions (Q14) of a cell that go along x, along y and along both; together at most one.
#[inline(always)]
pub fn shares<const METHOD: u32>(control: Vector) -> [u32; 3] {
    let (x, y) = (control[0].unsigned_abs(), control[1].unsigned_abs());
    let (a, b) = (x.max(y), x.min(y));
    match METHOD {
        NEAREST => {
            let diagonal = (a + b) * (a + b) > 2 * a * a;
            let along = |is: bool| if is { a } else { 0 };
            [along(!diagonal && x >= y), along(!diagonal && x < y), along(diagonal)]
        }
        SPLIT => [x - b, y - b, b],
        _ => {
            let both = (x * y) >> 14;
            [x - both, y - both, both]
        }
    }
}

/// The most that a receiver with this much room may get from one of eight neighbours; a full or solid cell gets nothing.
#[inline(always)]
fn room(capacity: u32, density: u32) -> u32 {
    capacity.saturating_sub(density) / 8
}

/// The chunks of the cells around those from x on: above, level and below, each left, straight and right.
#[inline(always)]
pub fn around<'a>(field: FieldView<'a>, x: i32, y: i32) -> [[&'a [u32; LANES]; 3]; 3] {
    // Spelt out, because a closure may be left out of the function that is compiled for an instruction set.
    [
        [field.lanes(x - 1, y - 1), field.lanes(x, y - 1), field.lanes(x + 1, y - 1)],
        [field.lanes(x - 1, y), field.lanes(x, y), field.lanes(x + 1, y)],
        [field.lanes(x - 1, y + 1), field.lanes(x, y + 1), field.lanes(x + 1, y + 1)],
    ]
}

/// V of a chunk of cells (packed), reversed on each axis alone where the cell straight ahead is solid or outside.
#[inline(always)]
pub fn turned(control: &[u32; LANES], capacity: &[[&[u32; LANES]; 3]; 3]) -> [u32; LANES] {
    let mut turned = [0u32; LANES];
    for i in 0..LANES {
        let [vx, vy] = unpack(control[i]);
        let ahead_x = if_negative(vx, capacity[1][0][i], capacity[1][2][i]);
        let ahead_y = if_negative(vy, capacity[0][1][i], capacity[2][1][i]);
        turned[i] = pack([if ahead_x > 0 { vx } else { -vx }, if ahead_y > 0 { vy } else { -vy }]);
    }
    turned
}

/// What a chunk of cells gives along x, y and both, from V as it is after it was turned.
#[inline(always)]
pub fn given<const METHOD: u32>(
    control: &[u32; LANES],
    density: &[[&[u32; LANES]; 3]; 3],
    capacity: &[[&[u32; LANES]; 3]; 3],
) -> [[u32; LANES]; 3] {
    // On the stack, where nothing that is read can overlap it, so that the loop becomes vector code.
    let mut given = [[0u32; LANES]; 3];
    for i in 0..LANES {
        let v = unpack(control[i]);
        let [share_x, share_y, share_xy] = shares::<METHOD>(v);
        let beside = |field: &[[&[u32; LANES]; 3]; 3]| if_negative(v[0], field[1][0][i], field[1][2][i]);
        let beyond = |field: &[[&[u32; LANES]; 3]; 3]| if_negative(v[1], field[0][1][i], field[2][1][i]);
        let across = |field: &[[&[u32; LANES]; 3]; 3]| {
            let above = if_negative(v[0], field[0][0][i], field[0][2][i]);
            let below = if_negative(v[0], field[2][0][i], field[2][2][i]);
            if_negative(v[1], above, below)
        };
        let here = density[1][1][i];
        let give = |share, capacity, density| multiply_fraction(here, share).min(room(capacity, density));
        given[0][i] = give(share_x, beside(capacity), beside(density));
        given[1][i] = give(share_y, beyond(capacity), beyond(density));
        given[2][i] = give(share_xy, across(capacity), across(density));
    }
    given
}

/// Fills rows of V (reversed where the way is blocked) and of the amounts given along x, y and both.
/// Reads the density, the capacity and the control vector.
pub struct Outflow<const METHOD: u32>;

impl<const METHOD: u32> RowKernel for Outflow<METHOD> {
    #[inline(always)]
    fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
        let [density, capacity, control] = [scene.read[0], scene.read[1], scene.read[2]];
        let [out_control, out_x, out_y, out_xy] = write else { unreachable!("outflow writes four fields") };
        for x in scene.chunks() {
            // The 3 × 3 cells around, row by row.
            let (capacity, density) = (around(capacity, x, y), around(density, x, y));
            let turned = turned(control.lanes(x, y), &capacity);
            let given = given::<METHOD>(&turned, &density, &capacity);
            scene.lanes_mut(out_control, x).copy_from_slice(&turned);
            scene.lanes_mut(out_x, x).copy_from_slice(&given[0]);
            scene.lanes_mut(out_y, x).copy_from_slice(&given[1]);
            scene.lanes_mut(out_xy, x).copy_from_slice(&given[2]);
        }
    }
}
