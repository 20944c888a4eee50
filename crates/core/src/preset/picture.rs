//! Pictures (PNG) and arrays (NPY) from which solids and starts are read.
//!
//! Nothing is allocated for what a file only claims: the extents are checked first, and a file's bytes before its
//! extents are believed.

use super::source::Source;
use crate::contents::Complaint;
use crate::error::BadInput;
use crate::world::Extents;
use std::path::Path;

/// A grid of values, x fastest.
#[derive(Debug, PartialEq)]
pub struct Raster {
    pub extents: Extents,
    /// One for each cell, x fastest.
    pub values: Vec<u32>,
}

impl Raster {
    /// The brightness of a PNG, 0 to 255; what is transparent is dark. `key` names the file in the preset.
    pub(super) fn read(path: &Path, source: &Source, key: &str) -> Result<Self, BadInput> {
        source
            .bytes(path)
            .and_then(|bytes| source.host().decode_picture(&bytes))
            .map_err(|complaint| complain(path, source, key, complaint))
    }

    /// The numbers of a two-dimensional NPY array of u8, u16 or u32.
    pub(super) fn read_array(path: &Path, source: &Source, key: &str) -> Result<Self, BadInput> {
        source
            .bytes(path)
            .and_then(|bytes| source.host().decode_array(&bytes))
            .map_err(|complaint| complain(path, source, key, complaint))
    }

    pub fn extents(&self) -> Extents {
        self.extents
    }

    /// The value nearest to the centre of each cell of a lattice, x fastest.
    pub fn resampled(&self, to: Extents) -> Vec<u32> {
        if self.extents == to {
            return self.values.clone();
        }
        let columns = nearest(self.extents.width, to.width);
        let rows = nearest(self.extents.height, to.height);
        let width = self.extents.width as usize;
        let row = |y: &usize| &self.values[y * width..][..width];
        rows.iter().map(row).flat_map(|row| columns.iter().map(|x| row[*x])).collect()
    }
}

/// Along one axis, the pixel under the centre of each cell. A centre between two pixels takes the one nearer to the
/// middle, so that a mirrored picture gives a mirrored lattice.
fn nearest(pixels: u32, cells: u32) -> Vec<usize> {
    let (pixels, cells) = (u64::from(pixels), u64::from(cells));
    let under = |cell: u64| {
        let (pixel, rest) = ((2 * cell + 1) * pixels / (2 * cells), (2 * cell + 1) * pixels % (2 * cells));
        if rest == 0 && 2 * pixel > pixels { pixel - 1 } else { pixel }
    };
    (0..cells).map(|cell| under(cell) as usize).collect()
}

fn complain(path: &Path, source: &Source, key: &str, (problem, cure): Complaint) -> BadInput {
    source.wrong(key, format!("{}: {problem}", path.display()), cure)
}
