//! Falcons in pictures, as birds with a body, a tail and wings, and their wakes.
//!
//! The pose of a falcon is a function of its phase, its energy and its speed (`docs/window.md, How pictures are made`).

use super::Point;
use super::strokes::{MIN_RADIUS, PlaceInPicture, STROKE_RADIUS, Stroke, pixels_of, stroke_size};
use crate::falcons::{CLIMBS, Falcon, STOOPS, WAITS, YIELDS};
use crate::lanes::vector::normalise;
use crate::look::Look;
use crate::look::projection::{Place, Projection, dot};
use crate::numbers::{Vector3, each_axis};
use crate::world::{MAX_HUNTERS, World};

/// The size of a falcon, as a multiple of the size of a boid.
pub const FALCON_SIZE: f32 = 5.5;
/// The limit of the size of a falcon times the pixels along the side of a cell. A slice is drawn in one loop, as a
/// stroke is.
pub const FALCON_PIXELS: f32 = 600.0;
/// The number of slices in which a device draws a falcon. Each slice has every `SLICES`-th row of pixels.
pub const SLICES: i32 = 40;
/// The amount of a falcon, as a multiple of the amount of a boid.
pub const FALCON_AMOUNT: f32 = 3.0;
/// The part of the sun's light that a falcon shows.
pub const FALCON_LIGHT: f32 = 0.3;
/// The colour of a falcon, as a multiple of the light of a stroke.
pub const FALCON_COLOUR: [f32; 3] = [0.9, 0.55, 0.3];
/// The part of this light that is left for a falcon that is drawn large, so that its shades are visible.
pub const FALCON_GLARE: f32 = 0.4;
/// The radii of falcons, in pixels, from which the light falls and from which it is [`FALCON_GLARE`].
pub const GLARE_FADES: [f32; 2] = [3.4, 10.0];
/// The radii of falcons, in pixels, from which wings and tail show and from which they are whole.
pub const FALCON_WINGS: [f32; 2] = [0.5, 1.2];

/// The number of strokes of a falcon's wake.
pub const WAKE: i32 = 24;
/// Steps from one stroke of a wake to the next.
pub const WAKE_STEP: f32 = 0.2;
/// The size of strokes of a wake, as a multiple of the size of their falcon.
pub const WAKE_SIZE: f32 = 0.3;
/// The amount of the first stroke of a wake, as a part of a whole one.
pub const WAKE_PRESENCE: f32 = 0.3;
/// The distances behind the middle of a bird of size 1 at which a wake begins and is whole, in cells.
pub const WAKE_BEGINS: [f32; 2] = [0.28, 0.46];

/// The beats of the wings for each step of rest.
pub const WING_BEAT: f32 = 44.0 / 512.0;
/// The parts of the way from the usual speed to the peak from which wings fold and from which they are folded.
pub const FOLDS: [f32; 2] = [0.1, 0.8];

// A bird of size 1 has its own frame: x ahead, y to the left and z up, in cells. The right side mirrors the left.

/// The corners of a spread wing, in x and y: the shoulder before and behind, the wrist before and behind, the bend of
/// the hand before and behind, and the tip.
pub const SPREAD_WING: [[f32; 2]; 7] =
    [[0.10, 0.03], [-0.085, 0.03], [0.14, 0.24], [-0.02, 0.245], [0.087, 0.45], [-0.042, 0.42], [0.0, 0.64]];
/// The corners of a beating wing: see [`SPREAD_WING`].
pub const BEATING_WING: [[f32; 2]; 7] =
    [[0.10, 0.03], [-0.085, 0.03], [0.16, 0.22], [-0.01, 0.225], [0.052, 0.43], [-0.072, 0.38], [-0.10, 0.60]];
/// The corners of a folded wing: see [`SPREAD_WING`].
pub const FOLDED_WING: [[f32; 2]; 7] =
    [[0.10, 0.035], [-0.13, 0.0], [0.13, 0.085], [-0.02, 0.03], [-0.05, 0.096], [-0.18, 0.025], [-0.325, 0.035]];
