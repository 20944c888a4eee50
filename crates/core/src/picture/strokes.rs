//! Boids as short strokes along their flight, as they fall onto a picture.

use super::projection::{Place, Projection, dot};
use super::sample::Points;
use crate::parallel::*;
use std::ops::Range;

/// Half of the length of a stroke, in steps of its boid.
pub const HALF_STROKE: f32 = 0.26;
/// The radius of a stroke in cells, and its least value in pixels.
pub const STROKE_RADIUS: f32 = 0.075;
pub const LEAST_RADIUS: f32 = 1.0;
/// The most boids for which a point is as dark or as bright as they are together.
pub const MOST_EACH: f32 = 4.0;
/// Where a boid that comes close to the eye fades, in parts of the distance to the target.
pub const CLOSE: [f32; 2] = [0.08, 0.30];

/// Points that are worked out at a time.
const CHUNK: usize = 1 << 12;

/// A stroke in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Stroke {
    middle: [f32; 2],
    /// From the middle to an end.
    half: [f32; 2],
    radius: f32,
    /// How much of it there is in its middle; 1 for a boid that is drawn as broad as it is.
    amount: f32,
}

/// The strokes that a picture shows, each with its tone: `tone` is given the place (cells) and the velocity (cells a step).
pub fn strokes<T: Send>(
    points: &Points,
    projection: &Projection,
    size: f32,
    tone: impl Fn(Place, Place) -> T + Sync,
) -> Vec<Vec<(Stroke, T)>> {
    let each = (points.boids_each as f32).min(MOST_EACH) * (1.0 / 65535.0);
    let made = |index| {
        let [place, velocity] = points.motion(index);
        let stroke = Stroke::new(place, velocity, projection, size)?;
        let amount = stroke.amount * each * f32::from(points.presences[index]);
        Some((Stroke { amount, ..stroke }, tone(place, velocity)))
    };
    let count = points.places.len();
    let chunks = (0..count.div_ceil(CHUNK)).into_par_iter();
    chunks.map(|chunk| (chunk * CHUNK..((chunk + 1) * CHUNK).min(count)).filter_map(made).collect()).collect()
}

impl Stroke {
    /// `None`: the picture does not show it.
    fn new(place: Place, velocity: Place, projection: &Projection, size: f32) -> Option<Self> {
        let (middle, w) = projection.pixel_at(place)?;
        let scale = projection.scale / w;
        let [right, up, ahead] = projection.axes.map(|axis| dot(axis, velocity));
        // What flies towards the eye moves away from the middle of the picture.
        let turn = [0, 1].map(|axis| (middle[axis] - 0.5 * projection.size[axis] as f32) * (projection.nearness / w));
        let half =
            [right * scale - turn[0] * ahead, -up * scale - turn[1] * ahead].map(|along| HALF_STROKE * size * along);
        let length = (half[0] * half[0] + half[1] * half[1]).sqrt();
        let own_radius = STROKE_RADIUS * size * scale;
        let radius = own_radius.max(LEAST_RADIUS);
        let near = ((w - CLOSE[0]) * (1.0 / (CLOSE[1] - CLOSE[0]))).clamp(0.0, 1.0);
        // A stroke that is drawn broader than it is has the same amount in all.
        let share = own_radius * (length + own_radius) / (radius * (length + radius));
        let is_seen = [0, 1].into_iter().all(|axis| {
            let reach = half[axis].abs() + radius;
            middle[axis] + reach > 0.0 && middle[axis] - reach < projection.size[axis] as f32
        });
        is_seen.then_some(Self { middle, half, radius, amount: share * near })
    }

    /// Draws the part of the stroke that lies in a band of rows, `first` being its first row: gives `add` the index of each pixel
    /// in the band and the amount there. With d the distance of the pixel from the middle line and r the radius, the amount is
    /// (1 - d² / r²)² of that in the middle.
    #[inline(always)]
    pub fn draw(&self, width: usize, first: usize, rows: usize, mut add: impl FnMut(usize, f32)) {
        let reach = [0, 1].map(|axis| self.half[axis].abs() + self.radius);
        let (top, bottom) = pixels_of(self.middle[1], reach[1], first as i32..(first + rows) as i32);
        if top >= bottom {
            return;
        }
        let (left, right) = pixels_of(self.middle[0], reach[0], 0..width as i32);
        let [half_x, half_y] = self.half;
        let per_half = 1.0 / (half_x * half_x + half_y * half_y + 1e-6);
        let per_radius = 1.0 / (self.radius * self.radius);
        for y in top..bottom {
            let down = y as f32 + 0.5 - self.middle[1];
            for x in left..right {
                let across = x as f32 + 0.5 - self.middle[0];
                let along = ((across * half_x + down * half_y) * per_half).clamp(-1.0, 1.0);
                let (dx, dy) = (across - along * half_x, down - along * half_y);
                let inside = (1.0 - (dx * dx + dy * dy) * per_radius).max(0.0);
                add((y - first) * width + x, self.amount * (inside * inside));
            }
        }
    }
}

/// The pixels of a range along an axis whose middles lie within `reach` of a point.
#[inline(always)]
fn pixels_of(middle: f32, reach: f32, range: Range<i32>) -> (usize, usize) {
    // Rounded towards 0, which is a pixel more at most, where the amount is 0.
    let from = ((middle - reach + 0.5) as i32).clamp(range.start, range.end);
    let to = ((middle + reach + 0.5) as i32).clamp(range.start, range.end);
    (from as usize, to as usize)
}
