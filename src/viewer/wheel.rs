//! The legend in a corner: which colour is which heading.

use crate::observe::heading_colour;
use crate::preset::Look;
use egui::{Color32, Mesh, Painter, Pos2, Shape, vec2};
use std::f32::consts::TAU;

const CORNERS: u32 = 72;
const RADIUS: f32 = 21.0;
const BREADTH: f32 = 6.0;

/// Draws the wheel around a point: a boid that heads from the middle to a colour has that colour.
pub fn show(painter: &Painter, at: Pos2, look: &Look) {
    let mut mesh = Mesh::default();
    for corner in 0..CORNERS {
        let angle = TAU * corner as f32 / CORNERS as f32;
        let out = vec2(angle.cos(), angle.sin());
        let [red, green, blue] = heading_colour(look, [out.x, out.y]);
        let colour = Color32::from_rgb(red, green, blue).gamma_multiply(0.85);
        // Clear at both rims, so that the ring has no steps.
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
