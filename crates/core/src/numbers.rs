//! The exact arithmetic that every engine shares (design, section 2).
//!
//! Each function here has a twin of the same name in `shaders/shared/numbers.wgsl`; the tests hold the two together
//! over their whole range. Every signed rounding is to the nearest integer, halves away from zero: rounding towards
//! zero is a hidden brake. Only shares of a movement are rounded down, so that a cell never gives more than it has.
//!
//! Quotients and roots go through `f64`, because integer division does not vectorise. They are exact all the same: an
//! operand below 2^32 is an exact `f64`, IEEE root is correctly rounded, and of quotients [`Divisor`] says why.

use crate::lanes::{Lanes, vectors};

/// Quanta in one boid.
pub const BOID: u32 = 1 << 16;
/// One cell per step in a control vector (Q14), and the greatest size of its components (the paper's rule 3).
pub const ONE: i32 = 1 << 14;
/// One in a rule's vector (Q10).
pub const RULE_ONE: i32 = 1 << 10;
/// The greatest size of a component of a rule's vector (Q10): four.
pub const RULE_LIMIT: i32 = 4 * RULE_ONE;
/// The greatest weight, in Q10: 32.
pub const WEIGHT_LIMIT: i32 = 32 * RULE_ONE;
/// The most control vectors that `steer` may sum: 15 × `WEIGHT_LIMIT` × `RULE_LIMIT` < 2^31.
pub const MOST_RULES: usize = 15;
/// The greatest perceived density of any sight.
pub const MOST_PERCEIVED: u32 = 1023;
/// Axes of the lattice.
pub const AXES: usize = 2;

/// The place of a cell, in cells; x first.
pub type Cell = [i32; AXES];
/// A vector on the lattice; its unit is said where it is used.
pub type Vector = [i32; AXES];

/// `n / 2^bits`, to nearest, halves away from zero. |n| < 2^31 - 2^(bits-1), bits ≥ 1.
#[inline(always)]
pub const fn round_shift(n: i32, bits: u32) -> i32 {
    // With half - 1 for negative n, the arithmetic shift (towards minus infinity) rounds halves away from zero.
    (n + (1 << (bits - 1)) - (n < 0) as i32) >> bits
}

/// A divisor, by which several numbers are divided at the price of one division.
///
/// Exact all the same. What is made of n and d is (n/d)·(1 + e) with e within 2^-51 of [`OUTWARDS`] - 1 = 2^-48, and then
/// rounded to the nearest integer. A quotient on a half is moved farther from zero and so rounded away from it. No other
/// crosses a half: within ±2^16 it moves by less than 2^-31, and as d < 2^30 none lies nearer to a half without lying on it.
#[derive(Debug, Clone, Copy)]
pub struct Divisor {
    inverse: f64,
}

/// What quotients are multiplied by before they are rounded: 1 + 2^-48.
pub const OUTWARDS: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;

impl Divisor {
    /// d < 2^30; where it is not above 0, it is taken for 1.
    #[inline(always)]
    pub fn new(d: i32) -> Self {
        Self { inverse: OUTWARDS / d.max(1) as f64 }
    }

    /// `n / d`, to nearest, halves away from zero. |n| < 2^31, and a result within ±2^16.
    #[inline(always)]
    pub fn quotient(self, n: i32) -> i32 {
        nearest(n as f64 * self.inverse)
    }

    /// `1024 n / d`, to nearest, halves away from zero. |n| < 2^30, and a result within ±2^16.
    #[inline(always)]
    pub fn ratio(self, n: i32) -> i32 {
        const FARTHEST: f64 = (1 << 30) as f64;
        let near = n as f64 * (self.inverse * RULE_ONE as f64);
        // Two comparisons rather than `clamp`, which would have to think of NaN.
        let held = if near > FARTHEST { FARTHEST } else { near };
        nearest(if held < -FARTHEST { -FARTHEST } else { held })
    }
}

/// The nearest integer to a number within ±2^31 that lies on no half.
#[inline(always)]
fn nearest(x: f64) -> i32 {
    // Beyond 2^52 every f64 is an integer, whose lowest bits these are. A processor has no cheaper way without SSE4.1.
    (x + 1.5 * (1u64 << 52) as f64).to_bits() as i32
}

/// `n / d`, to nearest, halves away from zero. |n| < 2^31, 0 < d < 2^30, and a result within ±2^16.
#[inline(always)]
pub fn quotient(n: i32, d: i32) -> i32 {
    Divisor::new(d).quotient(n)
}

/// `1024 n / d`, to nearest, halves away from zero. |n| < 2^30, 0 < d < 2^30, and a result within ±2^16.
#[inline(always)]
pub fn ratio(n: i32, d: i32) -> i32 {
    Divisor::new(d).ratio(n)
}

/// The integer part. Unlike `as i32`, which has to think of NaN and of overflow, this becomes one vector instruction.
///
/// # Safety
/// x is finite, and its integer part fits in an i32.
#[inline(always)]
unsafe fn truncate(x: f64) -> i32 {
    // SAFETY: the caller's promise is the same.
    unsafe { x.to_int_unchecked() }
}

/// The part `fraction / ONE` of an amount, rounded down. 0 ≤ fraction ≤ ONE.
#[inline(always)]
pub fn multiply_fraction(amount: u32, fraction: u32) -> u32 {
    Lanes::multiply_fraction(amount as i32, fraction as i32) as u32
}

/// The length of a vector, rounded down. |components| ≤ 2^15.
#[inline(always)]
pub fn length(v: Vector) -> i32 {
    const FARTHEST: f64 = (1 << 30) as f64;
    let (x, y) = (v[0] as f64, v[1] as f64);
    let exact = (x * x + y * y).sqrt();
    let held = if exact > FARTHEST { FARTHEST } else { exact };
    // SAFETY: it was just held below 2^30, and the root of a sum of squares is not negative.
    unsafe { truncate(held) }
}

/// The largest integer whose square is at most n.
#[inline(always)]
pub fn square_root(n: u32) -> u32 {
    (n as f64).sqrt() as u32
}

/// A vector whose length is `from`, stretched to the length `to`. |components|, to ≤ 2^15; `from` = 0 gives 0.
#[inline(always)]
pub fn stretch(v: Vector, from: i32, to: i32) -> Vector {
    vectors::stretch(v, from, to)
}

/// Each component held within ±bound.
#[inline(always)]
pub fn clamp_components(v: Vector, bound: i32) -> Vector {
    vectors::clamp(v, bound)
}

/// The limit of a control vector (Q14): components to ±2, then the length a quarter of the way to `cruise` (where
/// `cruise` > 0) and to at most `max`, then components to ±1.
#[inline(always)]
pub fn limit(v: Vector, cruise: i32, max: i32) -> Vector {
    vectors::limit(v, cruise, max)
}

/// A control vector or a rule's vector as it is stored: a signed 16-bit half of the word for each axis, x low.
#[inline(always)]
pub const fn pack(v: Vector) -> u32 {
    (v[0] as u32 & 0xffff) | ((v[1] as u32) << 16)
}

/// The vector that `pack` stored.
#[inline(always)]
pub const fn unpack(word: u32) -> Vector {
    [(word << 16) as i32 >> 16, word as i32 >> 16]
}