/// The left corner of the end of a fanned tail.
pub const FANNED_TAIL: [f32; 2] = [-0.315, 0.13];
/// The left corner of the end of a half-closed tail.
pub const USUAL_TAIL: [f32; 2] = [-0.345, 0.056];
/// The left corner of the end of a closed tail.
pub const CLOSED_TAIL: [f32; 2] = [-0.355, 0.028];
/// The left corner of the tail's root, and the middle of its end.
pub const TAIL: [[f32; 2]; 2] = [[-0.12, 0.034], [-0.37, 0.0]];
/// Rings of the body from the root of the tail to the beak: the x of each ring, and its radius.
pub const BODY: [[f32; 2]; 7] =
    [[-0.20, 0.020], [-0.10, 0.052], [0.03, 0.078], [0.11, 0.071], [0.165, 0.050], [0.208, 0.049], [0.262, 0.006]];
/// Half of the thickness of feathers in cells, and its least value in pixels.
pub const FEATHER: [f32; 2] = [0.006, 0.45];

/// The slope at which the arm of a wing rises from the body: in the middle of a beat, the addition at the ends of a
/// beat, and for a spread wing.
pub const RISE: [f32; 3] = [0.12, 0.55, 0.16];
/// The slope at which the hand of a wing rises: see [`RISE`].
pub const HAND_RISE: [f32; 3] = [0.05, 0.75, 0.10];
/// The part of a beat by which the hand follows the arm.
pub const HAND_LAG: f32 = 0.1;
/// The part by which a wing folds on its way up.
pub const UPSTROKE: f32 = 0.22;

/// The light on a side away from the sun, and the light that the sun adds.
pub const FALCON_SHADE: [f32; 2] = [0.6, 1.2];
/// The brightness of the back and of the belly, and the factor on the brightness of the head.
pub const PLUMAGE: [f32; 3] = [0.6, 1.45, 0.78];

/// The speed of the change between both sides of feathers as they turn.
pub const SIDES: f32 = 6.0;

/// The decrease of the weight of a limb with the distance from it, as an exponent for each radius.
pub const BLEND: f32 = 6.0;

/// The number of triangles of a falcon: three of the tail, and those of both wings.
pub const PANELS: usize = 3 + 2 * WING_PANELS.len();
/// The number of parts of the body between two rings.
pub const LIMBS: usize = BODY.len() - 1;
/// The number of limbs of the head, which come last.
pub const HEAD: usize = 2;
/// The triangles of a wing by its corners.
pub const WING_PANELS: [[usize; 3]; 5] = [[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3], [4, 6, 5]];

/// The limits of each falcon's flight, in the order of the preset: the usual speed and the peak (1/1024 cell a step),
/// the steps of rest, and 0. All are 0 beyond the last falcon.
pub type FlightLimits = [[f32; 4]; MAX_HUNTERS];

/// The limits of the flights of a world.
pub fn flight_limits(world: &World) -> FlightLimits {
    let mut limits = FlightLimits::default();
    for (limits, flight) in limits.iter_mut().zip(world.flights()) {
        *limits = [flight.speed as f32, flight.peak as f32, flight.rest as f32, 0.0];
    }
    limits
}

/// The strokes of the wakes of falcons that a picture shows, each with its tone. `tone` gets the place, and the part of
/// the light that is left for a falcon of this size. A wake is the straight way of the last steps at the present
/// velocity. So it is a function of the state, like everything in pictures.
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
        let begun = smooth(
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

/// The place of a falcon `steps` steps ago, in cells. The middle of a cell is a whole number for a falcon, and half a
/// cell more in a picture.
fn place_of(falcon: &Falcon, steps: f32) -> Place {
    each_axis(|axis| {
        falcon.place[axis] as f32 * (1.0 / 16.0) + 0.5 - steps * falcon.velocity[axis] as f32 * (1.0 / 1024.0)
    })
}

fn length_of(velocity: Vector3) -> f32 {
    let velocity = velocity.map(|along| along as f32);
    dot(velocity, velocity).sqrt()
}

/// The pose of a falcon's wings and tail.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pose {
    /// The fold of the wings. 0: open, 1: folded along the body.
    fold: f32,
    /// The spread of the wings and the tail, 0 to 1.
    spread: f32,
    /// The strength of the beat, 0 to 1.
    beat: f32,
    /// The time of the beat, in beats.
    time: f32,
}

