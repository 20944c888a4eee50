//! Falcons in pictures, as birds with a body, a tail and wings, and their wakes.

mod bird;

pub use bird::*;

use super::Point;
use super::strokes::{MIN_RADIUS, PlaceInPicture, STROKE_RADIUS, Stroke, pixels_of, stroke_size};
use crate::falcons::Falcon;
use crate::lanes::vector::normalise;
use crate::look::projection::{Place, Projection, dot};
use crate::look::{Look, smooth_rise};
use crate::numbers::each_axis;

/// The size of a falcon, as a multiple of the size of a boid.
pub const FALCON_SIZE: f32 = 5.5;
/// The maximum of the size of a falcon times the pixels along the side of a cell. A shader draws each slice of a falcon
/// in one loop, and llvmpipe ends a loop after 65 535 rounds.
pub const FALCON_PIXELS: f32 = 600.0;
/// The number of slices in which a device draws a falcon. Each slice has every `SLICES`-th row of pixels.
pub const SLICES: i32 = 40;
/// The amount of ink or light of a falcon, as a multiple of the amount of a boid.
pub const FALCON_AMOUNT: f32 = 3.0;
/// The part of the sun's light that a falcon shows.
pub const FALCON_LIGHT: f32 = 0.3;
/// The colour of a falcon, as a multiple of the light of a stroke.
pub const FALCON_COLOUR: [f32; 3] = [0.9, 0.55, 0.3];
/// The part of the light of [`FALCON_COLOUR`] that a falcon keeps if it is drawn large. So its shades are visible.
pub const FALCON_GLARE: f32 = 0.4;
/// Two radii of the body of a falcon, in pixels. Up to the first radius, the falcon keeps all of its light. From the
/// second radius on, it keeps the part [`FALCON_GLARE`].
pub const GLARE_FADES: [f32; 2] = [3.4, 10.0];
/// Two radii of the body of a falcon, in pixels. Up to the first radius, wings and tail are invisible. From the second
/// radius on, they are fully visible.
pub const FALCON_WINGS: [f32; 2] = [0.5, 1.2];

/// The number of strokes of a falcon's wake.
pub const WAKE: i32 = 24;
/// Steps from one stroke of a wake to the next.
pub const WAKE_STEP: f32 = 0.2;
/// The size of strokes of a wake, as a multiple of the size of their falcon.
pub const WAKE_SIZE: f32 = 0.3;
/// The amount of a stroke at the beginning of a wake, as a part of the amount of the falcon.
pub const WAKE_PRESENCE: f32 = 0.3;
/// Two distances behind the middle of a bird of size 1, in cells. The wake begins at the first distance, and has its
/// full amount from the second distance on.
pub const WAKE_BEGINS: [f32; 2] = [0.28, 0.46];

/// The brightness of a side away from the sun, and the brightness that full sunlight adds.
pub const FALCON_SHADE: [f32; 2] = [0.6, 1.2];
/// The brightness of the back and of the belly, and the factor on the brightness of the head.
pub const PLUMAGE: [f32; 3] = [0.6, 1.45, 0.78];

/// The factor on the cosine of the angle between the normal of feathers and the direction to the eye. The product,
/// clamped to ±1, blends the shades of both sides of the feathers.
pub const SIDES: f32 = 6.0;

/// The weight of a limb falls by the factor exp(-BLEND) for each radius of the falcon's body that a pixel is farther
/// away.
pub const BLEND: f32 = 6.0;

/// The strokes of the wakes of falcons that a picture shows, each with its light or colour. `tone` computes this light
/// or colour from the place of the stroke (cells) and the part of the light that the falcon keeps (see
/// [`FALCON_GLARE`]). A wake is a straight line: the way of the last steps if the falcon had flown at its present
/// velocity. So a wake depends on the present state only.
pub fn wakes<T>(
    falcons: &[Falcon],
    projection: &Projection,
    look: &Look,
    tone: impl Fn(Place, f32) -> T,
) -> Vec<(Stroke, T)> {
    let size = stroke_size(projection, look) * WAKE_SIZE * FALCON_SIZE;
    let flying = falcons.iter().filter(|falcon| falcon.velocity != [0; 3]);
    let all = flying.flat_map(|falcon| (1..=WAKE).map(move |index| (falcon, index)));
    let made = |(falcon, index): (&Falcon, i32)| {
        let left = 1.0 - index as f32 / (WAKE + 1) as f32;
        let steps = WAKE_STEP * index as f32;
        let place = place_of(falcon, projection.behind + steps);
        let point = Point::new([0; 3], normalise(falcon.velocity), 0);
        let way = steps * (1.0 / 1024.0) * length_of(falcon.velocity);
        let begun = smooth_rise(
            (way / (stroke_size(projection, look) * FALCON_SIZE) - WAKE_BEGINS[0]) / (WAKE_BEGINS[1] - WAKE_BEGINS[0]),
        );
        let stroke = Stroke::new(&point, place, projection, size, false)?;
        Some((
            stroke.times(FALCON_AMOUNT * WAKE_PRESENCE * left * left * begun),
            tone(place, glare(stroke.radius() / WAKE_SIZE)),
        ))
    };
    all.filter_map(made).collect()
}

