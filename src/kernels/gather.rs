//! Gather: moves D as GPU Gems (chapter 38), which the paper cites, moves a texture: each cell looks back along its own
//! control vector and takes a bilinear sample of what it finds there.
//!
//! D' = (1 - a_x - a_y + a_xy)·D(x) + (a_x - a_xy)·D(x - e_x) + (a_y - a_xy)·D(x - e_y) + a_xy·D(x - e_x - e_y)
//!
//! Nothing makes what the cells take equal to what the cells lose: this is how the paper's boids vanished.

use super::outflow::{BILINEAR, shares};
use super::{RowKernel, Scene};
use crate::fields::LANES;
use crate::numbers::{ONE, multiply_fraction, unpack};

/// Fills rows of D'. Reads the density, the capacity (a solid holds nothing) and the control vector.
pub struct Gather;

impl RowKernel for Gather {
    #[inline(always)]
    fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
        let (density, capacity, control) = (scene.read[0], scene.read[1], scene.read[2]);
        for x in scene.chunks() {
            let mut around = [[[0u32; LANES]; 3]; 3];
            for (down, around) in around.iter_mut().enumerate() {
                for (right, around) in around.iter_mut().enumerate() {
                    let (column, row) = (x + right as i32 - 1, y + down as i32 - 1);
                    let (capacity, density) = (capacity.lanes(column, row), density.lanes(column, row));
                    for i in 0..LANES {
                        around[i] = if capacity[i] > 0 { density[i] } else { 0 };
                    }
                }
            }
            let (control, room) = (control.lanes(x, y), capacity.lanes(x, y));
            let out = scene.lanes_mut(write[0], x);
            for i in 0..LANES {
                let v = unpack(control[i]);
                let [share_x, share_y, share_xy] = shares::<BILINEAR>(v);
                let (left, up) = (v[0] < 0, v[1] < 0);
                let behind_x = if left { around[1][2][i] } else { around[1][0][i] };
                let behind_y = if up { around[2][1][i] } else { around[0][1][i] };
                let below = if left { around[2][2][i] } else { around[2][0][i] };
                let above = if left { around[0][2][i] } else { around[0][0][i] };
                let behind_xy = if up { below } else { above };
                let taken = multiply_fraction(around[1][1][i], ONE as u32 - share_x - share_y - share_xy)
                    + multiply_fraction(behind_x, share_x)
                    + multiply_fraction(behind_y, share_y)
                    + multiply_fraction(behind_xy, share_xy);
                out[i] = if room[i] > 0 { taken } else { 0 };
            }
        }
    }
}
