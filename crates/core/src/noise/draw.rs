//! Random numbers: hashes of the seed, the step, and the number of an individual or the place of a cell. The twin is
//! `shaders/shared/noise.wgsl`.
//!
//! Between two draws, `time` steps apart, numbers are interpolated: n = cos(τ)·n_1 + sin(τ)·n_2, with τ from 0 to a
//! quarter of a turn. So their variance stays. Each individual or place has its own phase, from its hash, so that not
//! all draw in the same step.

use super::circle::cosine_and_sine;
use super::numbers::{NoiseNumbers, QUARTER};
use crate::lanes::Lanes;
use crate::lanes::vector::{normalise, round_shift, zero};
use crate::numbers::{ONE, random};

/// The purpose of the words of headings. A user's kernel draws words for another purpose.
const PURPOSE: u32 = 0x4ead_0015;
/// The purpose of the words of phases.
const PHASE: u32 = 0x0fa5_e000;
/// The purpose of the words of vectors, which differ from the words of angles.
const VECTOR: u32 = 0x7ec7_0000;

/// [`random::hash`], lane by lane.
#[inline(always)]
pub fn hash<V: Lanes>(word: V) -> V {
    let word = word.xor(word.shift_right_unsigned::<16>()).wrapping_multiply(V::splat(0x7feb_352d));
    let word = word.xor(word.shift_right_unsigned::<15>()).wrapping_multiply(V::splat(0x846c_a68b_u32 as i32));
    word.xor(word.shift_right_unsigned::<16>())
}

/// The words that are equal for all individuals of a step, or for the cells of a row.
#[derive(Debug, Clone, Copy)]
pub struct DrawKeys {
    /// The word of the phases.
    phase: u32,
    /// The words of the last draw, of the next one and of the one after it.
    draws: [u32; 3],
}

impl DrawKeys {
    /// The words of a step. `seed`: [`crate::cells::numbers::Parameters::seed`], or the seed of the individuals.
    #[inline(always)]
    pub fn new(noise: &NoiseNumbers, seed: u32) -> Self {
        let seed = random::hash(seed ^ PURPOSE);
        let key = |ahead: u32| random::hash(random::hash(noise.draw.wrapping_add(ahead)) ^ seed);
        Self { phase: random::hash(seed ^ PHASE), draws: [key(0), key(1), key(2)] }
    }

    /// The words of the row with this number.
    #[inline(always)]
    pub fn of_row(&self, row: u32) -> Self {
        let word = random::hash(row);
        Self { phase: random::hash(self.phase ^ word), draws: self.draws.map(|key| random::hash(key ^ word)) }
    }
}

/// The random numbers of one individual or cell, which turn its velocity ([`super::turn::with_noise`]).
#[derive(Debug, Clone, Copy)]
pub struct Draws<V, const AXES: usize> {
    /// In a flat world, the first component is the part of the greatest angle by which the velocity turns (Q14). It is
    /// uniform within ±1, and changes its sign in a mirror. In a deep world, `angle` is a direction of the length
    /// [`ONE`], uniform on the sphere.
    pub angle: [V; AXES],
    /// A direction of the length [`ONE`], uniform on the circle or the sphere.
    pub vector: [V; AXES],
}

impl<V: Lanes, const AXES: usize> Draws<V, AXES> {
    /// The draws of individuals with these numbers.
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

    /// The draws with directions of the length [`ONE`]. Sums of several draws have other lengths.
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

/// The draws of a step for individuals, or for places of a row, with these numbers.
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
    // No closure, because a closure is not compiled for the instruction set.
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

/// The draws of [`in_time`] if every step has a draw.
#[inline(always)]
pub(super) fn once<V: Lanes, const AXES: usize, const IS_VECTOR: bool>(keys: &DrawKeys, numbers: V) -> [V; AXES] {
    drawn::<V, AXES, IS_VECTOR>(hash(hash(numbers).xor(V::splat(keys.draws[0] as i32))))
}

/// Cosine and sine (Q14) of 0 to a quarter of a turn, in 2^-16 turn.
#[inline(always)]
pub(super) fn weights<V: Lanes>(angle: V) -> [V; 2] {
    round_shift::<V, 2, 1>(cosine_and_sine(angle))
}

/// The sum of two draws by weights (Q14) whose squares add up to 1. |components| ≤ 2^16.
#[inline(always)]
pub(super) fn mix<V: Lanes, const AXES: usize>(mut first: [V; AXES], second: [V; AXES], weights: [V; 2]) -> [V; AXES] {
    for axis in 0..AXES {
        let sum = first[axis].multiply(weights[0]).add(second[axis].multiply(weights[1]));
        first[axis] = sum.round_shift::<14>();
    }
    first
}

/// The draw of a word.
#[inline(always)]
fn drawn<V: Lanes, const AXES: usize, const IS_VECTOR: bool>(word: V) -> [V; AXES] {
    let word = if IS_VECTOR { hash(word.xor(V::splat(VECTOR as i32))) } else { word };
    if AXES == 2 && !IS_VECTOR {
        let mut part = zero();
        // An odd number, so that no part is its own mirror image.
        part[0] = word.shift_right_unsigned::<18>().shift_left::<1>().add(V::splat(1 - ONE));
        return part;
    }
    direction(word)
}

/// A direction of the length [`ONE`] from a word, uniform on the circle or the sphere.
///
/// On the sphere, the component z is uniform within ±1 (Archimedes), and so is the angle round the axis z.
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