/// The place of a falcon `steps` steps ago, in cells of a picture. Falcons have whole coordinates at the middle of a
/// cell, but in pictures the middle of a cell is at 0.5.
fn place_of(falcon: &Falcon, steps: f32) -> Place {
    each_axis(|axis| {
        falcon.place[axis] as f32 * (1.0 / 16.0) + 0.5 - steps * falcon.velocity[axis] as f32 * (1.0 / 1024.0)
    })
}

/// A triangle of feathers, in pixels from the middle of its falcon.
#[derive(Debug, Clone, Copy)]
struct Panel {
    corners: [[f32; 2]; 3],
    shade: f32,
}

/// A part of the body between two rings, in pixels from the middle of its falcon.
#[derive(Debug, Clone, Copy)]
struct Limb {
    from: [f32; 2],
    to: [f32; 2],
    /// The radii of both rings.
    radii: [f32; 2],
}

/// A falcon in pixels.
#[derive(Debug, Clone, Copy)]
pub struct FalconShape {
    middle: [f32; 2],
    radius: f32,
    /// The extent along each axis of the picture, in pixels from the middle.
    reach: [f32; 2],
    /// The amount of the falcon, as a multiple of a whole boid.
    amount: f32,
    /// The visibility of wings and tail, 0 to 1.
    wing_part: f32,
    /// Half of the thickness of feathers, and the breadth of an edge, in pixels.
    feather: f32,
    edge: f32,
    /// Tail and wings, the farther wing first.
    panels: [Panel; PANELS],
    limbs: [Limb; LIMBS],
    /// Whether the head is farther from the eye than the tail.
    flies_away: bool,
    /// The direction to the sun and the falcon's upward direction: components to the right, down and towards the eye.
    sun: Place,
    up: Place,
}

/// The falcons that a picture shows, each with its light or colour. `tone`: as for [`wakes`].
pub fn falcon_shapes<T>(
    falcons: &[Falcon],
    limits: &FlightLimits,
    projection: &Projection,
    look: &Look,
    sun: Place,
    tone: impl Fn(Place, f32) -> T,
) -> Vec<(FalconShape, T)> {
    let size = stroke_size(projection, look) * FALCON_SIZE;
    let made = |(index, falcon): (usize, &Falcon)| {
        let limits = limits.get(index).copied().unwrap_or_default();
        let shape = FalconShape::new(falcon, limits, projection, size, sun)?;
        Some((shape, tone(place_of(falcon, projection.behind), glare(shape.radius))))
    };
    falcons.iter().enumerate().filter_map(made).collect()
}

