//! The picture of a step of a comparison: the cells, the individuals, and the difference of their densities.

use super::grain::CoarseDensity;
use super::pair::ByModel;
use crate::observe::{LESS, MORE, Picture, difference, draw_text, reduced};
use crate::preset::Preset;

/// The greatest width of each of the three panels, in points.
const WIDTH: u32 = 480;
const GAP: u32 = 8;
const HEADER: u32 = 36;
const PAPER: [u8; 3] = [10, 13, 22];
const INK: [u8; 3] = [150, 158, 172];

/// The pictures of both models and the picture of their difference side by side, with titles. The difference is that of the
/// coarse-grained densities; a difference equal to the exposure of the look has half of the greatest brightness.
pub fn panels(step: u64, preset: &Preset, pictures: ByModel<Picture>, coarse: &ByModel<CoarseDensity>) -> Picture {
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

/// Copies a picture into another one, whose left upper corner is given.
fn paste(onto: &mut Picture, picture: &Picture, [left, top]: [u32; 2]) {
    for (y, row) in (top..).zip(picture.bytes.chunks_exact(3 * picture.width as usize)) {
        let first = 3 * (y * onto.width + left) as usize;
        onto.bytes[first..first + row.len()].copy_from_slice(row);
    }
}
