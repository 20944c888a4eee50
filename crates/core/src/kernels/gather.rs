//! Gather: backward advection as in GPU Gems, chapter 38, which the paper cites. Each cell looks back along its own control
//! vector and takes a bilinear sample of the density there.
//!
//! D' = (1 - a_x - a_y + a_xy)·D(x) + (a_x - a_xy)·D(x - e_x) + (a_y - a_xy)·D(x - e_y) + a_xy·D(x - e_x - e_y)
//!
//! Nothing makes the amounts taken equal to the amounts lost. This is how the paper's boids vanished.

use super::context::{PassContext, RowKernel};
use super::outflow::{BILINEAR, ahead, shares};
use crate::lanes::Lanes;
use crate::numbers::ONE;
use crate::vector::{negate, unpack};

/// Fills rows of D'. Reads the density, the capacity (a solid holds nothing) and the control vector.
pub struct Gather;

impl RowKernel for Gather {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, capacity, control) =
            (context.read[0].three_rows(y), context.read[1].three_rows(y), context.read[2]);
        let zero = L::splat(0);
        for x in context.chunks::<L>() {
            let (density, capacity) = (density.at::<L>(x), capacity.at::<L>(x));
            let v: [L; 2] = unpack(control.lanes(x, y));
            let back = negate(v);
            let (behind, capacity_behind) = (ahead(density, back), ahead(capacity, back));
            let shares = shares::<L, BILINEAR>(v);
            let stays = L::splat(ONE).subtract(shares[0]).subtract(shares[1]).subtract(shares[2]);
            let mut taken = density.centre().multiply_fraction(stays);
            for direction in 0..3 {
                let found = capacity_behind[direction].equals(zero).select(zero, behind[direction]);
                taken = taken.wrapping_add(found.multiply_fraction(shares[direction]));
            }
            capacity.centre().equals(zero).select(zero, taken).store(context.at(write[0], x));
        }
    }
}
