//! The sky at dusk, by direction.

use crate::look::projection::{FIRST_VIEW, Place, Projection, axes_of, dot, focus};
use crate::look::smooth_rise;
use crate::world::Extents;

/// The colours of the sky from the mist below the horizon upwards, as parts of the screen's white.
pub const SKY_MIST: [f32; 3] = [0.27, 0.25, 0.36];
pub const SKY_LOW: [f32; 3] = [0.95, 0.57, 0.36];
pub const SKY_MIDDLE: [f32; 3] = [0.63, 0.50, 0.57];
pub const SKY_HIGH: [f32; 3] = [0.17, 0.25, 0.44];
/// The transitions from each colour to the next, as sines of the elevation.
pub const MIST_TO_LOW: [f32; 2] = [-0.75, -0.24];
pub const LOW_TO_MIDDLE: [f32; 2] = [-0.26, 0.16];
pub const MIDDLE_TO_HIGH: [f32; 2] = [-0.02, 0.44];
/// The light that the sun adds widely around itself, and next to itself.
pub const AFTERGLOW: [f32; 3] = [0.10, 0.10, 0.0];
pub const SUNSHINE: [f32; 3] = [0.14, 0.26, 0.10];
/// The angles of the direction to the sun, in radians: the yaw from the first view to the left, and the pitch.
pub const SUN_YAW: f32 = 0.40;
pub const SUN_PITCH: f32 = 0.26;

/// Pixels from one computed colour to the next.
const APART: usize = 16;

/// The sky behind a picture.
pub struct Sky {
    /// Directions to the right, up and ahead.
    pub axes: [Place; 3],
    /// The direction to the sun.
    pub sun: Place,
    /// The focal length in pixels.
    pub focus: f32,
}

/// The direction to the sun.
fn sun() -> Place {
    let [_, _, ahead] = axes_of([FIRST_VIEW[0] + SUN_YAW, SUN_PITCH]);
    ahead
}

/// The direction to the sun in a world. In a flat world it is the direction across the picture.
pub fn towards_sun(extents: Extents) -> Place {
    let [right, up, _] = axes_of(FIRST_VIEW);
    match extents.depth {
        Some(_) => sun(),
        None => [dot(right, sun()), -dot(up, sun()), 0.0],
    }
}

impl Sky {
    /// The sky of a camera. A picture from above has the sky of the first view.
    pub fn new(projection: &Projection) -> Self {
        let is_above = projection.nearness == 0.0;
        let axes = if is_above { axes_of(FIRST_VIEW) } else { projection.axes };
        Self { axes, sun: sun(), focus: focus(projection.size) }
    }

    /// Fills a row of red, green and blue with the colours of pixels from (x, y) on, counted from the middle of the
    /// picture. Every `APART`-th colour is computed, and the others are interpolated.
    pub fn row(&self, x: f32, y: f32, row: [&mut [f32]; 3]) {
        let [right, up, ahead] = self.axes;
        let (rise, rise_along) = (ahead[2] * self.focus - up[2] * y, right[2]);
        let (near, near_along) = (dot(ahead, self.sun) * self.focus - dot(up, self.sun) * y, dot(right, self.sun));
        let square = self.focus * self.focus + y * y;
        let at = |index: usize| {
            let x = x + index as f32;
            let inverse = 1.0 / (square + x * x).sqrt();
            colour((rise + rise_along * x) * inverse, (near + near_along * x) * inverse)
        };
        let [red, green, blue] = row.map(|layer| layer.chunks_mut(APART));
        let mut from = at(0);
        for (index, ((red, green), blue)) in red.zip(green).zip(blue).enumerate() {
            let to = at((index + 1) * APART);
            for (channel, colours) in [red, green, blue].into_iter().enumerate() {
                let slope = (to[channel] - from[channel]) * (1.0 / APART as f32);
                for (pixel, colour) in colours.iter_mut().enumerate() {
                    *colour = from[channel] + slope * pixel as f32;
                }
            }
            from = to;
        }
    }
}

/// The colour at a sine of elevation and a cosine of the angle to the sun.
#[inline(always)]
fn colour(elevation: f32, nearness: f32) -> [f32; 3] {
    let low = smoothstep(MIST_TO_LOW, elevation);
    let middle = smoothstep(LOW_TO_MIDDLE, elevation);
    let high = smoothstep(MIDDLE_TO_HIGH, elevation);
    let near = nearness.max(0.0);
    let two = near * near;
    let eight = two * two * (two * two);
    let wide = eight * two;
    let close = eight * eight * (eight * eight);
    std::array::from_fn(|channel| {
        let mut colour = SKY_MIST[channel] + (SKY_LOW[channel] - SKY_MIST[channel]) * low;
        colour += (SKY_MIDDLE[channel] - colour) * middle;
        colour += (SKY_HIGH[channel] - colour) * high;
        colour += AFTERGLOW[channel] * wide + SUNSHINE[channel] * close;
        colour.clamp(0.0, 1.0)
    })
}

#[inline(always)]
fn smoothstep([from, to]: [f32; 2], value: f32) -> f32 {
    smooth_rise((value - from) * (1.0 / (to - from)))
}
