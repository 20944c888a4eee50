//! Walls: towards the inside, growing linearly from 0 at `margin` cells to 1 at the wall.
//!
//! v_w = (m - d)/m on each axis for a wall at d < m cells.

use super::{RowKernel, Scene};
use crate::fields::LANES;
use crate::numbers::{Cell, RULE_ONE, Vector, pack, quotient};
use crate::world::Extents;

/// v_w (Q10) of a cell.
#[inline(always)]
pub fn walls(cell: Cell, extents: Extents, margin: i32) -> Vector {
    let [width, height] = extents.as_cell();
    [turn(cell[0], width, margin), turn(cell[1], height, margin)]
}

/// v_w (Q10) on one axis. A margin is at most a quarter of an extent, so that only one wall is ever near.
#[inline(always)]
fn turn(place: i32, extent: i32, margin: i32) -> i32 {
    let from_first = (margin - place).max(0);
    let from_last = (margin - (extent - 1 - place)).max(0);
    quotient((from_first - from_last) * RULE_ONE, margin.max(1))
}

/// Fills rows of v_w. Reads nothing.
pub struct Walls;

impl RowKernel for Walls {
    #[inline(always)]
    fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
        for x in scene.chunks() {
            let out = scene.lanes_mut(write[0], x);
            for i in 0..LANES {
                // Chunks may end beyond the last cell; what is worked out there is never read.
                let column = (x + i as i32).min(scene.extents.width as i32 - 1);
                out[i] = pack(walls([column, y], scene.extents, scene.parameters.margin));
            }
        }
    }
}
