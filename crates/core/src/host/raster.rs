//! Grids of whole numbers and lists of vectors, as read from pictures and arrays, and the resampling of grids onto a
//! lattice.

use crate::numbers::each_axis;
use crate::world::Extents;
use std::ops::RangeInclusive;

/// The lowest brightness (0 to 255) of a picture's pixel that is solid or rock.
pub const SOLID: u32 = 128;

/// A grid of whole numbers, x fastest: a picture's brightness from 0 to 255, the elements of an array, or a scalar
/// field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raster<T = u32> {
    extents: Extents,
    values: Vec<T>,
}

/// A whole number that a grid can hold.
pub trait Sample: Copy + Into<i64> + TryFrom<i64> {}

impl<T: Copy + Into<i64> + TryFrom<i64>> Sample for T {}

impl<T: Sample> Raster<T> {
    /// A grid with one value for each cell. `None` if the number of values differs from the number of cells.
    pub fn new(extents: Extents, values: Vec<T>) -> Option<Self> {
        (values.len() == extents.cells()).then_some(Self { extents, values })
    }

    /// The extents of the grid.
    pub fn extents(&self) -> Extents {
        self.extents
    }

    /// The value of each cell, x fastest and z slowest.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Resamples the grid: each cell of a lattice gets the value of the grid cell under its centre. If the centre lies
    /// on a border, the cell gets the mean of the adjacent values.
    ///
    /// A turned, mirrored or shifted grid therefore gives a turned, mirrored or shifted lattice. A flat grid repeats in
    /// every slice of a deep lattice. Integer arithmetic gives the same result on every machine.
    pub fn resampled(&self, to: Extents) -> Vec<T> {
        if self.extents == to {
            return self.values.clone();
        }
        let [columns, rows, slices] =
            each_axis(|axis| under_centres(self.extents.along_axes()[axis], to.along_axes()[axis]));
        let [width, height] = [self.extents.width, self.extents.height].map(|extent| extent as usize);
        let mut values = Vec::with_capacity(to.cells());
        for z in &slices {
            for y in &rows {
                values.extend(columns.iter().map(|x| {
                    let among = |z: usize, y: usize| x.clone().map(move |x| (z * height + y) * width + x);
                    let among = z.clone().flat_map(|z| y.clone().flat_map(move |y| among(z, y)));
                    mean(among.map(|index| self.values[index]))
                }));
            }
        }
        values
    }
}

/// A list of vectors, from an array of shape (vectors, axes). Components along missing axes are 0.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorList {
    /// The axes of the array: 2 or 3.
    pub axes: usize,
    /// The vectors.
    pub vectors: Vectors,
}

/// Vectors in one of two units.
#[derive(Debug, Clone, PartialEq)]
pub enum Vectors {
    /// In the whole units of the state: Q16 of a cell for places, Q14 of a cell a step for velocities.
    Whole(Vec<[i32; 3]>),
    /// In cells for places, in cells a step for velocities.
    Decimal(Vec<[f64; 3]>),
}

impl Vectors {
    /// The number of vectors.
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(vectors) => vectors.len(),
            Self::Decimal(vectors) => vectors.len(),
        }
    }

    /// Whether there is no vector.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The pixels under the centre of each cell, along one axis. A centre lies over one pixel, or on the border of two.
/// `pixels`, `cells`: the numbers of pixels and of cells along the axis.
fn under_centres(pixels: u32, cells: u32) -> Vec<RangeInclusive<usize>> {
    let (pixels, cells) = (u64::from(pixels), u64::from(cells));
    let under = |cell: u64| {
        let (pixel, rest) = ((2 * cell + 1) * pixels / (2 * cells), (2 * cell + 1) * pixels % (2 * cells));
        let first = if rest == 0 { pixel - 1 } else { pixel };
        first as usize..=pixel as usize
    };
    (0..cells).map(under).collect()
}

/// The mean of some values, rounded to nearest, halves up.
fn mean<T: Sample>(values: impl Iterator<Item = T>) -> T {
    let (sum, count) = values.fold((0, 0), |(sum, count), value| (sum + value.into(), count + 1));
    let Ok(mean) = T::try_from((sum + count / 2).div_euclid(count)) else {
        unreachable!("a mean lies between the least and the greatest")
    };
    mean
}

#[cfg(test)]
mod tests {
    use crate::host::raster::*;

    #[test]
    fn a_mirrored_or_shifted_picture_gives_a_mirrored_or_shifted_lattice() {
        for pixels in [1, 2, 3, 7, 24, 64, 100] {
            for cells in [1, 2, 3, 4, 6, 16, 25, 48, 100, 250] {
                let left = under_centres(pixels, cells);
                let last = pixels as usize - 1;
                let right: Vec<_> = left.iter().rev().map(|under| last - under.end()..=last - under.start()).collect();
                assert_eq!(left, right, "{pixels} pixels on {cells} cells");
                let common = (1..=pixels.min(cells)).rev().find(|n| pixels % n == 0 && cells % n == 0).unwrap();
                let [by, along] = [pixels / common, cells / common].map(|part| part as usize);
                for (under, next) in left.iter().zip(&left[along..]) {
                    assert_eq!((under.start() + by, under.end() + by), (*next.start(), *next.end()));
                }
            }
        }
        assert_eq!(under_centres(2, 3), [0..=0, 0..=1, 1..=1]);
        assert_eq!(under_centres(6, 2), [1..=1, 4..=4]);
    }

    #[test]
    fn a_centre_on_a_border_takes_the_mean() {
        let picture = Raster::new(Extents::flat(4, 2), vec![1, 2, 8, 8, 3, 5, 9, 8]).unwrap();
        assert_eq!(picture.resampled(Extents::flat(2, 1)), [3, 8]);
        assert_eq!(picture.resampled(Extents::deep(2, 2, 2)), [2, 8, 4, 9, 2, 8, 4, 9]);
        let brightest = Raster::new(Extents::deep(2, 2, 2), vec![u32::MAX; 8]).unwrap();
        assert_eq!(brightest.resampled(Extents::deep(1, 1, 1)), [u32::MAX]);
    }
}
