//! Text in pictures.

use super::Picture;
use ab_glyph::{Font, FontRef, PxScale, ScaleFont};
use std::sync::LazyLock;

/// The typeface of texts, the same as in the window of the program; `None`: the typeface cannot be read.
static TYPEFACE: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok());

/// Draws text into a picture. `left` and `baseline` are pixels from the upper left corner, `height` is the height of a
/// line in pixels. Parts outside of the picture are left out. Returns the width of the text in pixels.
pub fn draw_text(picture: &mut Picture, text: &str, [left, baseline]: [f32; 2], height: f32, colour: [u8; 3]) -> f32 {
    let Some(typeface) = TYPEFACE.as_ref() else { return 0.0 };
    let scaled = typeface.as_scaled(PxScale::from(height));
    let (mut at, mut before) = (left, None);
    for letter in text.chars() {
        let id = scaled.glyph_id(letter);
        at += before.map_or(0.0, |before| scaled.kern(before, id));
        let glyph = id.with_scale_and_position(height, (at, baseline));
        at += scaled.h_advance(id);
        before = Some(id);
        let Some(outline) = typeface.outline_glyph(glyph) else { continue };
        let bounds = outline.px_bounds();
        outline.draw(|x, y, covered| {
            let (x, y) = (bounds.min.x as i64 + i64::from(x), bounds.min.y as i64 + i64::from(y));
            if (0..i64::from(picture.width)).contains(&x) && (0..i64::from(picture.height)).contains(&y) {
                let first = 3 * (y as usize * picture.width as usize + x as usize);
                for (byte, ink) in picture.bytes[first..first + 3].iter_mut().zip(colour) {
                    let below = f32::from(*byte);
                    *byte = (below + (f32::from(ink) - below) * covered.min(1.0)).round() as u8;
                }
            }
        });
    }
    at - left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_leaves_ink_where_it_stands_and_nowhere_else() {
        let mut picture = Picture { width: 120, height: 40, bytes: vec![0; 3 * 120 * 40] };
        let wide = draw_text(&mut picture, "cells", [10.0, 28.0], 20.0, [200, 100, 50]);
        assert!((20.0..80.0).contains(&wide), "{wide}");
        let inked = |x: std::ops::Range<usize>| {
            let row = |y: usize| x.clone().any(|x| picture.bytes[3 * (y * 120 + x)] > 100);
            (0..40).any(row)
        };
        assert!(inked(10..10 + wide as usize) && !inked(0..8) && !inked(90..120));
        // Text beyond the edges is cut.
        draw_text(&mut picture, "beyond", [-30.0, 3.0], 50.0, [255; 3]);
        draw_text(&mut picture, "beyond", [110.0, 60.0], 50.0, [255; 3]);
    }
}
