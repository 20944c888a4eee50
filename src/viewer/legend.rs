//! The legend in a corner: the colours of headings, speeds or densities.

use super::style::INK;
use crate::observe::{PALETTE, encoded, heading_colour, light_of, palette};
use crate::preset::{Colouring, Look};
use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, pos2, vec2};
use std::f32::consts::TAU;

const CORNERS: u32 = 72;
const RADIUS: f32 = 21.0;
const BREADTH: f32 = 6.0;
const BAR: egui::Vec2 = vec2(120.0, 5.0);

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
    let mut mesh = Mesh::default();
    for corner in 0..CORNERS {
        let angle = TAU * corner as f32 / CORNERS as f32;
        let out = vec2(angle.cos(), angle.sin());
        let [red, green, blue] = heading_colour(look, [out.x, out.y]);
        let colour = Color32::from_rgb(red, green, blue).gamma_multiply(0.85);
        // Transparent at both edges, so that the ring is smooth.
        for (far, part) in [(0.0, 0.0), (1.0, 1.0), (BREADTH - 1.0, 1.0), (BREADTH, 0.0)] {
            mesh.colored_vertex(at + (RADIUS - BREADTH + far) * out, colour.gamma_multiply(part));
        }
        for ring in 0..3 {
            let (here, next) = (4 * corner + ring, 4 * ((corner + 1) % CORNERS) + ring);
            mesh.add_triangle(here, here + 1, next);
            mesh.add_triangle(next, here + 1, next + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
}

fn bar(painter: &Painter, area: Rect, colouring: Colouring, [least, most]: [&str; 2]) {
    let left = pos2(area.left() + 24.0, area.bottom() - 30.0);
    let mut mesh = Mesh::default();
    let columns = 32;
    for column in 0..=columns {
        let colour = palette(colouring)[column * (PALETTE - 1) / columns];
        let [red, green, blue] = encoded(colour.map(|channel| 2.0 * light_of(1.0) * channel));
        let x = left.x + BAR.x * column as f32 / columns as f32;
        for y in [left.y, left.y + BAR.y] {
            mesh.colored_vertex(pos2(x, y), Color32::from_rgb(red, green, blue).gamma_multiply(0.85));
        }
        if column > 0 {
            let here = 2 * column as u32;
            mesh.add_triangle(here - 2, here - 1, here);
            mesh.add_triangle(here, here - 1, here + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
    let (font, ink) = (FontId::proportional(11.0), INK.gamma_multiply(0.62));
    painter.text(left + vec2(0.0, BAR.y + 3.0), Align2::LEFT_TOP, least, font.clone(), ink);
    painter.text(left + vec2(BAR.x, BAR.y + 3.0), Align2::RIGHT_TOP, most, font, ink);
}
