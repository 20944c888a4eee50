//! Gather: moves D as GPU Gems (chapter 38), which the paper cites, moves a texture: each cell looks back along its own
//! control vector and takes a bilinear sample of what it finds there.
//!
//! D' = (1 - a_x - a_y + a_xy)·D(x) + (a_x - a_xy)·D(x - e_x) + (a_y - a_xy)·D(x - e_y) + a_xy·D(x - e_x - e_y)
//!
//! Nothing makes what the cells take equal to what the cells lose: this is how the paper's boids vanished.

use super::outflow::{BILINEAR, around, shares};
use super::{RowKernel, Scene};
use crate::fields::LANES;
use crate::numbers::{ONE, if_negative, multiply_fraction, unpack};

/// Fills rows of D'. Reads the density, the capacity (a solid holds nothing) and the control vector.
pub struct Gather;

impl RowKernel for Gather {
    #[inline(always)]
    fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
        let (density, capacity, control) = (scene.read[0], scene.read[1], scene.read[2]);
        for x in scene.chunks() {
            let density = around(density, x, y);
            let capacity = around(capacity, x, y);
            // What is found in the cells around; solids hold nothing.
            let mut found = [[[0u32; LANES]; 3]; 3];
            for down in 0..3 {
                for right in 0..3 {
                    for i in 0..LANES {
                        found[down][right][i] = if capacity[down][right][i] > 0 { density[down][right][i] } else { 0 };
                    }
                }
            }
            let (control, room) = (control.lanes(x, y), capacity[1][1]);
            let out = scene.lanes_mut(write[0], x);
            for i in 0..LANES {
                let v = unpack(control[i]);
                let [share_x, share_y, share_xy] = shares::<BILINEAR>(v);
                let behind_x = if_negative(v[0], found[1][2][i], found[1][0][i]);
                let behind_y = if_negative(v[1], found[2][1][i], found[0][1][i]);
                let below = if_negative(v[0], found[2][2][i], found[2][0][i]);
                let above = if_negative(v[0], found[0][2][i], found[0][0][i]);
                let behind_xy = if_negative(v[1], below, above);
                let taken = multiply_fraction(found[1][1][i], ONE as u32 - share_x - share_y - share_xy)
                    + multiply_fraction(behind_x, share_x)
                    + multiply_fraction(behind_y, share_y)
                    + multiply_fraction(behind_xy, share_xy);
                out[i] = if room[i] > 0 { taken } else { 0 };
            }
        }
    }
}
