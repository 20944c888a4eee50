//! The legend of a picture of values: the colour scale and its values, below the picture.

use super::text::draw_text;
use super::{Picture, axis_of, layer_of, scale_colour};
use murmuration_core::look::{Look, Style};
use murmuration_core::state::boids;
use murmuration_core::text::readable::short;
use murmuration_core::world::Extents;

const HEIGHT: u32 = 32;
const MARGIN: u32 = 10;
/// The maximum width of the colour scale in pixels.
const WIDTH: u32 = 200;
/// The colour scale covers at most 1/`PART` of the width of the picture.
const PART: u32 = 4;
const TEXT: f32 = 16.0;
const PAPER: [u8; 3] = [10, 13, 22];
const INK: [u8; 3] = [190, 196, 206];

/// The text of the legend about the values of a picture. It names the unit, and in a deep world the layer of a slice or
/// the axis of a sum.
pub fn name_of_values(extents: Extents, look: &Look) -> String {
    let axis = ["x", "y", "z"][axis_of(extents, look)];
    let layers = extents.along_axes()[axis_of(extents, look)];
    match look.style {
        _ if extents.depth.is_none() => "boids a cell".into(),
        Style::Projection => format!("boids, summed along {axis}"),
        _ => format!("boids a cell, {axis} = {} of 0 to {}", layer_of(extents, look), layers - 1),
    }
}

/// Adds a legend below a picture of values: the colour scale from 0 to `top`, which is the value of the last colour in
/// quanta.
pub fn with_legend(mut picture: Picture, extents: Extents, look: &Look, top: u64) -> Picture {
    let (width, above) = (picture.width, picture.height);
    picture.bytes.extend(PAPER.repeat((width * HEIGHT) as usize));
    picture.height += HEIGHT;
    let baseline = (above + HEIGHT - 11) as f32;
    let zero = draw_text(&mut picture, "0", [MARGIN as f32, baseline], TEXT, INK);
    let from = MARGIN + zero as u32 + 8;
    let scale = WIDTH.min(width / PART).max(1);
    for y in above + MARGIN..above + HEIGHT - MARGIN {
        for column in 0..scale.min(width.saturating_sub(from)) {
            let at = 3 * (y * width + from + column) as usize;
            picture.bytes[at..at + 3].copy_from_slice(&scale_colour(column as f32 / scale as f32));
        }
    }
    let text = format!("{} {}", short(boids(top)), name_of_values(extents, look));
    draw_text(&mut picture, &text, [(from + scale + 8) as f32, baseline], TEXT, INK);
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::numbers::BOID;

    #[test]
    fn a_legend_stands_below_the_picture_and_leaves_it_as_it_is() {
        for width in [1, 30, 400] {
            let picture = Picture { width, height: 20, bytes: vec![77; 60 * width as usize] };
            let look = Look { style: Style::Slice, ..Look::default() };
            let of = |top| with_legend(picture.clone(), Extents::flat(9, 9), &look, top * u64::from(BOID));
            let with = of(5);
            assert_eq!((with.width, with.height), (width, 20 + HEIGHT));
            assert_eq!(with.bytes.len(), (3 * width * (20 + HEIGHT)) as usize);
            assert_eq!(with.bytes[..picture.bytes.len()], picture.bytes);
            if width == 400 {
                assert_ne!(with.bytes, of(7).bytes, "the top is written");
                let brightest = with.bytes[picture.bytes.len()..].as_chunks::<3>().0.iter();
                assert!(brightest.clone().any(|pixel| *pixel == scale_colour(99.0 / 100.0)), "the scale is drawn");
            }
        }
    }

    #[test]
    fn values_are_named_by_their_axis_and_layer() {
        let name = |extents, style| name_of_values(extents, &Look { style, axis: 1, layer: 0.5, ..Look::default() });
        assert_eq!(name(Extents::flat(5, 4), Style::Projection), "boids a cell");
        assert_eq!(name(Extents::deep(5, 4, 3), Style::Projection), "boids, summed along y");
        assert_eq!(name(Extents::deep(5, 4, 3), Style::Slice), "boids a cell, y = 2 of 0 to 3");
    }
}
