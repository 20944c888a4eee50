//! Draws points as short strokes along the flight of their boids.

use super::{Point, Points};
use crate::look::Look;
use crate::look::projection::{Place, Projection, dot};
use crate::numbers::{ONE, each_axis};
use crate::parallel::*;
use std::ops::Range;

/// Half of the length of a stroke, as a part of the way that the boid flies in a step.
pub const HALF_STROKE: f32 = 0.26;
/// The radius of a stroke, in cells.
pub const STROKE_RADIUS: f32 = 0.075;
/// The least radius of a stroke, in pixels.
pub const MIN_RADIUS: f32 = 1.0;
/// The factor on the size of strokes in a picture from straight above, where strokes never lie behind each other.
const ABOVE: f32 = 2.2;
/// The amount of a stroke is in proportion to the boids of its point, up to this number of boids.
pub const MAX_STROKE_BOIDS: f32 = 4.0;
/// A boid close to the eye fades. It is invisible up to the first depth, and fully visible from the second depth on.
/// Depths are parts of the distance from the eye to the target.
pub const CLOSE: [f32; 2] = [0.08, 0.30];

/// Two radii of a stroke, in pixels. Up to the first radius, wings are invisible. From the second radius on, they are
/// fully visible.
pub const WINGS: [f32; 2] = [1.3, 3.0];
/// The distance from the middle of a boid to the tip of a wing, to the side, in cells.
pub const SPAN: f32 = 0.30;
/// The distance of the tip of a wing behind the middle of the boid, as a part of [`SPAN`].
pub const SWEEP: f32 = 0.45;
/// The breadth of a wing at the body, and the decrease of the breadth to the tip. Both are parts of the radius of the
/// stroke.
pub const WING_BREADTH: [f32; 2] = [0.95, 0.70];

/// The maximum of the size of a stroke (a factor on its length and breadth) times the pixels along the side of a cell.
/// A shader draws a stroke in one loop over its pixels, and llvmpipe ends a loop after 65 535 rounds.
pub const STROKE_PIXELS: f32 = 120.0;
/// The number of points that are computed at a time.
const CHUNK: usize = 1 << 12;

/// The stroke of a point in a picture. Lengths and places are in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Stroke {
    middle: [f32; 2],
    /// The vector from the middle of the stroke to an end.
    half: [f32; 2],
    radius: f32,
    /// The amount of ink or light in the middle of the stroke; 1 for a boid that is drawn at its true breadth.
    amount: f32,
    /// The vectors from the middle of the stroke to the tips of the two wings.
    wings: [[f32; 2]; 2],
    /// The visibility of the wings, 0 to 1.
    wing_part: f32,
}

/// The factor on the length and breadth of strokes.
pub fn stroke_size(projection: &Projection, look: &Look) -> f32 {
    if projection.nearness == 0.0 { ABOVE * look.point_size } else { look.point_size }
}

/// The strokes of all points that are visible in a picture, each with its light or colour. `tone` computes this light
/// or colour from the place (cells) and the velocity (cells a step) of a point. Its third argument is the layer of the
/// point, or `None` if there is only one layer.
pub fn strokes<T: Send>(
    points: &Points,
    projection: &Projection,
    look: &Look,
    tone: impl Fn(Place, Place, Option<u32>) -> T + Sync,
) -> Vec<Vec<(Stroke, T)>> {
    let size = stroke_size(projection, look);
    let each = (points.boids_each() as f32).min(MAX_STROKE_BOIDS);
    let made = |point: &Point| {
        let (place, velocity) = (place_of(point), velocity_of(point));
        let place = each_axis(|axis| place[axis] - projection.behind * velocity[axis]);
        let stroke = Stroke::new(point, place, projection, size, true)?;
        let layer = (points.parameters.layers > 1).then(|| point.layer());
        Some((stroke.times(each * (f32::from(point.presence()) * (1.0 / 65535.0))), tone(place, velocity, layer)))
    };
    points.list.par_chunks(CHUNK).map(|chunk| chunk.iter().filter_map(made).collect()).collect()
}

