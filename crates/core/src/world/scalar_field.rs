//! Rock as a scalar field: a value for every voxel, above 0 in rock.

use super::Extents;

/// A value for every voxel of a deep world, x fastest and z slowest. Voxels above 0 are rock.
///
/// Values of noise are Q14. Values of shapes are distances: they rise by 2048 for each cell into the rock. All values
/// are within ±32 767.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalarField {
    /// The number of voxels along each axis.
    pub extents: Extents,
    /// The value of each voxel, x fastest and z slowest.
    pub values: Vec<i16>,
}

impl ScalarField {
    /// Whether each voxel is rock, x fastest.
    pub fn rock(&self) -> Vec<bool> {
        self.values.iter().map(|value| *value > 0).collect()
    }

    /// Whether each column along z is rock through the whole depth, x fastest.
    pub fn columns_of_rock(&self) -> Vec<bool> {
        let mut columns = vec![true; self.extents.columns().cells()];
        for layer in self.values.chunks(columns.len()) {
            columns.iter_mut().zip(layer).for_each(|(column, value)| *column &= *value > 0);
        }
        columns
    }

    /// The field after cells were painted or erased; `None`: the field does not change.
    ///
    /// `solids` has a flag for each column or for each voxel, x fastest. If it is empty, nothing changes. A voxel that
    /// is set, or in a column that is set, becomes rock: its value changes the sign. Other columns stay unchanged. With
    /// flags for voxels, a voxel of rock that is not set becomes water: its value changes the sign.
    pub fn with_solids(&self, solids: &[bool]) -> Option<Self> {
        let is_of_voxels = solids.len() == self.values.len();
        let becomes_rock = |index: usize, value: i16| solids[index % solids.len()] && value <= 0;
        let becomes_water = |index: usize, value: i16| is_of_voxels && !solids[index] && value > 0;
        let is_another = |(index, value): (usize, &i16)| becomes_rock(index, *value) || becomes_water(index, *value);
        if solids.is_empty() || !self.values.iter().enumerate().any(is_another) {
            return None;
        }
        let value = |(index, value): (usize, &i16)| match *value {
            value if becomes_rock(index, value) => value.saturating_neg().max(1),
            value if becomes_water(index, value) => -value,
            value => value,
        };
        Some(Self { extents: self.extents, values: self.values.iter().enumerate().map(value).collect() })
    }

    /// The field with water in the outermost layer of voxels, so that the surface of the rock is closed.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_painted_is_rock_and_what_is_erased_is_none() {
        let field = ScalarField { extents: Extents::deep(2, 1, 3), values: vec![-5, 7, 0, -32_767, 1, -1] };
        let with = |solids: &[bool]| field.with_solids(solids).map(|field| field.values);
        assert_eq!(with(&[]), None);
        assert_eq!(with(&[false, false]), None, "columns that are not solid leave the rock");
        assert_eq!(with(&[true, false]), Some(vec![5, 7, 1, -32_767, 1, -1]));
        assert_eq!(with(&[false, true]), Some(vec![-5, 7, 0, 32_767, 1, 1]));
        assert_eq!(with(&[false, true, false, false, true, false]), None, "the rock itself");
        assert_eq!(with(&[false, false, true, false, true, false]), Some(vec![-5, -7, 1, -32_767, 1, -1]));
    }
}
