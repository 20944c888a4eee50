//! Falcons as birds with a body, a tail and wings, and their wakes, as they fall onto a picture.
//!
//! The pose of a falcon is a function of its state: of its phase, its energy and its speed (`docs/window.md, How pictures are made`).

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
/// The greatest size of a falcon times the pixels along the side of a cell: a slice of it is drawn in one loop, as a stroke is.
pub const FALCON_PIXELS: f32 = 600.0;
/// A device draws a falcon in so many slices, each of which has every so many-th row of pixels.
pub const SLICES: i32 = 40;
/// The amount of a falcon, as a multiple of the amount of a boid.
pub const FALCON_AMOUNT: f32 = 3.0;
/// The part of the sun's light that a falcon shows.
pub const FALCON_LIGHT: f32 = 0.3;
/// The colour of a falcon, as a multiple of the light of a stroke.
pub const FALCON_COLOUR: [f32; 3] = [0.9, 0.55, 0.3];
/// What is left of this light of a falcon that is drawn large, so that its shades are seen, and the radii in pixels from which and at which.
pub const FALCON_GLARE: f32 = 0.4;
pub const GLARE_FADES: [f32; 2] = [3.4, 10.0];
/// The radii of falcons, in pixels, at which wings and tail begin to show and at which they are whole.
pub const FALCON_WINGS: [f32; 2] = [0.5, 1.2];

/// The number of strokes of a falcon's wake.
pub const WAKE: i32 = 24;
/// Steps from one stroke of a wake to the next.
pub const WAKE_STEP: f32 = 0.2;
/// The size of strokes of a wake, as a multiple of the size of their falcon.
pub const WAKE_SIZE: f32 = 0.3;
/// The amount of the first stroke of a wake, as a part of a whole one.
pub const WAKE_PRESENCE: f32 = 0.3;
/// How far behind the middle of a bird of size 1 a wake begins and is whole, in cells: behind the tail.
pub const WAKE_BEGINS: [f32; 2] = [0.28, 0.46];

/// The beats of the wings in a step of rest.
pub const WING_BEAT: f32 = 44.0 / 512.0;
/// The parts of the way from the usual speed to the peak at which wings begin to fold and at which they are folded.
pub const FOLDS: [f32; 2] = [0.1, 0.8];

// A bird of size 1 lies in a frame of its own: x ahead, y aside and z up, in cells. The left side has y > 0, and the right side mirrors it.

/// The corners of a wing that is spread, that beats and that is folded, in x and y: the shoulder before and behind, the wrist before and
/// behind, the bend of the hand before and behind, and the tip.
pub const SPREAD_WING: [[f32; 2]; 7] =
    [[0.10, 0.03], [-0.085, 0.03], [0.14, 0.24], [-0.02, 0.245], [0.087, 0.45], [-0.042, 0.42], [0.0, 0.64]];
pub const BEATING_WING: [[f32; 2]; 7] =
    [[0.10, 0.03], [-0.085, 0.03], [0.16, 0.22], [-0.01, 0.225], [0.052, 0.43], [-0.072, 0.38], [-0.10, 0.60]];
pub const FOLDED_WING: [[f32; 2]; 7] =
    [[0.10, 0.035], [-0.13, 0.0], [0.13, 0.085], [-0.02, 0.03], [-0.05, 0.096], [-0.18, 0.025], [-0.325, 0.035]];
/// The left corner of the end of the tail when it is fanned, half closed and closed.
pub const FANNED_TAIL: [f32; 2] = [-0.315, 0.13];
pub const USUAL_TAIL: [f32; 2] = [-0.345, 0.056];
pub const CLOSED_TAIL: [f32; 2] = [-0.355, 0.028];
/// The left corner of the tail's root, and the middle of its end.
pub const TAIL: [[f32; 2]; 2] = [[-0.12, 0.034], [-0.37, 0.0]];
/// Rings of the body from the root of the tail to the beak: where each is in x, and its radius.
pub const BODY: [[f32; 2]; 7] =
    [[-0.20, 0.020], [-0.10, 0.052], [0.03, 0.078], [0.11, 0.071], [0.165, 0.050], [0.208, 0.049], [0.262, 0.006]];
/// Half of the thickness of feathers in cells, and its least value in pixels.
pub const FEATHER: [f32; 2] = [0.006, 0.45];

/// How steeply the arm and the hand of a wing rise from the body: in the middle of a beat, what a beat adds at its ends, and when the wing is
/// spread.
pub const RISE: [f32; 3] = [0.12, 0.55, 0.16];
pub const HAND_RISE: [f32; 3] = [0.05, 0.75, 0.10];
/// The part of a beat by which the hand follows the arm.
pub const HAND_LAG: f32 = 0.1;
/// How far a wing folds on its way up.
pub const UPSTROKE: f32 = 0.22;

/// The light on a side away from the sun, and what the sun adds.
pub const FALCON_SHADE: [f32; 2] = [0.6, 1.2];
/// The brightness of the back and of the belly, and of the head beside them.
pub const PLUMAGE: [f32; 3] = [0.6, 1.45, 0.78];

/// How fast the look of feathers changes as they turn their other side to the eye.
pub const SIDES: f32 = 6.0;

/// How fast a limb counts for less beside another one.
pub const BLEND: f32 = 6.0;

