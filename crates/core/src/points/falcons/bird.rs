//! A falcon as a bird in its own frame: its limits, its pose, and the corners of its body, tail and wings.
//!
//! The pose of a falcon is a function of its phase, its energy and its speed (`docs/window.md, How pictures are made`).

use crate::falcons::{CLIMBS, Falcon, STOOPS, WAITS, YIELDS};
use crate::look::projection::{Place, dot};
use crate::look::smooth_rise;
use crate::numbers::Vector3;
use crate::world::{MAX_HUNTERS, World};

/// The number of beats of the wings for each unit of the falcon's energy, which grows by 1 in a step of rest.
pub const WING_BEAT: f32 = 44.0 / 512.0;
/// Two speeds of a falcon: 0 is its usual speed, and 1 its peak speed. Wings begin to fold at the first, and are fully
/// folded from the second on.
pub const FOLDS: [f32; 2] = [0.1, 0.8];

// A bird of size 1 has its own frame: x ahead, y to the left and z up, in cells. The right side mirrors the left.

/// The corners of a spread wing, in x and y: the front and the back of the shoulder, of the wrist and of the bend of
/// the hand, and the tip.
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
/// Half of the thickness of feathers, in cells, and the minimum of this half, in pixels.
pub const FEATHER: [f32; 2] = [0.006, 0.45];

/// Three slopes at which the arm of a wing rises from the body: of a beating wing in the middle of its beat, the
/// maximum change from this slope during a beat, and the slope of a spread wing.
pub const RISE: [f32; 3] = [0.12, 0.55, 0.16];
/// Three slopes at which the hand of a wing rises, as in [`RISE`].
pub const HAND_RISE: [f32; 3] = [0.05, 0.75, 0.10];
/// The delay between the movements of the arm and of the hand of a wing, in beats.
pub const HAND_LAG: f32 = 0.1;
/// The maximum addition to the fold of a beating wing while it moves up. A fold is 0 (open) to 1 (along the body).
pub const UPSTROKE: f32 = 0.22;

/// The number of triangles of a falcon: three of the tail, and [`WING_PANELS`] of each wing.
pub const PANELS: usize = 3 + 2 * WING_PANELS.len();
/// The number of parts of the body between two rings.
pub const LIMBS: usize = BODY.len() - 1;
/// The number of limbs of the head, which come last.
pub const HEAD: usize = 2;
/// The triangles of a wing. Each corner is an index in [`SPREAD_WING`].
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

pub(super) fn length_of(velocity: Vector3) -> f32 {
    let velocity = velocity.map(|along| along as f32);
    dot(velocity, velocity).sqrt()
}

/// The pose of a falcon's wings and tail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pose {
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
    /// The pose of a falcon. `behind`: the time from the pose to the present, in steps.
    pub fn new(falcon: &Falcon, [usual, peak, rest, _]: [f32; 4], behind: f32) -> Self {
        let speed = length_of(falcon.velocity);
        // Without a peak, only the phase tells whether it is fast.
        let fast =
            if peak > usual { (speed - usual) / (peak - usual) } else { f32::from(u8::from(falcon.phase == STOOPS)) };
        let fold = smooth_rise((fast - FOLDS[0]) / (FOLDS[1] - FOLDS[0]));
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

/// The height of a wing, -1 to 1. `time`: in beats. The height is x (3 - x²) / 2, which smooths the triangle wave x.
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
pub(super) fn frame_of(velocity: Vector3) -> [Place; 3] {
    let speed = length_of(velocity);
    let ahead = if speed > 0.0 { velocity.map(|along| along as f32 / speed) } else { [1.0, 0.0, 0.0] };
    let level = (ahead[0] * ahead[0] + ahead[1] * ahead[1]).sqrt();
    // If the bird flies straight up or down, its side is fixed.
    let left = if level > 1e-4 { [-ahead[1] / level, ahead[0] / level, 0.0] } else { [0.0, 1.0, 0.0] };
    [ahead, left, cross(ahead, left)]
}

pub(super) fn cross(a: Place, b: Place) -> Place {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The outlines of a falcon seen from above: overlapping convex polygons, in cells from its middle, for a bird of size
/// 1 (the size of a boid; falcons have [`FALCON_SIZE`](super::FALCON_SIZE)). `limits`: the limits of its flight.
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
pub(super) fn triangles(pose: &Pose, first: f32) -> [[Place; 3]; PANELS] {
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
