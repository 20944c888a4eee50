//! Outflow: what a cell gives to the neighbours ahead, from D and V by the distribution method.
//!
//! Rule 2 and equation 7 of the paper: what the neighbours get is exactly what the cell loses. With a = max(|V_x|, |V_y|)
//! and b = min(|V_x|, |V_y|):
//! `nearest`   a to the diagonal neighbour if (a+b)² > 2a², else to the axis one
//! `split`     a - b to the axis neighbour, b to the diagonal one
//! `bilinear`  a_xy = |V_x|·|V_y| to the diagonal neighbour, |V_x| - a_xy and |V_y| - a_xy to the axis ones
//! A share is that fraction of D, rounded down, and at most an eighth of the room at the receiver.

use super::{RowKernel, Scene};
use crate::fields::LANES;
use crate::numbers::{Vector, multiply_fraction, pack, unpack};

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

/// Fills rows of V (reversed where the way is blocked) and of the amounts given along x, y and both.
/// Reads the density, the capacity and the control vector.
pub struct Outflow<const METHOD: u32>;

impl<const METHOD: u32> RowKernel for Outflow<METHOD> {
    #[inline(always)]
    fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
        let [density, capacity, control] = [scene.read[0], scene.read[1], scene.read[2]];
        let [out_control, out_x, out_y, out_xy] = write else { unreachable!("outflow writes four fields") };
        for x in scene.chunks() {
            let mut rooms = [[[0u32; LANES]; 3]; 3];
            let mut open = [[[false; LANES]; 3]; 3];
            for (down, rooms) in rooms.iter_mut().enumerate() {
                for (right, rooms) in rooms.iter_mut().enumerate() {
                    let (column, row) = (x + right as i32 - 1, y + down as i32 - 1);
                    let (capacity, density) = (capacity.lanes(column, row), density.lanes(column, row));
                    for i in 0..LANES {
                        rooms[i] = room(capacity[i], density[i]);
                        open[down][right][i] = capacity[i] > 0;
                    }
                }
            }
            let (density, control) = (density.lanes(x, y), control.lanes(x, y));
            let out_control = scene.lanes_mut(out_control, x);
            let out_x = scene.lanes_mut(out_x, x);
            let out_y = scene.lanes_mut(out_y, x);
            let out_xy = scene.lanes_mut(out_xy, x);
            for i in 0..LANES {
                let [vx, vy] = unpack(control[i]);
                // Each axis alone: where the cell straight ahead is solid or outside, that component is reversed.
                let open_x = if vx < 0 { open[1][0][i] } else { open[1][2][i] };
                let open_y = if vy < 0 { open[0][1][i] } else { open[2][1][i] };
                let v = [if open_x { vx } else { -vx }, if open_y { vy } else { -vy }];
                let [share_x, share_y, share_xy] = shares::<METHOD>(v);
                let (left, up) = (v[0] < 0, v[1] < 0);
                let room_x = if left { rooms[1][0][i] } else { rooms[1][2][i] };
                let room_y = if up { rooms[0][1][i] } else { rooms[2][1][i] };
                let room_above = if left { rooms[0][0][i] } else { rooms[0][2][i] };
                let room_below = if left { rooms[2][0][i] } else { rooms[2][2][i] };
                let room_xy = if up { room_above } else { room_below };
                out_control[i] = pack(v);
                out_x[i] = multiply_fraction(density[i], share_x).min(room_x);
                out_y[i] = multiply_fraction(density[i], share_y).min(room_y);
                out_xy[i] = multiply_fraction(density[i], share_xy).min(room_xy);
            }
        }
    }
}
