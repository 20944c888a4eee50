//! The space of individuals, and the unit of their positions.

use crate::numbers::{Vector3, each_axis};
use crate::world::{Edges, Extents, PARTS};

/// The number of fraction bits of a position: positions are in Q16 of a cell.
pub const PLACE_BITS: u32 = 16;

/// The space of individuals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// The number of cells along each axis; 1 along z in a flat world.
    pub extents: [u32; 3],
    /// The edges: a torus or walls.
    pub edges: Edges,
}

impl Space {
    /// The extents along x and y.
    pub fn extents(&self) -> Extents {
        Extents::flat(self.extents[0], self.extents[1])
    }

    /// The extents along all axes; without a depth in a flat world.
    pub fn deep_extents(&self) -> Extents {
        let [width, height, depth] = self.extents;
        Extents { width, height, depth: Some(depth).filter(|depth| *depth > 1) }
    }

    /// The extents in 1/16 cell.
    pub fn ends(&self) -> Vector3 {
        self.extents.map(|extent| extent as i32 * PARTS)
    }

    /// The number of fraction bits of a place in statistics and measures. It is [`PLACE_BITS`], or less in a large
    /// world, so that a place has at most 30 bits.
    #[inline(always)]
    pub fn place_bits(&self) -> u32 {
        self.extents.iter().fold(PLACE_BITS, |bits, extent| bits.min(30 - extent.next_power_of_two().ilog2()))
    }

    /// The number of axes: 2 in a flat world, else 3.
    pub fn axes(&self) -> usize {
        if self.extents[2] == 1 { 2 } else { 3 }
    }

    /// Wraps a position (Q16 of a cell) on a torus; `None`: the position is beyond a wall.
    #[inline(always)]
    pub(crate) fn wrap(&self, place: Vector3) -> Option<Vector3> {
        let mut within = [0; 3];
        for axis in 0..3 {
            let extent = i64::from(self.extents[axis]) << PLACE_BITS;
            within[axis] = self.edges.wrap(place[axis].into(), extent)? as i32;
        }
        Some(within)
    }

    /// Converts a position (Q16 of a cell, from the corner of the world) to the unit of hunters and the roost: 1/16
    /// cell from the centre of the first cell. In a flat world z is 0.
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
