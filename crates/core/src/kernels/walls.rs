//! Walls: towards the inside, growing linearly from 0 at `margin` cells to 1 at the wall.
//!
//! v_w = (m - d)/m on each axis, for a wall at d < m cells.

use super::context::{PassContext, RowKernel};
use crate::lanes::Lanes;
use crate::numbers::{Cell, RULE_ONE, Vector, quotient};
use crate::vector::pack;
use crate::world::Extents;

/// v_w (Q10) of a cell.
#[inline(always)]
pub fn walls(cell: Cell, extents: Extents, margin: i32) -> Vector {
    let [width, height] = extents.as_cell();
    [walls_component(cell[0], width - 1, margin), walls_component(cell[1], height - 1, margin)]
}

/// v_w (Q10) on one axis, at a place from 0 to `last`; all in one unit. A margin is at most a quarter of an extent, so only
/// one wall is ever near.
#[inline(always)]
pub fn walls_component(place: i32, last: i32, margin: i32) -> i32 {
    let from_first = Ord::max(margin - place, 0);
    let from_last = Ord::max(margin - (last - place), 0);
    quotient((from_first - from_last) * RULE_ONE, Ord::max(margin, 1))
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
