//! The exact arithmetic of numbers that every engine shares (`docs/design.md, Numbers`).
//!
//! Each function has a WGSL twin of its name in `shaders/shared/numbers.wgsl`. Tests compare the two over the whole
//! domain. The arithmetic on lanes is in [`crate::lanes`], the arithmetic of vectors in [`crate::lanes::vector`].
//!
//! Every signed rounding is to nearest, halves away from zero: rounding towards zero would slow the swarm down. Only
//! shares of a movement are rounded down, so that a cell never gives more than it has.
//!
//! Inputs and results are integers. Quotients and roots are estimated with floats, because integer division does not
//! vectorise. They are exact nevertheless: every operand below 2^32 is an exact `f64`, and IEEE rounds square roots
//! correctly. For quotients see [`Divisor`].

pub mod random;

/// The quanta of one boid.
pub const BOID: u32 = 1 << 16;
/// One cell per step in a control vector (Q14), and the bound on its components (the paper's rule 3).
pub const ONE: i32 = 1 << 14;
/// One in a rule's vector (Q10).
pub const RULE_ONE: i32 = 1 << 10;
/// The bound on the components of a rule's vector (Q10): four.
pub const RULE_LIMIT: i32 = 4 * RULE_ONE;
/// The bound on a weight (Q10): 32.
pub const WEIGHT_LIMIT: i32 = 32 * RULE_ONE;
/// The max number of control vectors that `steer` may sum: 15 × `WEIGHT_LIMIT` × `RULE_LIMIT` < 2^31.
pub const MAX_RULES: usize = 15;
/// The max perceived density of any sight.
pub const MAX_PERCEIVED: u32 = 1023;
/// The axes of a flat lattice.
pub const AXES: usize = 2;

/// The place of a cell in a flat world, in cells; x first.
pub type Cell = [i32; AXES];
/// A vector on two axes. Each use says its unit.
pub type Vector = [i32; AXES];
/// A vector on three axes. Each use says its unit. An axis that the world lacks is 0.
pub type Vector3 = [i32; 3];

/// An array of the results of `make` for each of three axes. It is always inlined, unlike an array's `map`.
#[inline(always)]
pub fn each_axis<T>(make: impl Fn(usize) -> T) -> [T; 3] {
    [make(0), make(1), make(2)]
}

/// `n / 2^bits`, to nearest, halves away from zero. |n| < 2^31 - 2^(bits-1), bits ≥ 1.
#[inline(always)]
pub const fn round_shift(n: i32, bits: u32) -> i32 {
    // With half - 1 for negative n, the arithmetic shift (towards minus infinity) rounds halves away from zero.
    (n + (1 << (bits - 1)) - (n < 0) as i32) >> bits
}

/// [`round_shift`] by 0 to 30 bits; 0 bits leave n as it is.
#[inline(always)]
pub const fn round_shift_any(n: i32, bits: u32) -> i32 {
    if bits == 0 { n } else { round_shift(n, bits) }
}

/// The reciprocal of a divisor. Several numbers are divided by it at the cost of one division.
///
/// The results are exact. The float estimate of n/d is (n/d)·(1 + e), with e within 2^-51 of [`OUTWARDS`] - 1 = 2^-48.
/// It is rounded to the nearest integer. A quotient on a half is moved away from zero, and so is rounded away from
/// zero. No other quotient crosses a half. A result within ±2^16 moves by less than 2^-31. Because d < 2^30, a quotient
/// that is not on a half is farther from it than that.
#[derive(Debug, Clone, Copy)]
pub struct Divisor {
    inverse: f64,
}

/// The factor on every estimate of a quotient before it is rounded: 1 + 2^-48.
pub const OUTWARDS: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;

impl Divisor {
    /// d < 2^30; d ≤ 0 counts as 1.
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
        const MAX_MAGNITUDE: f64 = (1 << 30) as f64;
        let near = n as f64 * (self.inverse * RULE_ONE as f64);
        // Two comparisons are used, because `clamp` also handles NaN.
        let held = if near > MAX_MAGNITUDE { MAX_MAGNITUDE } else { near };
        nearest(if held < -MAX_MAGNITUDE { -MAX_MAGNITUDE } else { held })
    }
}

/// The integer nearest to x. |x| < 2^31, and x is not on a half.
#[inline(always)]
fn nearest(x: f64) -> i32 {
    // From 2^52 on the last bit of an f64 is 1. So the sum is rounded to an integer, and its low bits are the result.
    // No other way is cheaper without SSE4.1.
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

/// The floor of the square root.
#[inline(always)]
pub fn square_root(n: u32) -> u32 {
    (n as f64).sqrt() as u32
}

/// A control vector or a rule's vector as one word: 16 signed bits per axis, x in the low half.
#[inline(always)]
pub const fn pack(v: Vector) -> u32 {
    (v[0] as u32 & 0xffff) | ((v[1] as u32) << 16)
}

/// The vector of a word from [`pack`].
#[inline(always)]
pub const fn unpack(word: u32) -> Vector {
    [(word << 16) as i32 >> 16, word as i32 >> 16]
}

/// A decimal number in units of 1/`one`, to nearest.
pub fn fixed(value: f64, one: i32) -> i64 {
    (value * f64::from(one)).round() as i64
}

/// A difference of sums, clamped to 64 bits.
pub fn saturating(difference: i128) -> i64 {
    difference.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}