impl FalconShape {
    /// The shape of a falcon with these limits of its flight, for a bird of this size. `None`: the picture does not
    /// show it.
    fn new(falcon: &Falcon, limits: [f32; 4], projection: &Projection, size: f32, sun: Place) -> Option<Self> {
        let at = PlaceInPicture::new(place_of(falcon, projection.behind), projection)?;
        let size = size.min(FALCON_PIXELS / at.scale);
        let own_radius = STROKE_RADIUS * size * at.scale;
        let radius = own_radius.max(MIN_RADIUS);
        let frame = frame_of(falcon.velocity);
        let place =
            |[x, y, z]: Place| each_axis(|axis| size * (x * frame[0][axis] + y * frame[1][axis] + z * frame[2][axis]));
        let pixel = |corner: Place| at.across(projection, place(corner));
        let half = pixel([0.5 * (BODY[LIMBS][0] - BODY[0][0]), 0.0, 0.0]);
        let length = (half[0] * half[0] + half[1] * half[1]).sqrt();
        let towards_eye = at.towards_eye(projection);
        let in_picture = |direction: Place| {
            let [right, up, ahead] = projection.axes.map(|axis| dot(axis, direction));
            [right, -up, -ahead]
        };
        let panel = |corners: [Place; 3]| {
            let [a, b, c] = corners.map(place);
            let normal = cross(each_axis(|axis| b[axis] - a[axis]), each_axis(|axis| c[axis] - a[axis]));
            let normal = normal.map(|along| along / (dot(normal, normal).sqrt() + 1e-12));
            // 1: the side of the normal is visible; -1: the other side. The change is gradual, so that nothing jumps.
            let side = (SIDES * dot(normal, towards_eye)).clamp(-1.0, 1.0);
            let lit = (side * dot(normal, sun)).max(0.0);
            let side = side * dot(normal, frame[2]);
            Panel { corners: corners.map(pixel), shade: plumage(side) * (FALCON_SHADE[0] + FALCON_SHADE[1] * lit) }
        };
        let pose = Pose::new(falcon, limits, projection.behind);
        // The wing that is farther from the eye comes first.
        let first = if dot(frame[1], towards_eye) > 0.0 { -1.0 } else { 1.0 };
        let panels = triangles(&pose, first).map(panel);
        let rings = BODY.map(|[x, part]| (pixel([x, 0.0, 0.0]), part * radius * (1.0 / STROKE_RADIUS)));
        let limbs = std::array::from_fn(|index| {
            let [(from, first), (to, last)] = [rings[index], rings[index + 1]];
            Limb { from, to, radii: [first, last] }
        });
        let feather = (FEATHER[0] * size * at.scale).max(FEATHER[1]);
        let edge = 1.0 + 0.08 * radius;
        let corners = panels.iter().flat_map(|panel| panel.corners).chain(rings.map(|(at, _)| at));
        let widest = corners.fold([0.0f32; 2], |most, at| [0, 1].map(|axis| most[axis].max(at[axis].abs())));
        let shape = Self {
            middle: at.middle,
            radius,
            reach: widest.map(|most| most + edge + feather.max(1.1 * radius)),
            // A falcon that is drawn broader than it is gets a smaller amount, so that the sum over its pixels stays.
            amount: FALCON_AMOUNT * at.near() * own_radius * (length + own_radius) / (radius * (length + radius)),
            wing_part: ((own_radius - FALCON_WINGS[0]) * (1.0 / (FALCON_WINGS[1] - FALCON_WINGS[0]))).clamp(0.0, 1.0),
            feather,
            edge,
            panels,
            limbs,
            flies_away: dot(frame[0], towards_eye) < 0.0,
            sun: in_picture(sun),
            up: in_picture(frame[2]),
        };
        let is_seen = |axis: usize| {
            shape.middle[axis] + shape.reach[axis] > 0.0
                && shape.middle[axis] - shape.reach[axis] < projection.size[axis] as f32
        };
        (is_seen(0) && is_seen(1)).then_some(shape)
    }

    /// Draws the part of the falcon in a band of rows that begins with the row `first`. `add` gets the index of each
    /// pixel in the band, the amount there, and the shade, which is a factor on the light.
    pub fn draw(&self, width: usize, first: usize, rows: usize, mut add: impl FnMut(usize, f32, f32)) {
        let (top, bottom) = pixels_of(self.middle[1], self.reach[1], first as i32..(first + rows) as i32);
        let (left, right) = pixels_of(self.middle[0], self.reach[0], 0..width as i32);
        for y in top..bottom {
            let down = y as f32 + 0.5 - self.middle[1];
            for x in left..right {
                let (amount, shade) = self.at([x as f32 + 0.5 - self.middle[0], down]);
                if amount > 0.0 {
                    add((y - first) * width + x, self.amount * amount, shade);
                }
            }
        }
    }

    /// The amount of the falcon at a pixel (from its middle), and its shade there. The amount is the maximum over all
    /// parts. The shade of each part covers the shades of the parts before it.
    fn at(&self, pixel: [f32; 2]) -> (f32, f32) {
        let mut sum = (0.0, 1.0);
        for panel in &self.panels {
            cover(&mut sum, self.wing_part * self.covered(panel.distance(pixel) - self.feather), panel.shade);
        }
        let (trunk, head) = self.limbs.split_at(LIMBS - HEAD);
        let (trunk, head) = (self.in_limbs(trunk, pixel), self.in_limbs(head, pixel));
        let head = (head.0, PLUMAGE[2] * head.1);
        for (part, shade) in if self.flies_away { [head, trunk] } else { [trunk, head] } {
            cover(&mut sum, part, shade);
        }
        sum
    }

