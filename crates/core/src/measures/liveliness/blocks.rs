//! The cubes (squares in a flat world) into which liveliness divides the world.

use crate::measures::form::{BLOCK, PART, cells_of_block};
use crate::world::{Edges, Extents, PLACE_BITS, Space};

/// The max side of a block of individuals, in cells. A window that follows an endless swarm moves by multiples of it.
const MAX_BLOCK: u32 = 32;

/// The division of the world into blocks, and the condition by which a block is occupied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// The space that is divided.
    pub space: Space,
    /// The side of a block in cells, a power of two.
    pub side: u32,
    /// The min weight of an occupied block, in quanta a cell. 0 for individuals: one is enough.
    least: u64,
}

impl Blocks {
    /// The division of a world of cells: blocks of 4 cells along each axis, occupied from 1/8 boid a cell on.
    pub fn of_cells(extents: Extents, edges: Edges) -> Self {
        Self { space: Space { extents: extents.along_axes(), edges }, side: BLOCK as u32, least: PART }
    }

    /// The division of a world of individuals. `radius`: their greatest radius of sight (Q16 of a cell). The side of a
    /// block is half of the radius, rounded up to a power of two.
    pub fn of_individuals(space: Space, radius: u32) -> Self {
        let half = (radius >> (PLACE_BITS + 1)).clamp(1, MAX_BLOCK);
        Self { space, side: half.next_power_of_two(), least: 0 }
    }

    /// The number of blocks along each axis.
    pub fn extents(&self) -> Extents {
        let [x, y, z] = self.space.extents.map(|extent| extent.div_ceil(self.side));
        Extents::deep(x, y, z)
    }

    /// Whether a block is occupied. `index`: the place of the block in the order of cells of [`Self::extents`].
    /// `weight`: its quanta, or its number of individuals.
    pub fn is_occupied(&self, index: usize, weight: u64) -> bool {
        let cells = || cells_of_block(self.space.extents, self.extents().cell(index), self.side);
        weight > 0 && weight >= self.least * cells()
    }
}
