//! The numbers of noise: the integers of a preset, and the numbers that kernels need in one step.

use crate::uniform;
use crate::world::{Edges, Extents};
use std::f64::consts::TAU;

/// The max number of steps between two draws.
pub const MAX_TIME: u32 = 65_535;
/// A quarter of a turn, in units of 2^-16 turn.
pub const QUARTER: i32 = 1 << 14;
/// The standard deviation of a normal random number: √(16 · (2^16 - 1) / 12), by the sum of 16 bytes.
pub(super) const NORMAL_DEVIATION: f64 = 295.601_082_541_996;
/// Fraction bits of [`Noise::deviation`].
pub const DEVIATION_BITS: u32 = 13;

/// The noise of headings in a preset, or of a species.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noise {
    /// The max angle to either side, in units of 2^-16 turn; at most half a turn.
    pub angle: i32,
    /// The sine of half of [`Self::angle`] (Q15).
    pub chord: i32,
    /// The length of the random vector that is added to a velocity, as a part of the speed (Q14); at most 2.
    pub vector: i32,
    /// The standard deviation of the normal angle, divided by the standard deviation of its random number, in units of
    /// 2^-29 turn; at most a quarter of a turn before the division. Individuals only.
    pub deviation: i32,
    /// The number of steps between two draws of an individual or place, 1 to [`MAX_TIME`]. Numbers in between are
    /// interpolated.
    pub time: u32,
    /// The number of cells between two draws along an axis. 1: every cell draws. Numbers in between are interpolated.
    pub length: u32,
}

/// No noise.
impl Default for Noise {
    fn default() -> Self {
        Self { angle: 0, chord: 0, vector: 0, deviation: 0, time: 1, length: 1 }
    }
}

impl Noise {
    /// Sets the angle. `whole`: the angle from one side to the other in radians, at most 2π.
    pub fn set_angle(&mut self, whole: f64) {
        self.angle = (whole / (2.0 * TAU) * 65_536.0).round() as i32;
        self.chord = ((whole / 4.0).sin() * 32_768.0).round() as i32;
    }

    /// Sets the standard deviation of the normal angle, in radians, at most π/2.
    pub fn set_deviation(&mut self, deviation: f64) {
        let parts = f64::from(1 << DEVIATION_BITS) * 65_536.0;
        self.deviation = (deviation / TAU * parts / NORMAL_DEVIATION).round() as i32;
    }

    /// Whether noise changes a velocity at all.
    pub fn is_any(&self) -> bool {
        self.angle != 0 || self.vector != 0 || self.deviation != 0
    }
}

uniform::structure! {
    /// The numbers of noise that kernels need in one step.
    NoiseNumbers "NoiseNumbers", NOISE_NUMBERS_WGSL;
    /// The number of places with draws (knots) along each axis of a lattice; the last element is 0. 0 for individuals.
    knots: [i32; 4] as "vec4<i32>",
    /// 2^28 / extent along each axis, rounded down. 0: the numbers are constant along the axis.
    slopes: [i32; 4] as "vec4<i32>",
    /// See [`Noise::angle`].
    angle: i32,
    /// See [`Noise::chord`].
    chord: i32,
    /// See [`Noise::vector`].
    vector: i32,
    /// The number of steps between two draws.
    time: i32,
    /// 2^30 / `time`, rounded down.
    pace: i32,
    /// The number of draws, modulo 2^32, that an individual with the phase 0 has made before its last draw.
    draw: u32,
    /// The number of steps since the last draw of an individual with the phase 0.
    since: i32,
    /// The number of cells between two draws along an axis.
    length: i32,
    /// See [`Noise::deviation`].
    deviation: i32,
    /// Always 0. They pad the structure to a multiple of 16 bytes.
    unused: [i32; 3] = "unused_1: i32, unused_2: i32, unused_3: i32",
}

const _: () = assert!(size_of::<NoiseNumbers>().is_multiple_of(16), "it is a structure of an array in a uniform");

impl NoiseNumbers {
    /// The numbers for the step that follows `step` steps, for individuals.
    pub fn new(noise: &Noise, step: u64) -> Self {
        let time = noise.time.max(1);
        Self {
            angle: noise.angle,
            chord: noise.chord,
            vector: noise.vector,
            deviation: noise.deviation,
            time: time as i32,
            pace: (1 << 30) / time as i32,
            draw: (step / u64::from(time)) as u32,
            since: (step % u64::from(time)) as i32,
            length: 1,
            ..bytemuck::Zeroable::zeroed()
        }
    }

    /// The numbers for the step that follows `step` steps, for a lattice. Each cell draws, or places between cells
    /// (knots) draw. The number of knots along an axis is extent / length, rounded to nearest, at least 1. So knots are
    /// evenly spaced round a torus.
    pub fn on_lattice(noise: &Noise, step: u64, extents: Extents, edges: Edges) -> Self {
        let mut numbers = Self { length: noise.length.max(1) as i32, ..Self::new(noise, step) };
        for (axis, extent) in extents.along_axes().into_iter().enumerate() {
            let knots = ((2 * extent + noise.length) / (2 * noise.length.max(1))).max(1);
            let is_one = knots == 1 && edges == Edges::Torus;
            numbers.knots[axis] = knots as i32;
            numbers.slopes[axis] = if is_one { 0 } else { (1 << 28) / extent.max(1) as i32 };
        }
        numbers
    }

    /// Whether noise changes a velocity at all.
    #[inline(always)]
    pub fn is_any(&self) -> bool {
        self.angle != 0 || self.vector != 0 || self.deviation != 0
    }

    /// Whether random numbers are interpolated, in time or between places.
    #[inline(always)]
    pub fn is_interpolated(&self) -> bool {
        self.time > 1 || self.length > 1
    }
}
