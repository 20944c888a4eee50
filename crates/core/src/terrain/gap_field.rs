//! The gap field (the distances of cells from rock), and the search for the free cell nearest to a place.

use crate::numbers::Vector3;
use crate::world::{Edges, Extents};

/// A gap field (see [`gaps`](super::gaps)) with the extents and edges of its world.
#[derive(Debug, Clone, Copy)]
pub struct GapField<'a> {
    /// The number of voxels along each axis.
    pub extents: Extents,
    /// The edges of the space.
    pub edges: Edges,
    /// A byte for each voxel, x fastest: 0 in rock, otherwise 1 + floor(4 · distance to rock in cells), at most 255.
    pub gaps: &'a [u8],
}

impl GapField<'_> {
    /// The distance of a cell from rock, in quarters of a cell, rounded down; -1 in rock and beyond a wall. The cell
    /// may lie beyond an edge.
    pub fn gap_of_cell(&self, cell: Vector3) -> i32 {
        self.extents.deep_index(cell, self.edges).map_or(-1, |index| i32::from(self.gaps[index]) - 1)
    }
}

/// The free cell nearest to the cell `from`, by the distance of the middles. If several are nearest, the cell with the
/// lowest index. `is_free`: whether the cell with an index is free. `None`: no cell is free.
///
/// Cells are tried in growing cubes around `from`, until no cell outside the cube can be nearer.
pub fn nearest_free(extents: Extents, edges: Edges, from: Vector3, is_free: impl Fn(usize) -> bool) -> Option<Vector3> {
    let farthest = extents.along_axes().into_iter().max().unwrap_or(0) as i32;
    let mut nearest: Option<(i64, usize)> = None;
    for radius in 0..=farthest {
        if nearest.is_some_and(|(square, _)| i64::from(radius) * i64::from(radius) > square) {
            break;
        }
        let depth = if extents.axes() == 3 { radius } else { 0 };
        for z in -depth..=depth {
            for y in -radius..=radius {
                // Only the surface of the cube is tried, because smaller cubes were tried before.
                let is_inside = z.abs() < radius && y.abs() < radius;
                for x in (-radius..=radius).step_by(if is_inside { (2 * radius) as usize } else { 1 }) {
                    let cell = [from[0] + x, from[1] + y, from[2] + z];
                    let Some(index) = extents.deep_index(cell, edges) else { continue };
                    if is_free(index) {
                        let square = [x, y, z].map(|along| i64::from(along) * i64::from(along)).iter().sum();
                        nearest = nearest.into_iter().chain([(square, index)]).min();
                    }
                }
            }
        }
    }
    nearest.map(|(_, index)| extents.cell(index))
}
