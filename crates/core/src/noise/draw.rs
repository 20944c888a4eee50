//! Random numbers of noise: hashes of the seed, the step, and the number of an individual or the place of a cell.
//! `shaders/shared/noise.wgsl` computes the same bits.
//!
//! If draws are `time` steps apart, the numbers in between are interpolated: n = cos(τ)·n_1 + sin(τ)·n_2. n_1 and n_2
//! are the draws before and after. τ goes from 0 to a quarter of a turn. So the variance stays constant. The hash of
//! each individual or place gives it a phase of its own, so that they draw in different steps.

use super::circle::cosine_and_sine;
use super::numbers::{NoiseNumbers, QUARTER};
use crate::lanes::Lanes;
use crate::lanes::vector::{normalise, round_shift, zero};
use crate::numbers::{ONE, random};

/// Mixed into the hashes of headings. Kernels of users mix in other numbers, so that their random words differ.
const PURPOSE: u32 = 0x4ead_0015;
/// Mixed into the hashes of phases, so that they differ from the hashes of draws.
const PHASE: u32 = 0x0fa5_e000;
/// Mixed into the hashes of vectors, so that they differ from the hashes of angles.
const VECTOR: u32 = 0x7ec7_0000;

/// [`random::hash`], for each lane alone.
#[inline(always)]
pub fn hash<V: Lanes>(word: V) -> V {
    let word = word.xor(word.shift_right_unsigned::<16>()).wrapping_multiply(V::splat(0x7feb_352d));
    let word = word.xor(word.shift_right_unsigned::<15>()).wrapping_multiply(V::splat(0x846c_a68b_u32 as i32));
    word.xor(word.shift_right_unsigned::<16>())
}

/// Hashes that all individuals in a step share, or all cells in a row of a lattice in a step.
#[derive(Debug, Clone, Copy)]
pub struct DrawKeys {
    /// Mixed into the hash that gives an individual or place its phase.
    phase: u32,
    /// Mixed into the hashes for the last draw, the next draw, and the draw after it.
    draws: [u32; 3],
}

impl DrawKeys {
    /// The shared hashes of a step. `seed`: [`crate::cells::numbers::Parameters::seed`] for cells, or the seed of the
    /// individuals.
    #[inline(always)]
    pub fn new(noise: &NoiseNumbers, seed: u32) -> Self {
        let seed = random::hash(seed ^ PURPOSE);
        let key = |ahead: u32| random::hash(random::hash(noise.draw.wrapping_add(ahead)) ^ seed);
        Self { phase: random::hash(seed ^ PHASE), draws: [key(0), key(1), key(2)] }
    }

    /// The shared hashes of a row of a lattice. `row`: a number that differs for each row.
    #[inline(always)]
    pub fn of_row(&self, row: u32) -> Self {
        let word = random::hash(row);
        Self { phase: random::hash(self.phase ^ word), draws: self.draws.map(|key| random::hash(key ^ word)) }
    }
}

/// The random numbers by which the velocity of an individual or cell turns ([`super::turn::with_noise`]). Each lane is
/// an individual or cell.
#[derive(Debug, Clone, Copy)]
pub struct Draws<V, const AXES: usize> {
    /// In a flat world, the first component is the turning angle as a part of the max angle (Q14). It is uniform within
    /// ±1, and changes its sign in a mirror. In a deep world, the three components are a direction of length [`ONE`],
    /// uniform on the sphere.
    pub angle: [V; AXES],
    /// A direction of length [`ONE`], uniform on the circle (flat worlds) or the sphere (deep worlds).
    pub vector: [V; AXES],
}

impl<V: Lanes, const AXES: usize> Draws<V, AXES> {
    /// The random numbers of individuals in a step. `individuals`: the numbers of the individuals, one in each lane.
    #[inline(always)]
    pub fn of_individuals(noise: &NoiseNumbers, keys: &DrawKeys, individuals: V) -> Self {
        let mut draws = Self { angle: zero(), vector: zero() };
        if noise.angle != 0 {
            draws.angle = in_time::<V, AXES, false>(noise, keys, individuals);
        }
        if noise.vector != 0 {
            draws.vector = in_time::<V, AXES, true>(noise, keys, individuals);
        }
        draws.finished(noise)
    }

    /// The random numbers with directions of length [`ONE`]. Interpolation between draws changes the length of
    /// directions.
    #[inline(always)]
    pub(super) fn finished(mut self, noise: &NoiseNumbers) -> Self {
        if noise.is_interpolated() {
            if AXES == 3 && noise.angle != 0 {
                self.angle = normalise(self.angle);
            }
            if noise.vector != 0 {
                self.vector = normalise(self.vector);
            }
        }
        self
    }
}