impl Pose {
    /// The pose of a falcon. `behind`: the part of the last step by which the pose lies in the past.
    fn new(falcon: &Falcon, [usual, peak, rest, _]: [f32; 4], behind: f32) -> Self {
        let speed = length_of(falcon.velocity);
        // Without a peak, only the phase tells whether it is fast.
        let fast =
            if peak > usual { (speed - usual) / (peak - usual) } else { f32::from(u8::from(falcon.phase == STOOPS)) };
        let fold = smooth((fast - FOLDS[0]) / (FOLDS[1] - FOLDS[0]));
        // A rested falcon that sees nothing glides.
        let is_rested = falcon.phase == WAITS && falcon.energy as f32 >= rest && rest > 0.0;
        let glides = matches!(falcon.phase, CLIMBS | YIELDS) || is_rested;
        let open = 1.0 - fold;
        let [spread, beat] = if glides { [open, 0.0] } else { [0.0, open] };
        Self { fold, spread, beat, time: (falcon.energy as f32 - behind) * WING_BEAT }
    }

    /// The corners of the left wing in the bird's frame, in the order of [`SPREAD_WING`].
    fn wing(&self) -> [Place; 7] {
        let up = beat_at(self.time);
        let fold = (self.fold + UPSTROKE * self.beat * beat_at(self.time + 0.25).max(0.0)).min(1.0);
        let corners: [[f32; 2]; 7] = std::array::from_fn(|corner| {
            mixed(mixed(BEATING_WING[corner], SPREAD_WING[corner], self.spread), FOLDED_WING[corner], fold)
        });
        let arm = turned(self.beat * (RISE[0] + RISE[1] * up) + self.spread * RISE[2]);
        let late = beat_at(self.time - HAND_LAG);
        let hand = turned(self.beat * (HAND_RISE[0] + HAND_RISE[1] * late) + self.spread * HAND_RISE[2]);
        let [shoulder, wrist] = [corners[0][1], corners[2][1]];
        let along_arm = |[x, y]: [f32; 2]| [x, shoulder + (y - shoulder) * arm[0], (y - shoulder) * arm[1]];
        let [_, wrist_aside, wrist_up] = along_arm(corners[2]);
        let along_hand = |[x, y]: [f32; 2]| [x, wrist_aside + (y - wrist) * hand[0], wrist_up + (y - wrist) * hand[1]];
        std::array::from_fn(|corner| if corner < 4 { along_arm(corners[corner]) } else { along_hand(corners[corner]) })
    }

    /// The left corner of the tail in x and y.
    fn tail(&self) -> [f32; 2] {
        mixed(mixed(USUAL_TAIL, FANNED_TAIL, self.spread), CLOSED_TAIL, self.fold)
    }
}

/// 3t² - 2t³ from 0 to 1.
fn smooth(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// The height of a wing, -1 to 1, at a time of its beat: a triangle wave x, rounded to x (3 - x²) / 2.
fn beat_at(time: f32) -> f32 {
    let part = time - time.floor();
    let x = 2.0 * (2.0 * part - 1.0).abs() - 1.0;
    x * (1.5 - 0.5 * x * x)
}

/// The cosine and the sine of an angle with this tangent.
fn turned(tangent: f32) -> [f32; 2] {
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    [cosine, tangent * cosine]
}

fn mixed<const N: usize>(a: [f32; N], b: [f32; N], part: f32) -> [f32; N] {
    std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * part)
}

/// The directions ahead, to the left and up of a bird with this velocity.
fn frame_of(velocity: Vector3) -> [Place; 3] {
    let velocity = velocity.map(|along| along as f32);
    let speed = dot(velocity, velocity).sqrt();
    let ahead = if speed > 0.0 { velocity.map(|along| along / speed) } else { [1.0, 0.0, 0.0] };
    let level = (ahead[0] * ahead[0] + ahead[1] * ahead[1]).sqrt();
    // If the bird flies straight up or down, its side is fixed.
    let left = if level > 1e-4 { [-ahead[1] / level, ahead[0] / level, 0.0] } else { [0.0, 1.0, 0.0] };
    [ahead, left, cross(ahead, left)]
}

