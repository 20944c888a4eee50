//! The layout of the cells of a lattice in a two-dimensional texture of a GPU.

mod subdomain;

pub use subdomain::Subdomain;

use murmuration_core::world::Extents;
use std::borrow::Cow;

/// The width and height of a texture, in texels, that every WebGPU device supports.
const MAX_PORTABLE_SIDE: u32 = 8192;

/// The layout of a lattice in a two-dimensional texture. A flat lattice has the size of the texture. The slices of a
/// deep lattice lie side by side as tiles, in rows of `columns` tiles. So one pass can write a whole field, with a
/// compute shader or a fragment shader. Tiles after the last slice have zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Atlas {
    extents: Extents,
    /// The number of tiles in a row of the texture.
    pub columns: u32,
}

impl Atlas {
    /// The atlas of a lattice, nearly square. The number of columns is a power of two if every device supports a
    /// texture of this size, because shaders divide faster by a power of two.
    pub fn new(extents: Extents) -> Self {
        let size = |columns: &u32| Self { extents, columns: *columns }.size().into_iter().max().unwrap_or(0);
        let slices = extents.slices();
        let powers = (0..=slices.ilog2()).map(|power| 1 << power);
        let best_power = powers.min_by_key(size).filter(|columns| size(columns) <= MAX_PORTABLE_SIDE);
        let columns = best_power.or_else(|| (1..=slices).min_by_key(size)).unwrap_or(1);
        Self { extents, columns }
    }

    /// The width and height of the texture, in texels.
    pub fn size(self) -> [u32; 2] {
        let [width, height, slices] = self.extents.along_axes();
        [self.columns * width, slices.div_ceil(self.columns) * height]
    }

    /// The extents of the texture as a flat lattice, whose cells are the texels.
    pub fn as_lattice(self) -> Extents {
        let [width, height] = self.size();
        Extents::flat(width, height)
    }

    /// The place `[x, y]` of the first texel of a slice.
    pub fn tile(self, slice: u32) -> [u32; 2] {
        [slice % self.columns * self.extents.width, slice / self.columns * self.extents.height]
    }

    /// Converts the values of all cells, x fastest and z slowest, to the texels of the texture.
    pub fn texels<T: Copy + Default>(self, cells: &[T]) -> Cow<'_, [T]> {
        if self.extents.depth.is_none() {
            return Cow::Borrowed(cells);
        }
        let [width, height] = self.size();
        let mut texels = vec![T::default(); width as usize * height as usize];
        for (row, place) in cells.chunks_exact(self.extents.width as usize).zip(self.rows()) {
            texels[place..place + row.len()].copy_from_slice(row);
        }
        Cow::Owned(texels)
    }

    /// Converts the texels of the texture to the values of all cells, x fastest and z slowest.
    pub fn cells<T: Copy>(self, texels: Vec<T>) -> Vec<T> {
        if self.extents.depth.is_none() {
            return texels;
        }
        self.rows().flat_map(|place| &texels[place..place + self.extents.width as usize]).copied().collect()
    }

    /// The index of the first texel of each row of cells, with y faster than z.
    fn rows(self) -> impl Iterator<Item = usize> {
        let [width, height, slices] = self.extents.along_axes().map(|extent| extent as usize);
        let columns = self.columns as usize;
        (0..slices).flat_map(move |z| {
            let first = (z / columns * height * columns + z % columns) * width;
            (0..height).map(move |y| first + y * columns * width)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_atlas_is_nearly_square_and_fits() {
        let size = |width, height, depth| Atlas::new(Extents::deep(width, height, depth)).size();
        assert_eq!(size(128, 128, 128), [1024, 2048]);
        assert_eq!(size(1, 1, 9), [4, 3]);
        assert_eq!(size(7, 5, 3), [14, 10]);
        assert_eq!(size(400, 400, 400), [8000, 8000]);
        assert_eq!(Atlas::new(Extents::flat(300, 20)).size(), [300, 20]);
    }

    #[test]
    fn every_cell_has_a_texel_of_its_own() {
        for (width, height, depth) in [(7, 5, 3), (1, 1, 9), (3, 2, 23), (4, 1, 1)] {
            let extents = Extents::deep(width, height, depth);
            let atlas = Atlas::new(extents);
            let cells: Vec<u32> = (1..=extents.cells() as u32).collect();
            let texels = atlas.texels(&cells).into_owned();
            assert_eq!(texels.len(), atlas.as_lattice().cells());
            assert_eq!(texels.iter().filter(|texel| **texel > 0).count(), cells.len());
            assert_eq!(atlas.cells(texels), cells);
        }
    }
}
