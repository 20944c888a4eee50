//! The blocks into which the world is divided.

use crate::measures::form::{BLOCK, PART, cells_of_block};
use crate::world::{Edges, Extents, PLACE_BITS, Space};

/// The greatest block of individuals, in cells. A window that travels moves by a multiple of it.
const MAX_BLOCK: u32 = 32;

/// How the world is divided into blocks, and which of them are occupied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// The space that is divided.
    pub space: Space,
    /// Cells along each axis of a block, a power of two.
    pub side: u32,
    /// The least weight of a block that is occupied, for each of its cells; 0: any.
    least: u64,
}

impl Blocks {
    /// The blocks of cells.
    pub fn of_cells(extents: Extents, edges: Edges) -> Self {
        Self { space: Space { extents: extents.along_axes(), edges }, side: BLOCK as u32, least: PART }
    }

    /// The blocks of individuals that see each other within a radius (Q16 of a cell). The side of a block is half of the radius, rounded up to a
    /// power of two.
    pub fn of_individuals(space: Space, radius: u32) -> Self {
        let half = (radius >> (PLACE_BITS + 1)).clamp(1, MAX_BLOCK);
        Self { space, side: half.next_power_of_two(), least: 0 }
    }

    /// Blocks along each axis.
    pub fn extents(&self) -> Extents {
        let [x, y, z] = self.space.extents.map(|extent| extent.div_ceil(self.side));
        Extents::deep(x, y, z)
    }

    /// Whether a block with this weight is occupied, by its index.
    pub fn is_occupied(&self, index: usize, weight: u64) -> bool {
        let cells = || cells_of_block(self.space.extents, self.extents().cell(index), self.side);
        weight > 0 && weight >= self.least * cells()
    }
}
