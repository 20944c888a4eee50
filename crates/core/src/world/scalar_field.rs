//! Rock as a scalar field.

use super::Extents;

/// A value for every voxel of a deep world, x fastest and z slowest: rock is where it is above 0.
///
/// Noise is Q14; that of shapes rises by 2048 for each cell into the rock. All values are within ±32 767.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalarField {
    pub extents: Extents,
    pub values: Vec<i16>,
}

impl ScalarField {
    /// Whether each voxel is rock, x fastest.
    pub fn rock(&self) -> Vec<bool> {
        self.values.iter().map(|value| *value > 0).collect()
    }

    /// Whether each column along z is rock all through, x fastest.
    pub fn columns_of_rock(&self) -> Vec<bool> {
        let mut columns = vec![true; self.extents.columns().cells()];
        for layer in self.values.chunks(columns.len()) {
            columns.iter_mut().zip(layer).for_each(|(column, value)| *column &= *value > 0);
        }
        columns
    }

    /// The same with water in the outermost layer of voxels: a mesh over the rock is then whole at the edges.
    #[must_use]
    pub fn closed(mut self) -> Self {
        let [width, height, depth] = self.extents.along_axes().map(|extent| extent as usize);
        let is_outermost = |along: usize, extent: usize| along == 0 || along + 1 == extent;
        for (at, row) in self.values.chunks_mut(width).enumerate() {
            if is_outermost(at % height, height) || is_outermost(at / height, depth) {
                row.iter_mut().for_each(|value| *value = (*value).min(-1));
            }
            row[0] = row[0].min(-1);
            row[width - 1] = row[width - 1].min(-1);
        }
        self
    }
}
