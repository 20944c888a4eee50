//! The legend in a corner: the colours of headings, speeds or densities.

use super::ring::bands;
use super::style::INK;
use crate::observe::{PALETTE, encoded, heading_colour, light_of, palette};
use crate::preset::{Colouring, Look};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Vec2, pos2, vec2};
use std::f32::consts::TAU;

const CORNERS: u32 = 72;
const RADIUS: f32 = 21.0;
const BREADTH: f32 = 6.0;
const BAR: Vec2 = vec2(120.0, 5.0);
/// The bar is made of this many rectangles.
const COLUMNS: usize = 60;

/// Draws the legend into the lower left corner of `area`.
pub fn show(painter: &Painter, area: Rect, look: &Look) {
    match look.colour {
        Colouring::Heading => wheel(painter, area.left_bottom() + vec2(44.0, -44.0), look),
        Colouring::Speed => bar(painter, area, look.colour, ["at rest", "1 cell/step"]),
        Colouring::Density => bar(painter, area, look.colour, ["thin", "crowded"]),
    }
}

/// Draws the colour wheel: a boid that heads from its middle to a colour has that colour.
fn wheel(painter: &Painter, at: Pos2, look: &Look) {
    let corner = |corner: u32, (far, part): (f32, f32)| {
        let out = Vec2::angled(TAU * corner as f32 / CORNERS as f32);
        let [red, green, blue] = heading_colour(look, [out.x, out.y]);
        (at + (RADIUS - BREADTH + far) * out, Color32::from_rgb(red, green, blue).gamma_multiply(0.85 * part))
    };
    // Transparent at both edges, so that the ring is smooth.
    let lines = [(0.0, 0.0), (1.0, 1.0), (BREADTH - 1.0, 1.0), (BREADTH, 0.0)];
    painter.add(bands(&lines.map(|line| (0..CORNERS).map(|index| corner(index, line)).collect())));
}

fn bar(painter: &Painter, area: Rect, colouring: Colouring, [least, most]: [&str; 2]) {
    let left = pos2(area.left() + 24.0, area.bottom() - 30.0);
    for column in 0..COLUMNS {
        let colour = palette(colouring)[column * (PALETTE - 1) / (COLUMNS - 1)];
        let [red, green, blue] = encoded(colour.map(|channel| 2.0 * light_of(1.0) * channel));
        let at = left + vec2(BAR.x * column as f32 / COLUMNS as f32, 0.0);
        let place = Rect::from_min_size(at, vec2(BAR.x / COLUMNS as f32, BAR.y));
        painter.rect_filled(place, 0.0, Color32::from_rgb(red, green, blue).gamma_multiply(0.85));
    }
    let (font, ink) = (FontId::proportional(11.0), INK.gamma_multiply(0.62));
    painter.text(left + vec2(0.0, BAR.y + 3.0), Align2::LEFT_TOP, least, font.clone(), ink);
    painter.text(left + vec2(BAR.x, BAR.y + 3.0), Align2::RIGHT_TOP, most, font, ink);
}
