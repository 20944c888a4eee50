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
/// The kinds of random numbers: [`Draws::angle`], [`Draws::vector`], [`Draws::normal`] and [`Draws::side`]. Each is
/// mixed into the hashes of its random numbers.
pub(super) const ANGLE: u32 = 0;
pub(super) const VECTOR: u32 = 0x7ec7_0000;
pub(super) const NORMAL: u32 = 0x0a12_0000;
pub(super) const SIDE: u32 = 0x51de_0000;
/// The number of words whose bytes a normal random number adds up, and the mean of such a sum.
const NORMAL_WORDS: usize = 4;
const NORMAL_MEAN: i32 = (4 * NORMAL_WORDS as i32 * 255) / 2;

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
    /// A normal random number with the standard deviation 295.6, as a sum of 16 random bytes less its mean. Its
    /// distribution function differs from a normal one by less than 0.0023. It changes its sign in a mirror.
    pub normal: V,
    /// A direction of length [`ONE`], uniform on the sphere: the side to which the normal random number turns a
    /// velocity in a deep world. Not used in a flat world.
    pub side: [V; AXES],
}

impl<V: Lanes, const AXES: usize> Draws<V, AXES> {
    /// Random numbers that are all 0.
    #[inline(always)]
    pub fn none() -> Self {
        Self { angle: zero(), vector: zero(), normal: V::splat(0), side: zero() }
    }

    /// The random numbers of individuals in a step. `individuals`: the numbers of the individuals, one in each lane.
    #[inline(always)]
    pub fn of_individuals(noise: &NoiseNumbers, keys: &DrawKeys, individuals: V) -> Self {
        let mut draws = Self::none();
        if noise.angle != 0 {
            draws.angle = in_time::<V, AXES, ANGLE>(noise, keys, individuals);
        }
        if noise.vector != 0 {
            draws.vector = in_time::<V, AXES, VECTOR>(noise, keys, individuals);
        }
        if noise.deviation != 0 {
            draws.normal = in_time::<V, AXES, NORMAL>(noise, keys, individuals)[0];
            if AXES == 3 {
                draws.side = in_time::<V, AXES, SIDE>(noise, keys, individuals);
            }
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
            if AXES == 3 && noise.deviation != 0 {
                self.side = normalise(self.side);
            }
            if noise.vector != 0 {
                self.vector = normalise(self.vector);
            }
        }
        self
    }
}

/// The random numbers in a step, interpolated in time. `numbers`: of individuals, or of places in a row. `KIND`: the
/// kind of the random numbers, such as [`ANGLE`].
#[inline(always)]
pub(super) fn in_time<V: Lanes, const AXES: usize, const KIND: u32>(
    noise: &NoiseNumbers,
    keys: &DrawKeys,
    numbers: V,
) -> [V; AXES] {
    if noise.time == 1 {
        return once::<V, AXES, KIND>(keys, numbers);
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
    let first = drawn::<V, AXES, KIND>(hash(place.xor(is_over.select(next, last))));
    let second = drawn::<V, AXES, KIND>(hash(place.xor(is_over.select(after, next))));
    mix(first, second, weights(since.multiply(V::splat(noise.pace)).shift_right_unsigned::<16>()))
}

/// The result of [`in_time`] if there is a new draw in each step.
#[inline(always)]
pub(super) fn once<V: Lanes, const AXES: usize, const KIND: u32>(keys: &DrawKeys, numbers: V) -> [V; AXES] {
    drawn::<V, AXES, KIND>(hash(hash(numbers).xor(V::splat(keys.draws[0] as i32))))
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
fn drawn<V: Lanes, const AXES: usize, const KIND: u32>(word: V) -> [V; AXES] {
    let word = word.xor(V::splat(KIND as i32));
    let mut number = zero();
    match KIND {
        NORMAL => number[0] = normal(word),
        VECTOR | SIDE => return direction(hash(word)),
        // Odd numbers only, so that no number is its own negative.
        _ if AXES == 2 => {
            number[0] = word.shift_right_unsigned::<18>().shift_left::<1>().add(V::splat(1 - ONE));
        }
        _ => return direction(word),
    }
    number
}

/// [`Draws::normal`] from a random word: the sum of the bytes of four hashes, less its mean (Irwin–Hall).
#[inline(always)]
fn normal<V: Lanes>(mut word: V) -> V {
    let bytes = V::splat(0x00ff_00ff);
    let mut sums = V::splat(0);
    for _ in 0..NORMAL_WORDS {
        word = hash(word);
        sums = sums.add(word.and(bytes)).add(word.shift_right_unsigned::<8>().and(bytes));
    }
    let sum = sums.and(V::splat(0xffff)).add(sums.shift_right_unsigned::<16>());
    sum.subtract(V::splat(NORMAL_MEAN))
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