fn cross(a: Place, b: Place) -> Place {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
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
    /// The part of wings and tail that shows, 0 to 1.
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

/// The falcons that a picture shows, each with its tone: see [`wakes`].
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

/// The outlines of a falcon seen from above: overlapping convex polygons, in cells from its middle, for a bird of size
/// 1 (the size of a boid; falcons have [`FALCON_SIZE`]). `limits`: the limits of its flight.
pub fn outlines_from_above(falcon: &Falcon, limits: [f32; 4]) -> Vec<Vec<[f32; 2]>> {
    let frame = frame_of(falcon.velocity);
    let at = |[x, y, z]: Place| [0, 1].map(|axis| x * frame[0][axis] + y * frame[1][axis] + z * frame[2][axis]);
    let triangles = triangles(&Pose::new(falcon, limits, 0.0), 1.0).map(|corners| corners.map(at).to_vec());
    let limb = |rings: &[[f32; 2]]| {
        let [[tail, first], [head, last]] = [rings[0], rings[1]];
        [[tail, first, 0.0], [tail, -first, 0.0], [head, -last, 0.0], [head, last, 0.0]].map(at).to_vec()
    };
    triangles.into_iter().chain(BODY.windows(2).map(limb)).collect()
}

/// The triangles of the tail and the wings in the bird's frame. `first`: the side of the wing that comes first; 1 is
/// left, -1 is right.
fn triangles(pose: &Pose, first: f32) -> [[Place; 3]; PANELS] {
    let (wing, [tail_x, tail_y]) = (pose.wing(), pose.tail());
    let [[root_x, root_y], [end, _]] = TAIL;
    let [left, right] = [1.0, -1.0].map(|side| [[root_x, side * root_y, 0.0], [tail_x, side * tail_y, 0.0]]);
    let end = [end, 0.0, 0.0];
    let tail = [[left[0], left[1], end], [left[0], end, right[0]], [right[0], end, right[1]]];
    std::array::from_fn(|index| {
        let Some(number) = index.checked_sub(tail.len()) else { return tail[index] };
        let side = if number < WING_PANELS.len() { first } else { -first };
        WING_PANELS[number % WING_PANELS.len()].map(|corner| {
            let [x, y, z] = wing[corner];
            [x, side * y, z]
        })
    })
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
            // A falcon that is drawn too broad has the same total amount.
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

    /// The amount of a row of limbs at a pixel, and its shade there. A limb has more weight if the pixel lies deeper in
    /// it.
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

    /// The part of a pixel within an outline at this distance, which is negative inside.
    fn covered(&self, distance: f32) -> f32 {
        (0.5 - distance / self.edge).clamp(0.0, 1.0)
    }

    /// The shade of the body at a place from its middle line, in radii.
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

/// Covers a sum of an amount and its shade with a part and its shade.
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

impl Panel {
    /// The distance of a pixel from the triangle, negative inside.
    fn distance(&self, pixel: [f32; 2]) -> f32 {
        let (mut nearest, mut inside) = (f32::MAX, f32::MAX);
        let [a, b, c] = self.corners;
        let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        for side in 0..3 {
            let (from, to) = (self.corners[side], self.corners[(side + 1) % 3]);
            let way = [to[0] - from[0], to[1] - from[1]];
            let away = [pixel[0] - from[0], pixel[1] - from[1]];
            let square = way[0] * way[0] + way[1] * way[1] + 1e-6;
            let along = ((away[0] * way[0] + away[1] * way[1]) / square).clamp(0.0, 1.0);
            let apart = [away[0] - along * way[0], away[1] - along * way[1]];
            nearest = nearest.min(apart[0] * apart[0] + apart[1] * apart[1]);
            let within = way[0] * away[1] - way[1] * away[0];
            inside = inside.min(if turn < 0.0 { -within } else { within });
        }
        if inside > 0.0 { -nearest.sqrt() } else { nearest.sqrt() }
    }
}

impl Limb {
    /// The distance of a pixel from the middle line, the radius there, and the vector from the line to the pixel.
    fn distance(&self, pixel: [f32; 2]) -> (f32, f32, [f32; 2]) {
        let way = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        let away = [pixel[0] - self.from[0], pixel[1] - self.from[1]];
        let square = way[0] * way[0] + way[1] * way[1] + 1e-6;
        let along = ((away[0] * way[0] + away[1] * way[1]) / square).clamp(0.0, 1.0);
        let apart = [away[0] - along * way[0], away[1] - along * way[1]];
        let radius = self.radii[0] + (self.radii[1] - self.radii[0]) * along;
        ((apart[0] * apart[0] + apart[1] * apart[1]).sqrt(), radius, apart)
    }
}
