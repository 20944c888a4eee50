//! The space of individuals, and the unit of their places.

use crate::numbers::{Vector3, each_axis};
use crate::world::{Edges, Extents, PARTS};

/// The bits of a position below the cell: positions are Q16.
pub const PLACE_BITS: u32 = 16;

/// The space of individuals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// The number of cells along each axis; 1 along z in a flat world.
    pub extents: [u32; 3],
    /// The world beyond the last cell.
    pub edges: Edges,
}

impl Space {
    /// The extents along x and y.
    pub fn extents(&self) -> Extents {
        Extents::flat(self.extents[0], self.extents[1])
    }

    /// The extents along all axes of the space.
    pub fn deep_extents(&self) -> Extents {
        let [width, height, depth] = self.extents;
        Extents { width, height, depth: Some(depth).filter(|depth| *depth > 1) }
    }

    /// The extents in 1/16 cell.
    pub fn ends(&self) -> Vector3 {
        self.extents.map(|extent| extent as i32 * PARTS)
    }

    /// The bits below a cell in the places of bodies that are measured: [`PLACE_BITS`], or fewer if an extent would
    /// need more than 30 bits.
    #[inline(always)]
    pub fn place_bits(&self) -> u32 {
        self.extents.iter().fold(PLACE_BITS, |bits, extent| bits.min(30 - extent.next_power_of_two().ilog2()))
    }

    /// The number of axes: 2 in a flat world, else 3.
    pub fn axes(&self) -> usize {
        if self.extents[2] == 1 { 2 } else { 3 }
    }

    /// Wraps a place (Q16) on a torus; `None` beyond a wall.
    #[inline(always)]
    pub(crate) fn wrap(&self, place: Vector3) -> Option<Vector3> {
        let mut within = [0; 3];
        for axis in 0..3 {
            let extent = i64::from(self.extents[axis]) << PLACE_BITS;
            within[axis] = self.edges.wrap(place[axis].into(), extent)? as i32;
        }
        Some(within)
    }

    /// Converts a position (Q16) to 1/16 cell, relative to the centre of a cell, as the cell system counts. In a flat
    /// world z is 0.
    #[inline(always)]
    pub fn place_of(&self, position: Vector3) -> Vector3 {
        let [x, y, z] = each_axis(|axis| in_parts(position[axis]));
        [x, y, if self.axes() == 2 { 0 } else { z }]
    }
}

#[inline(always)]
fn in_parts(position: i32) -> i32 {
    ((position + (1 << (PLACE_BITS - 5))) >> (PLACE_BITS - 4)) - PARTS / 2
}