    /// The amount of a row of limbs at a pixel, and its shade there. The shade follows from a mean over the limbs, in
    /// which a limb has more weight if the pixel lies deeper in the limb.
    fn in_limbs(&self, limbs: &[Limb], pixel: [f32; 2]) -> (f32, f32) {
        let (mut nearest, mut sum, mut weight) = (f32::MAX, [0.0; 2], 1e-30);
        for limb in limbs {
            let (distance, radius, apart) = limb.distance(pixel);
            nearest = nearest.min(distance - radius);
            let counts = (-BLEND * (distance - radius) / self.radius).exp();
            sum = [0, 1].map(|axis| sum[axis] + counts / radius * apart[axis]);
            weight += counts;
        }
        (self.covered(nearest), self.shade_of_body(sum.map(|along| along / weight)))
    }

    /// The part of a pixel that lies within an outline. `distance`: from the outline to the pixel, in pixels; negative
    /// inside.
    fn covered(&self, distance: f32) -> f32 {
        (0.5 - distance / self.edge).clamp(0.0, 1.0)
    }

    /// The shade of the body. `[right, down]`: the offset of the place from the middle line of the body, in radii of
    /// the body.
    fn shade_of_body(&self, [right, down]: [f32; 2]) -> f32 {
        let normal = [right, down, (1.0 - right * right - down * down).max(0.0).sqrt()];
        let lit = dot(normal, self.sun).max(0.0);
        plumage(dot(normal, self.up)) * (FALCON_SHADE[0] + FALCON_SHADE[1] * lit)
    }
}

/// The part of the light that is left for a falcon of this radius (pixels), or for its wake.
fn glare(radius: f32) -> f32 {
    let part = (radius - GLARE_FADES[0]) * (1.0 / (GLARE_FADES[1] - GLARE_FADES[0]));
    1.0 + (FALCON_GLARE - 1.0) * part.clamp(0.0, 1.0)
}

/// Draws a part of the falcon over an amount and its shade at a pixel. `part`, `shade`: the amount and the shade of the
/// part.
fn cover(sum: &mut (f32, f32), part: f32, shade: f32) {
    if part > 0.0 {
        sum.0 = part.max(sum.0);
        sum.1 += (shade - sum.1) * (part / sum.0);
    }
}

/// The brightness of feathers that look up (1), aside (0) or down (-1).
fn plumage(up: f32) -> f32 {
    PLUMAGE[1] + (PLUMAGE[0] - PLUMAGE[1]) * (0.5 + 0.5 * up)
}

/// The place on a line that is nearest to a pixel, and the vector from this place to the pixel. The place is a part of
/// the line, from 0 (beginning) to 1 (end). `way`: the vector from the beginning of the line to its end. `away`: the
/// vector from the beginning of the line to the pixel.
fn apart_from(way: [f32; 2], away: [f32; 2]) -> (f32, [f32; 2]) {
    let square = way[0] * way[0] + way[1] * way[1] + 1e-6;
    let along = ((away[0] * way[0] + away[1] * way[1]) / square).clamp(0.0, 1.0);
    (along, [away[0] - along * way[0], away[1] - along * way[1]])
}

impl Panel {
    /// The distance of a pixel from the triangle, negative inside.
    fn distance(&self, pixel: [f32; 2]) -> f32 {
        let (mut nearest, mut inside) = (f32::MAX, f32::MAX);
        let [a, b, c] = self.corners;
        let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        for side in 0..3 {
            let (from, to) = (self.corners[side], self.corners[(side + 1) % 3]);
            let [way, away] = [to, pixel].map(|end| [end[0] - from[0], end[1] - from[1]]);
            let (_, apart) = apart_from(way, away);
            nearest = nearest.min(apart[0] * apart[0] + apart[1] * apart[1]);
            let within = way[0] * away[1] - way[1] * away[0];
            inside = inside.min(if turn < 0.0 { -within } else { within });
        }
        if inside > 0.0 { -nearest.sqrt() } else { nearest.sqrt() }
    }
}

impl Limb {
    /// The distance of a pixel from the middle line of the limb, the radius of the limb at the nearest place of this
    /// line, and the vector from this place to the pixel. All are in pixels.
    fn distance(&self, pixel: [f32; 2]) -> (f32, f32, [f32; 2]) {
        let [way, away] = [self.to, pixel].map(|end| [end[0] - self.from[0], end[1] - self.from[1]]);
        let (along, apart) = apart_from(way, away);
        let radius = self.radii[0] + (self.radii[1] - self.radii[0]) * along;
        ((apart[0] * apart[0] + apart[1] * apart[1]).sqrt(), radius, apart)
    }
}
