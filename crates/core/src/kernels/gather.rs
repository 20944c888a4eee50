//! Gather: moves D as GPU Gems (chapter 38), which the paper cites, moves a texture: each cell looks back along its own
//! control vector and takes a bilinear sample of what it finds there.
//!
//! D' = (1 - a_x - a_y + a_xy)·D(x) + (a_x - a_xy)·D(x - e_x) + (a_y - a_xy)·D(x - e_y) + a_xy·D(x - e_x - e_y)
//!
//! Nothing makes what the cells take equal to what the cells lose: this is how the paper's boids vanished.

use super::outflow::{BILINEAR, ahead, shares};
use super::{RowKernel, Scene};
use crate::lanes::Lanes;
use crate::numbers::ONE;
use crate::vector::{negate, unpack};

/// Fills rows of D'. Reads the density, the capacity (a solid holds nothing) and the control vector.
pub struct Gather;

impl RowKernel for Gather {
    #[inline(always)]
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, capacity, control) = (scene.read[0].around(y), scene.read[1].around(y), scene.read[2]);
        let none = L::splat(0);
        for x in scene.chunks::<L>() {
            let (density, capacity) = (density.cells::<L>(x), capacity.cells::<L>(x));
            let v: [L; 2] = unpack(control.lanes(x, y));
            let back = negate(v);
            let (behind, room_behind) = (ahead(density, back), ahead(capacity, back));
            let shares = shares::<L, BILINEAR>(v);
            let stays = L::splat(ONE).subtract(shares[0]).subtract(shares[1]).subtract(shares[2]);
            let mut taken = density.here().multiply_fraction(stays);
            for way in 0..3 {
                let found = room_behind[way].equals(none).select(none, behind[way]);
                taken = taken.wrapping_add(found.multiply_fraction(shares[way]));
            }
            let room = capacity.here();
            room.equals(none).select(none, taken).store(scene.at(write[0], x));
        }
    }
}
