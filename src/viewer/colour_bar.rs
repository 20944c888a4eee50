//! Colour scales and legend rows in a corner of the picture.

use super::theme::INK;
use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Vec2, pos2, vec2};
use murmuration_core::text::readable::grouped;

/// The width and height of the colour scale in logical pixels.
const BAR: egui::Vec2 = vec2(120.0, 5.0);
/// The number of rectangles of one colour in the colour scale.
const COLUMNS: usize = 60;

/// Draws a colour scale into the lower left corner of `area`. `colour`: the RGB colour at a place from 0 to 1. `least`
/// and `most`: the texts at the two ends.
pub fn colour_bar(painter: &Painter, area: Rect, colour: impl Fn(f32) -> [u8; 3], [least, most]: [&str; 2]) {
    let left = pos2(area.left() + 24.0, area.bottom() - 30.0);
    let mut mesh = Mesh::default();
    for column in 0..=COLUMNS {
        let [red, green, blue] = colour(column as f32 / COLUMNS as f32);
        for y in [0.0, BAR.y] {
            let at = left + vec2(BAR.x * column as f32 / COLUMNS as f32, y);
            mesh.colored_vertex(at, Color32::from_rgb(red, green, blue).gamma_multiply(0.85));
        }
        if column > 0 {
            let here = 2 * column as u32;
            mesh.add_triangle(here - 2, here - 1, here);
            mesh.add_triangle(here, here - 1, here + 1);
        }
    }
    painter.add(mesh);
    let font = FontId::proportional(11.0);
    let ink = INK.gamma_multiply(0.62);
    painter.text(left + vec2(0.0, BAR.y + 3.0), Align2::LEFT_TOP, least, font.clone(), ink);
    painter.text(left + vec2(BAR.x, BAR.y + 3.0), Align2::RIGHT_TOP, most, font, ink);
}

/// Draws rows of a legend downwards. Each row is a dot, a name and a count. `left`: the left end of the first row.
/// `size`: the size of a row in logical pixels.
pub fn legend_rows<'a>(
    painter: &Painter,
    mut left: Pos2,
    size: Vec2,
    rows: impl IntoIterator<Item = (Color32, &'a str, u64)>,
) {
    let font = FontId::proportional(12.0);
    for (colour, name, count) in rows {
        let middle = left.y + 0.5 * size.y;
        painter.circle_filled(pos2(left.x + 4.0, middle), 3.5, colour);
        let text = |x, align, words: &str, strength| {
            painter.text(pos2(x, middle), align, words, font.clone(), INK.gamma_multiply(strength));
        };
        text(left.x + 14.0, Align2::LEFT_CENTER, name, 0.72);
        text(left.x + size.x, Align2::RIGHT_CENTER, &grouped(count), 0.9);
        left.y += size.y;
    }
}
