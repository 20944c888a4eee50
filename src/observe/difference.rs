//! A signed difference over a lattice as a picture in two colours.

use super::Picture;
use crate::picture::{Frame, Layers, NIGHT, Upsampler};
use crate::world::{Edges, Extents};
use rayon::prelude::*;

/// The colours of positive values, sky blue, and of negative ones, orange. They differ for colour-blind people and in grey.
pub const MORE: [u8; 3] = [96, 180, 240];
pub const LESS: [u8; 3] = [240, 150, 40];

/// The picture of a difference over a lattice, as large as the picture of [`super::glow`]. `value` gives the difference of
/// the cell with an index. The values 1 and -1 have half of the greatest brightness.
pub fn difference(extents: Extents, edges: Edges, value: impl Fn(usize) -> f32 + Sync) -> Picture {
    let Frame { reduction, points, size: [width, height] } = Frame::of(extents);
    let places = Layers::of_cells(extents, reduction, |index| [value(index)]);
    let enlarged = Upsampler::new(&places, points, edges);
    let mut bytes = vec![0; 3 * width * height];
    bytes.par_chunks_mut(3 * width).enumerate().for_each_init(
        || (Vec::new(), vec![0.0; width]),
        |(blended, row), (y, bytes)| {
            enlarged.row(y, blended, row);
            for (point, value) in bytes.as_chunks_mut::<3>().0.iter_mut().zip(row) {
                *point = colour(*value);
            }
        },
    );
    Picture { width: width as u32, height: height as u32, bytes }
}

fn colour(value: f32) -> [u8; 3] {
    let part = value.abs() / (1.0 + value.abs());
    let towards = if value > 0.0 { MORE } else { LESS };
    std::array::from_fn(|channel| {
        (NIGHT[channel] + (f32::from(towards[channel]) - NIGHT[channel]) * part).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_blue_less_is_orange_and_nothing_is_night() {
        let extents = Extents { width: 96, height: 48 };
        let values = |index: usize| [0.0, 1.0, -1.0][index % 96 / 32];
        let picture = difference(extents, Edges::Walls, values);
        assert_eq!((picture.width, picture.height), (768, 384));
        let at = |x: usize| {
            let first = 3 * (200 * 768 + x);
            [picture.bytes[first], picture.bytes[first + 1], picture.bytes[first + 2]]
        };
        assert_eq!(at(100), NIGHT.map(|channel| channel as u8));
        assert_eq!(at(384), [50, 93, 127]);
        assert_eq!(at(650), [122, 78, 27]);
    }
}
