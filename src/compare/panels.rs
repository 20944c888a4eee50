//! The picture of a step of a comparison: the cells, the individuals, and the difference of their densities.

use super::grain::CoarseDensity;
use super::pair::ModelPair;
use crate::observe::{Picture, draw_text, reduced};
use murmuration_core::parallel::*;
use murmuration_core::picture::{Frame, Layers, NIGHT, Upsampler};
use murmuration_core::preset::Preset;
use murmuration_core::world::{Edges, Extents};

/// The maximum width of each of the three panels, in pixels.
const WIDTH: u32 = 480;
const GAP: u32 = 8;
const HEADER: u32 = 36;
const PAPER: [u8; 3] = [10, 13, 22];
const INK: [u8; 3] = [150, 158, 172];

/// The pictures of both models and of their difference, side by side, with titles. The third picture shows the
/// difference of the coarse-grained densities. A difference equal to the look's exposure has half of the maximum
/// brightness.
pub fn panels(step: u64, preset: &Preset, pictures: ModelPair<Picture>, coarse: &ModelPair<CoarseDensity>) -> Picture {
    let world = &preset.world;
    let map = difference(world.extents, world.edges, |index| {
        let density = |coarse: &CoarseDensity| coarse.density(index).unwrap_or(0.0);
        (density(&coarse.cells) - density(&coarse.individuals)) as f32 / preset.look.exposure
    });
    let three = [pictures.cells, pictures.individuals, map].map(|picture| reduced(&picture, WIDTH.min(picture.width)));
    let [width, height] = [three[0].width, three[0].height];
    let size = [3 * width + 2 * GAP, HEADER + height];
    let bytes = PAPER.repeat((size[0] * size[1]) as usize);
    let mut all = Picture { width: size[0], height: size[1], bytes };
    for (number, picture) in (0..).zip(&three) {
        let left = number * (width + GAP);
        paste(&mut all, picture, [left, HEADER]);
    }
    let place = |number: u32| [(number * (width + GAP)) as f32 + 4.0, 25.0];
    draw_text(&mut all, "cells", place(0), 22.0, MORE);
    draw_text(&mut all, "individuals", place(1), 22.0, LESS);
    let [mut left, baseline] = place(2);
    for (words, colour) in [("more cells", MORE), ("more individuals", LESS), (&format!("step {step}"), INK)] {
        left += draw_text(&mut all, words, [left, baseline], 22.0, colour) + 20.0;
    }
    all
}

/// Copies `picture` into `onto`. `left`, `top`: the place in `onto` of the picture's upper left corner, in pixels.
fn paste(onto: &mut Picture, picture: &Picture, [left, top]: [u32; 2]) {
    for (y, row) in (top..).zip(picture.bytes.chunks_exact(3 * picture.width as usize)) {
        let first = 3 * (y * onto.width + left) as usize;
        onto.bytes[first..first + row.len()].copy_from_slice(row);
    }
}

/// The colours of positive values (sky blue) and of negative values (orange). Colour-blind people can tell them apart,
/// and they differ in grey.
const MORE: [u8; 3] = [96, 180, 240];
const LESS: [u8; 3] = [240, 150, 40];

/// The picture of a difference over a lattice, with the size of the picture of a state. `value`: the difference at the
/// cell with an index. The values 1 and -1 have half of the maximum brightness.
fn difference(extents: Extents, edges: Edges, value: impl Fn(usize) -> f32 + Sync) -> Picture {
    let Frame { reduction, pixels, size: [width, height] } = Frame::new(extents);
    let places = Layers::of_cells(extents, reduction, |index| [value(index)]);
    let enlarged = Upsampler::new(&places, pixels, edges);
    let mut bytes = vec![0; 3 * width * height];
    bytes.par_chunks_mut(3 * width).enumerate().for_each_init(
        || (Vec::new(), vec![0.0; width]),
        |(blended, row), (y, bytes)| {
            enlarged.row(y, blended, row);
            for (pixel, value) in bytes.as_chunks_mut::<3>().0.iter_mut().zip(row) {
                *pixel = colour(*value);
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
        let extents = Extents::flat(96, 48);
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