/// The triangles of a falcon: three of the tail, and those of its wings.
pub const PANELS: usize = 3 + 2 * WING_PANELS.len();
/// The parts of its body between two rings.
pub const LIMBS: usize = BODY.len() - 1;
/// The limbs of the head, which come last.
pub const HEAD: usize = 2;
/// The triangles of a wing by its corners.
pub const WING_PANELS: [[usize; 3]; 5] = [[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3], [4, 6, 5]];

/// What the pose of each falcon depends on beside its state, in the order of the preset: its usual speed and its peak (1/1024 cell a step),
/// the steps that it rests, and 0; only 0 where there is no falcon.
pub type FlightLimits = [[f32; 4]; MAX_HUNTERS];

/// The limits of the flights of a world.
pub fn flight_limits(world: &World) -> FlightLimits {
    let mut limits = FlightLimits::default();
    for (limits, flight) in limits.iter_mut().zip(world.flights()) {
        *limits = [flight.speed as f32, flight.peak as f32, flight.rest as f32, 0.0];
    }
    limits
}

/// The strokes of the wakes of a state's falcons that a picture shows, each with its tone. `tone` is given the place and what is
/// left of the light of a falcon that is as large. A wake is the straight way of the
/// last steps by the present velocity, so that it is a function of the state like everything that pictures show.
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

/// The place of a falcon so many steps ago, in cells. The middle of a cell is a whole number of cells for a falcon, and half a cell more
/// in a picture.
fn place_of(falcon: &Falcon, steps: f32) -> Place {
    each_axis(|axis| {
        falcon.place[axis] as f32 * (1.0 / 16.0) + 0.5 - steps * falcon.velocity[axis] as f32 * (1.0 / 1024.0)
    })
}

/// The length of a velocity.
fn length_of(velocity: Vector3) -> f32 {
    let velocity = velocity.map(|along| along as f32);
    dot(velocity, velocity).sqrt()
}

/// How a falcon holds its wings and its tail.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pose {
    /// 0: open, 1: folded along the body.
    fold: f32,
    /// How far the wings are spread and the tail is fanned.
    spread: f32,
    /// How far the wings beat.
    beat: f32,
    /// Where in its beat a wing is: 1 is a beat.
    time: f32,
}

impl Pose {
    /// The pose of a falcon this part of the last step ago.
    fn new(falcon: &Falcon, [usual, peak, rest, _]: [f32; 4], behind: f32) -> Self {
        let speed = length_of(falcon.velocity);
        // Without a peak only the phase tells how fast it is.
        let fast = match peak > usual {
            true => (speed - usual) / (peak - usual),
            false => f32::from(u8::from(falcon.phase == STOOPS)),
        };
        let fold = smooth((fast - FOLDS[0]) / (FOLDS[1] - FOLDS[0]));
        // One that is rested and sees nothing glides.
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

/// How far up a wing is, -1 to 1, at a time of its beat: a triangle x, rounded to x (3 - x²) / 2.
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
    // Straight up or down it has no side of its own.
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
    /// How far it reaches along each axis of the picture.
    reach: [f32; 2],
    /// How much of it there is.
    amount: f32,
    /// How much of wings and tail there is.
    wing_part: f32,
    /// Half of the thickness of feathers, and the breadth of an edge.
    feather: f32,
    edge: f32,
    /// Tail and wings, the farther one first.
    panels: [Panel; PANELS],
    limbs: [Limb; LIMBS],
    /// Whether the head is farther from the eye than the tail.
    flies_away: bool,
    /// The direction to the sun and the falcon's up, each to the right, down and towards the eye.
    sun: Place,
    up: Place,
}

/// The falcons of a state that a picture shows, each with its tone, as [`wakes`] has it.
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

/// A falcon as seen from above: convex polygons that overlap, in cells from its middle, for a bird of size 1 (the size of a boid; falcons
/// have [`FALCON_SIZE`]). `limits`: the limits of its flight.
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

/// The triangles of the tail and of the wings in the bird's frame. `first`: the side of the wing that comes first, 1 the left one and -1 the
/// right one.
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
    /// The shape of a falcon with these limits of its flight, as large as a bird of this size. `None`: the picture does not show it.
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
            // 1: the side of the normal is seen, -1: the other one; softly, so that nothing jumps.
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
            // One that is drawn broader than it is has the same amount in all.
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

    /// Draws the part of the falcon that lies in a band of rows, `first` being its first row: gives `add` the index of each pixel in the
    /// band, the amount there, and its shade, a factor on the light.
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

    /// How much of the falcon is at a pixel (from its middle), and its shade there. The amount is the greatest of all parts, and the shade
    /// of each part lies over the shades of the parts before it.
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

    /// How much of a row of limbs is at a pixel, and its shade there. Each limb counts the more, the deeper the pixel lies in it.
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

    /// How much of a pixel lies within an outline at this distance, which is negative inside.
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

/// What is left of the light of a falcon of this radius (pixels), or of the wake of such a falcon.
fn glare(radius: f32) -> f32 {
    let part = (radius - GLARE_FADES[0]) * (1.0 / (GLARE_FADES[1] - GLARE_FADES[0]));
    1.0 + (FALCON_GLARE - 1.0) * part.clamp(0.0, 1.0)
}

/// Lays so much of a shade over a sum of an amount and its shade.
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
    /// The distance of a pixel from the middle line, the radius there, and the way from the line to the pixel.
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
