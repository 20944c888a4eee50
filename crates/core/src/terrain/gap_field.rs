//! The gap field of a space by cell, and the free cell nearest to a place.

use crate::numbers::Vector3;
use crate::world::{Edges, Extents};

/// A gap field (see [`gaps`](super::gaps)) with its space.
#[derive(Debug, Clone, Copy)]
pub struct GapField<'a> {
    /// Voxels along each axis.
    pub extents: Extents,
    /// The edges of the space.
    pub edges: Edges,
    /// The gap of each voxel, x fastest: 0 in rock, else 1 + floor(4 · gap in cells), at most 255.
    pub gaps: &'a [u8],
}

impl GapField<'_> {
    /// The distance of a cell, which may lie beyond an edge, from rock, in quarters of a cell, rounded down; -1 in rock
    /// and beyond a wall.
    pub fn gap_of_cell(&self, cell: Vector3) -> i32 {
        self.extents.deep_index(cell, self.edges).map_or(-1, |index| i32::from(self.gaps[index]) - 1)
    }
}

/// The free cell with the nearest middle, of several the first, x fastest. Cells are tried in cubes around the place,
/// until no cell outside the cube can be nearer. `is_free`: whether the cell of an index is free.
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
                // The inner cells of the cube were tried before.
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