/// A place as it is seen in a picture. It also projects directions from this place.
pub(super) struct PlaceInPicture {
    /// The place in the picture, in pixels.
    pub middle: [f32; 2],
    /// The depth of the place ahead of the eye, as a part of the target's distance.
    w: f32,
    /// Pixels along the side of a cell.
    pub scale: f32,
    /// The shift in the picture, in pixels, of a place one cell nearer to the eye.
    turn: [f32; 2],
}

impl PlaceInPicture {
    /// `None`: the place is behind the eye or next to it.
    #[inline(always)]
    pub fn new(place: Place, projection: &Projection) -> Option<Self> {
        let (middle, w) = projection.pixel_at(place)?;
        let turn = [0, 1].map(|axis| (middle[axis] - 0.5 * projection.size[axis] as f32) * (projection.nearness / w));
        Some(Self { middle, w, scale: projection.scale / w, turn })
    }

    /// The vector in the picture (pixels) of a direction in the world (cells), at this place.
    #[inline(always)]
    pub fn across(&self, projection: &Projection, direction: Place) -> [f32; 2] {
        let [right, up, ahead] = projection.axes.map(|axis| dot(axis, direction));
        [right * self.scale - self.turn[0] * ahead, -up * self.scale - self.turn[1] * ahead]
    }

    /// The direction from the place to the eye, as a unit vector.
    pub fn towards_eye(&self, projection: &Projection) -> Place {
        let [right, up, ahead] = projection.axes;
        let [across, down] = self.turn.map(|along| along / self.scale);
        let way = each_axis(|axis| down * up[axis] - across * right[axis] - ahead[axis]);
        let length = dot(way, way).sqrt();
        way.map(|axis| axis / length)
    }

    /// The visibility of a boid at the place, 0 to 1. A boid close to the eye is not or partly visible.
    #[inline(always)]
    pub fn near(&self) -> f32 {
        ((self.w - CLOSE[0]) * (1.0 / (CLOSE[1] - CLOSE[0]))).clamp(0.0, 1.0)
    }
}

impl Stroke {
    /// The stroke of a point. `place`: where it is drawn, in cells. `size`: the factor on its length and breadth.
    /// `None`: the stroke is outside of the picture.
    #[inline(always)]
    pub(super) fn new(
        point: &Point,
        place: Place,
        projection: &Projection,
        size: f32,
        has_wings: bool,
    ) -> Option<Self> {
        let velocity = velocity_of(point);
        let at = PlaceInPicture::new(place, projection)?;
        let size = size.min(STROKE_PIXELS / at.scale);
        let own_radius = STROKE_RADIUS * size * at.scale;
        let radius = own_radius.max(MIN_RADIUS);
        let half = at.across(projection, velocity).map(|along| HALF_STROKE * size * along);
        let length = (half[0] * half[0] + half[1] * half[1]).sqrt();
        // A stroke that is drawn broader than it is gets a smaller amount, so that the sum over its pixels stays.
        let share = own_radius * (length + own_radius) / (radius * (length + radius));
        let wing_part = ((own_radius - WINGS[0]) * (1.0 / (WINGS[1] - WINGS[0]))).clamp(0.0, 1.0);
        let wing_part = if has_wings { wing_part } else { 0.0 };
        let wings = if wing_part > 0.0 {
            tips(velocity, point.key()).map(|tip| at.across(projection, tip.map(|axis| axis * size)))
        } else {
            [[0.0; 2]; 2]
        };
        let stroke = Self { middle: at.middle, half, radius, amount: share * at.near(), wings, wing_part };
        let reach = stroke.reach();
        let is_seen = |axis: usize| {
            stroke.middle[axis] + reach[axis] > 0.0 && stroke.middle[axis] - reach[axis] < projection.size[axis] as f32
        };
        (is_seen(0) && is_seen(1)).then_some(stroke)
    }