/// The random numbers in a step, interpolated in time. `numbers`: of individuals, or of places in a row. `IS_VECTOR`:
/// for [`Draws::vector`], otherwise for [`Draws::angle`].
#[inline(always)]
pub(super) fn in_time<V: Lanes, const AXES: usize, const IS_VECTOR: bool>(
    noise: &NoiseNumbers,
    keys: &DrawKeys,
    numbers: V,
) -> [V; AXES] {
    if noise.time == 1 {
        return once::<V, AXES, IS_VECTOR>(keys, numbers);
    }
    let place = hash(numbers);
    // These lines are not in a closure, because a closure would not be compiled for the instruction set of the lanes.
    let (last, next) = (V::splat(keys.draws[0] as i32), V::splat(keys.draws[1] as i32));
    let after = V::splat(keys.draws[2] as i32);
    let word = hash(place.xor(V::splat(keys.phase as i32)));
    let time = V::splat(noise.time);
    let phase = word.shift_right_unsigned::<16>().wrapping_multiply(time).shift_right_unsigned::<16>();
    let since = phase.add(V::splat(noise.since));
    let is_over = V::splat(noise.time - 1).less_than(since);
    let since = since.subtract(time.and(is_over));
    let first = drawn::<V, AXES, IS_VECTOR>(hash(place.xor(is_over.select(next, last))));
    let second = drawn::<V, AXES, IS_VECTOR>(hash(place.xor(is_over.select(after, next))));
    mix(first, second, weights(since.multiply(V::splat(noise.pace)).shift_right_unsigned::<16>()))
}

/// The result of [`in_time`] if there is a new draw in each step.
#[inline(always)]
pub(super) fn once<V: Lanes, const AXES: usize, const IS_VECTOR: bool>(keys: &DrawKeys, numbers: V) -> [V; AXES] {
    drawn::<V, AXES, IS_VECTOR>(hash(hash(numbers).xor(V::splat(keys.draws[0] as i32))))
}

/// Cosine and sine (Q14) of an angle from 0 to a quarter of a turn, in units of 2^-16 turn.
#[inline(always)]
pub(super) fn weights<V: Lanes>(angle: V) -> [V; 2] {
    round_shift::<V, 2, 1>(cosine_and_sine(angle))
}

/// The weighted sum of two draws. The squares of the weights (Q14) add up to 1. |components| ≤ 2^16.
#[inline(always)]
pub(super) fn mix<V: Lanes, const AXES: usize>(mut first: [V; AXES], second: [V; AXES], weights: [V; 2]) -> [V; AXES] {
    for axis in 0..AXES {
        let sum = first[axis].multiply(weights[0]).add(second[axis].multiply(weights[1]));
        first[axis] = sum.round_shift::<14>();
    }
    first
}

/// The draw that belongs to a random word: a number or a direction (see [`Draws`]).
#[inline(always)]
fn drawn<V: Lanes, const AXES: usize, const IS_VECTOR: bool>(word: V) -> [V; AXES] {
    let word = if IS_VECTOR { hash(word.xor(V::splat(VECTOR as i32))) } else { word };
    if AXES == 2 && !IS_VECTOR {
        let mut part = zero();
        // Odd numbers only, so that no number is its own negative.
        part[0] = word.shift_right_unsigned::<18>().shift_left::<1>().add(V::splat(1 - ONE));
        return part;
    }
    direction(word)
}

/// A direction of length [`ONE`] from a random word, uniform on the circle or the sphere.
///
/// On the sphere, z is uniform within ±1 (Archimedes), and the angle around the axis z is uniform.
#[inline(always)]
pub fn direction<V: Lanes, const AXES: usize>(word: V) -> [V; AXES] {
    let mut v = zero();
    if AXES == 2 {
        let round = weights(word.shift_right_unsigned::<16>());
        for axis in 0..2 {
            v[axis] = round[axis];
        }
        return v;
    }
    let z = word.shift_right_unsigned::<17>().shift_left::<1>().add(V::splat(1 - 2 * ONE));
    let radius = V::splat(4 * ONE * ONE).subtract(z.multiply(z)).square_root();
    let round = cosine_and_sine(word.and(V::splat(4 * QUARTER - 1)));
    for axis in 0..2 {
        v[axis] = round[axis].multiply(radius).round_shift::<16>();
    }
    v[2] = z.round_shift::<1>();
    v
}
