//! Grids of whole numbers, as pictures and arrays hold them, and their resampling onto a lattice.

use crate::world::Extents;

/// A grid of whole numbers, x fastest: the brightness of a picture from 0 to 255, the elements of an array, or a scalar field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raster<T = u32> {
    extents: Extents,
    values: Vec<T>,
}

impl<T: Copy> Raster<T> {
    /// A grid with one value for each of its cells; `None` if the number of values is another one.
    pub fn new(extents: Extents, values: Vec<T>) -> Option<Self> {
        (values.len() == extents.cells()).then_some(Self { extents, values })
    }

    pub fn extents(&self) -> Extents {
        self.extents
    }

    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// For each cell of a lattice the value of the nearest grid cell, x fastest; a flat grid is the same in every slice of a deep
    /// lattice. Integers only, so that it is the same on every machine.
    pub fn resampled(&self, to: Extents) -> Vec<T> {
        if self.extents == to {
            return self.values.clone();
        }
        let [columns, rows, slices] =
            [0, 1, 2].map(|axis| nearest(self.extents.along_axes()[axis], to.along_axes()[axis]));
        let [width, height] = [self.extents.width, self.extents.height].map(|extent| extent as usize);
        let mut values = Vec::with_capacity(to.cells());
        for z in slices {
            for y in &rows {
                let row = &self.values[(z * height + y) * width..][..width];
                values.extend(columns.iter().map(|x| row[*x]));
            }
        }
        values
    }
}

/// Along one axis, the index of the pixel under the centre of each cell. A centre on the border of two pixels takes the
/// pixel nearer to the middle, so that a mirrored picture gives a mirrored lattice.
fn nearest(pixels: u32, cells: u32) -> Vec<usize> {
    let (pixels, cells) = (u64::from(pixels), u64::from(cells));
    let under = |cell: u64| {
        let (pixel, rest) = ((2 * cell + 1) * pixels / (2 * cells), (2 * cell + 1) * pixels % (2 * cells));
        if rest == 0 && 2 * pixel > pixels { pixel - 1 } else { pixel }
    };
    (0..cells).map(|cell| under(cell) as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirrored_picture_gives_a_mirrored_lattice() {
        for pixels in [1, 2, 3, 7, 64, 100] {
            for cells in [2, 4, 6, 16, 100, 250] {
                let (left, last) = (nearest(pixels, cells), pixels as usize - 1);
                let right: Vec<usize> = left.iter().rev().map(|pixel| last - pixel).collect();
                assert_eq!(left, right, "{pixels} pixels on {cells} cells");
            }
        }
        assert_eq!(nearest(2, 6), [0, 0, 0, 1, 1, 1]);
        assert_eq!(nearest(6, 2), [1, 4]);
    }
}