    /// The stroke with its amount multiplied by `more`.
    #[inline(always)]
    pub(super) fn times(self, more: f32) -> Self {
        Self { amount: self.amount * more, ..self }
    }

    /// The radius of the stroke, in pixels.
    pub(super) fn radius(&self) -> f32 {
        self.radius
    }

    /// The distance along each axis from the middle of the stroke to its farthest pixel, in pixels.
    #[inline(always)]
    fn reach(&self) -> [f32; 2] {
        [0, 1].map(|axis| {
            self.half[axis].abs().max(self.wings[0][axis].abs()).max(self.wings[1][axis].abs()) + self.radius
        })
    }

    /// Draws the part of the stroke in `rows` rows of a picture, from the row `first` on. `add` gets the index of each
    /// pixel in these rows, and the amount there. d is the distance of a pixel from the middle line, and r the radius.
    /// The amount is (1 - d²/r²)² of the amount in the middle. Where the amount of a wing is greater, it replaces this
    /// amount.
    #[inline(always)]
    pub fn draw(&self, width: usize, first: usize, rows: usize, mut add: impl FnMut(usize, f32)) {
        let reach = self.reach();
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
                let mut part = inside * inside;
                if self.wing_part > 0.0 {
                    part = part.max(self.wing_part * self.in_wings([across, down]));
                }
                add((y - first) * width + x, self.amount * part);
            }
        }
    }

    /// The amount of the wings at a place, as a part of the amount in the middle of the stroke. `[across, down]`: from
    /// the middle, in pixels.
    fn in_wings(&self, [across, down]: [f32; 2]) -> f32 {
        let within = self.wings.map(|[x, y]| {
            let along = ((across * x + down * y) / (x * x + y * y + 1e-6)).clamp(0.0, 1.0);
            let (dx, dy) = (across - along * x, down - along * y);
            let breadth = self.radius * (WING_BREADTH[0] - WING_BREADTH[1] * along);
            let inside = (1.0 - (dx * dx + dy * dy) / (breadth * breadth)).max(0.0);
            inside * inside
        });
        within[0].max(within[1])
    }
}

/// The place of a point, in cells.
#[inline(always)]
fn place_of(point: &Point) -> Place {
    point.place().map(|axis| axis as f32 * (1.0 / 65536.0))
}

/// The velocity of a point, in cells a step.
#[inline(always)]
fn velocity_of(point: &Point) -> Place {
    point.velocity().map(|axis| axis as f32 * (1.0 / ONE as f32))
}

/// The tips of the wings of a boid, in cells from its middle. `key`: a random number of the boid, which sets the height
/// of its wings.
fn tips([x, y, z]: Place, key: u32) -> [Place; 2] {
    let level = (x * x + y * y).sqrt() + 1e-6;
    let speed = (level * level + z * z).sqrt();
    let raised = (key & 0xff) as f32 * (1.4 / 255.0) - 0.5;
    let (aside, raised) = (
        SPAN / level,
        [-x * z / (level * speed), -y * z / (level * speed), level / speed].map(|up| SPAN * raised * up),
    );
    let back = [x, y, z].map(|axis| -axis * (SPAN * SWEEP / speed));
    let tip = |side: f32| {
        [back[0] - side * aside * y + raised[0], back[1] + side * aside * x + raised[1], back[2] + raised[2]]
    };
    [tip(1.0), tip(-1.0)]
}

/// The range of pixels along an axis whose centres are within `reach` of a place. `range`: the pixels that may be
/// drawn.
#[inline(always)]
pub(super) fn pixels_of(middle: f32, reach: f32, range: Range<i32>) -> (usize, usize) {
    // Rounding towards 0 may add one pixel, but its amount is 0.
    let from = ((middle - reach + 0.5) as i32).clamp(range.start, range.end);
    let to = ((middle + reach + 0.5) as i32).clamp(range.start, range.end);
    (from as usize, to as usize)
}
