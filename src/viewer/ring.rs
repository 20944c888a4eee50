//! Rings, discs and polygons on the plane of the lattice: round from above, in perspective from around.

use super::sides::Side;
use egui::{Color32, Mesh, Painter, Pos2, Shape, Stroke, vec2};
use glam::Vec2;
use murmuration_gpu::look::ViewTransform;
use std::f32::consts::TAU;

const CORNERS: u32 = 96;

/// The plane in one part of the window. Places and lengths are in pixels of the picture of [`Side::camera`].
pub struct Plane<'a> {
    side: &'a Side,
    painter: Painter,
}

impl<'a> Plane<'a> {
    /// `painter` is clipped to this part of the window.
    pub fn new(painter: &Painter, side: &'a Side) -> Self {
        let pane = side.within(painter.clip_rect(), painter.ctx().pixels_per_point());
        Self { side, painter: painter.with_clip_rect(pane) }
    }

    pub fn painter(&self) -> &Painter {
        &self.painter
    }

    /// The logical pixel of the window at a place; `None`: the place is behind the eye.
    pub fn at(&self, place: Vec2) -> Option<Pos2> {
        let pixels_per_point = self.painter.ctx().pixels_per_point();
        self.side.in_window(place).map(|pixel| (pixel / pixels_per_point).to_array().into())
    }

    /// The corners of a circle in the window; `None`: a part of the circle is behind the eye. In a deep world of cells,
    /// or among rock, the circle is the outline of a ball.
    fn circle(&self, middle: Vec2, radius: f32) -> Option<Vec<Pos2>> {
        if let Some(orbit) = self.side.orbit_in_depth() {
            let projection = orbit.projection(self.side.pane.size);
            let away = 1.0 + projection.nearness * self.side.depth.ahead;
            let outline = outline(radius / projection.scale, away / projection.nearness)?;
            let pixels_away = away * self.painter.ctx().pixels_per_point();
            let at = self.at(middle)?;
            let radius = outline * projection.scale / pixels_away;
            return Some(
                (0..CORNERS)
                    .map(|corner| {
                        let Vec2 { x, y } = radius * Vec2::from_angle(TAU * corner as f32 / CORNERS as f32);
                        at + vec2(x, y)
                    })
                    .collect(),
            );
        }
        let direction = |corner: u32| Vec2::from_angle(TAU * corner as f32 / CORNERS as f32);
        (0..CORNERS).map(|corner| self.at(middle + radius * direction(corner))).collect()
    }

    pub fn ring(&self, place: Vec2, radius: f32, stroke: Stroke) {
        let pixels_per_point = self.painter.ctx().pixels_per_point();
        match (&self.side.transform, self.at(place)) {
            (ViewTransform::Above(_), Some(at)) => {
                self.painter.circle_stroke(at, radius / pixels_per_point, stroke);
            }
            _ => {
                if let Some(corners) = self.circle(place, radius) {
                    self.painter.add(Shape::closed_line(corners, stroke));
                }
            }
        }
    }

    pub fn disc(&self, place: Vec2, radius: f32, ink: Color32) {
        if let Some(corners) = self.circle(place, radius) {
            self.painter.add(Shape::convex_polygon(corners, ink, Stroke::NONE));
        }
    }

    /// Draws a convex polygon whose edges meet the edges of its neighbours without a seam.
    pub fn polygon(&self, corners: impl Iterator<Item = Vec2>, ink: Color32) {
        if let Some(corners) = corners.map(|corner| self.at(corner)).collect() {
            self.painter.add(Shape::convex_polygon(corners, ink, Stroke::new(0.8, ink)));
        }
    }

    /// Draws a fine ring whose glow fades inward and outward.
    pub fn reach(&self, place: Vec2, radius: f32, colour: Color32, strength: f32) {
        // Radii from the middle to the end of the ring's glow, each with the opacity there.
        let rings = [(0.0, 0.0), (radius * 0.75, 0.035), (radius, 0.16), (radius * 1.02, 0.07), (radius * 1.22, 0.0)];
        let mut circles = Vec::new();
        for (far, light) in rings {
            let Some(corners) = self.circle(place, far) else { return };
            let ink = colour.gamma_multiply(light * strength);
            circles.push(corners.into_iter().map(|corner| (corner, ink)).collect());
        }
        self.painter.add(bands(&circles));
        self.ring(place, radius, Stroke::new(1.1, colour.gamma_multiply(0.35 + 0.5 * strength)));
    }
}

/// The radius of a circle around the centre of a ball that looks as large as the ball, in cells. The circle is larger
/// than the ball, because lines of sight touch the ball in front of its centre:
///   outline = radius / sqrt(1 - (radius / distance)²)
/// `radius`: of the ball. `distance`: from the eye to the centre. `None`: the eye is in the ball or nearly touches it.
fn outline(radius: f32, distance: f32) -> Option<f32> {
    let part = radius / distance;
    (0.0..0.98).contains(&part).then(|| radius / (1.0 - part * part).sqrt())
}

/// The bands between closed lines with equal numbers of corners. Colours blend from each line to the next.
pub fn bands(lines: &[Vec<(Pos2, Color32)>]) -> Shape {
    let mut mesh = Mesh::default();
    for line in lines.windows(2) {
        let corners = line[0].len();
        for corner in 0..corners {
            let first = mesh.vertices.len() as u32;
            for (at, ink) in
                [corner, (corner + 1) % corners].into_iter().flat_map(|corner| [line[0][corner], line[1][corner]])
            {
                mesh.colored_vertex(at, ink);
            }
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 2, first + 1, first + 3);
        }
    }
    Shape::mesh(mesh)
}

#[cfg(test)]
mod tests {
    use super::outline;

    #[test]
    fn a_ball_seems_larger_than_its_great_circle_from_near() {
        assert_eq!(outline(0.0, 50.0), Some(0.0));
        let [far, near] = [100.0, 10.0].map(|distance| outline(6.0, distance).unwrap());
        assert!((far - 6.0).abs() < 0.02 && (near - 7.5).abs() < 1e-4, "{far} {near}");
        assert_eq!(outline(6.0, 6.0), None, "the eye is in it");
        assert_eq!(outline(6.0, -3.0), None, "it is behind the eye");
    }
}
