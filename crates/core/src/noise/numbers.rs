//! The numbers of noise: of a preset, in exact units, and of a step.

use crate::uniform;
use crate::world::{Edges, Extents};
use std::f64::consts::TAU;

/// The maximum number of steps between two draws.
pub const MAX_TIME: u32 = 65_535;
/// A quarter of a turn, in 2^-16 turn.
pub const QUARTER: i32 = 1 << 14;

/// The noise of a preset or a species.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noise {
    /// The greatest angle to either side, in 2^-16 turn: at most half a turn.
    pub angle: i32,
    /// The sine of half of [`Self::angle`] (Q15).
    pub chord: i32,
    /// The length of the vector that is added, as a part of the speed (Q14), at most 2.
    pub vector: i32,
    /// Steps between two draws, 1 to [`MAX_TIME`].
    pub time: u32,
    /// Cells between two draws; 1: every cell draws.
    pub length: u32,
}

/// No noise.
impl Default for Noise {
    fn default() -> Self {
        Self { angle: 0, chord: 0, vector: 0, time: 1, length: 1 }
    }
}

impl Noise {
    /// Sets the angle: `whole` is the angle from one side to the other in radians, at most 2π.
    pub fn set_angle(&mut self, whole: f64) {
        self.angle = (whole / (2.0 * TAU) * 65_536.0).round() as i32;
        self.chord = ((whole / 4.0).sin() * 32_768.0).round() as i32;
    }

    /// Whether there is any noise.
    pub fn is_any(&self) -> bool {
        self.angle != 0 || self.vector != 0
    }
}

uniform::structure! {
    /// The numbers of noise in a step.
    NoiseNumbers "NoiseNumbers", NOISE_NUMBERS_WGSL;
    /// The number of knots of the field along each axis of a lattice; the last element is 0.
    knots: [i32; 4] as "vec4<i32>",
    /// 2^28 / extent along each axis, rounded down; 0: the whole axis has one number.
    slopes: [i32; 4] as "vec4<i32>",
    /// See [`Noise::angle`].
    angle: i32,
    /// See [`Noise::chord`].
    chord: i32,
    /// See [`Noise::vector`].
    vector: i32,
    /// Steps between two draws.
    time: i32,
    /// 2^30 / `time`, rounded down.
    pace: i32,
    /// The number of the last draw of an individual with the phase 0, modulo 2^32.
    draw: u32,
    /// Steps since that draw.
    since: i32,
    /// Cells between two draws.
    length: i32,
}

const _: () = assert!(size_of::<NoiseNumbers>().is_multiple_of(16), "it is a structure of an array in a uniform");

impl NoiseNumbers {
    /// The numbers of the step after `step` steps, for individuals.
    pub fn new(noise: &Noise, step: u64) -> Self {
        let time = noise.time.max(1);
        Self {
            angle: noise.angle,
            chord: noise.chord,
            vector: noise.vector,
            time: time as i32,
            pace: (1 << 30) / time as i32,
            draw: (step / u64::from(time)) as u32,
            since: (step % u64::from(time)) as i32,
            length: 1,
            ..bytemuck::Zeroable::zeroed()
        }
    }

    /// The numbers of the step after `step` steps, for a lattice on which each cell draws, or each knot between cells.
    /// The number of knots along an axis is extent / length, rounded to nearest, at least 1. So knots lie evenly round
    /// a torus.
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

    /// Whether there is any noise.
    #[inline(always)]
    pub fn is_any(&self) -> bool {
        self.angle != 0 || self.vector != 0
    }

    /// Whether numbers are interpolated between draws.
    #[inline(always)]
    pub fn is_interpolated(&self) -> bool {
        self.time > 1 || self.length > 1
    }
}
