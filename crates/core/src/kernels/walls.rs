//! Walls: v_w, the control vector that [`crate::world::walls`] defines for each axis.

use super::context::{PassContext, RowKernel};
use crate::lanes::Lanes;
use crate::numbers::{Cell, Vector};
use crate::vector::pack;
use crate::world::{self, Extents, PARTS};

/// v_w (Q10) of a cell.
#[inline(always)]
pub fn walls(cell: Cell, extents: Extents, margin: i32) -> Vector {
    let ends = extents.as_parts();
    [0, 1].map(|axis| world::walls(cell[axis] * PARTS, ends[axis], margin * PARTS))
}

/// Fills rows of v_w. Reads nothing.
pub struct Walls;

impl RowKernel for Walls {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let cells = &mut context.at(write[0], 0)[..context.extents.width as usize];
        for (x, out) in (0..).zip(cells) {
            *out = pack(walls([x, y], context.extents, context.parameters.margin));
        }
    }
}
