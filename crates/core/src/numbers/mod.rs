//! Exact integer arithmetic that all engines share (`docs/design.md, Numbers`).
//!
//! A WGSL function of the same name in `shaders/shared/numbers.wgsl` computes each function on GPUs. Tests compare both
//! over all inputs. [`crate::lanes`] has arithmetic on lanes, [`crate::lanes::vector`] arithmetic on vectors.
//!
//! Signed numbers are rounded to nearest, halves away from zero, because rounding towards zero would slow the swarm
//! down. Only the shares of boids that a cell gives away are rounded down, so that a cell never gives more than it has.
//!
//! Inputs and results are integers. Quotients and roots are estimated with floats, because processors have no vector
//! instruction for integer division. The results are exact nevertheless: every operand below 2^32 is an exact `f64`,
//! and IEEE rounds square roots correctly. For quotients see [`Divisor`].

pub mod random;

/// The quanta of one boid.
pub const BOID: u32 = 1 << 16;
/// One cell a step in a control vector (Q14). It is also the bound on each component (rule 3 of the paper by Legnar and
/// Rasenat).
pub const ONE: i32 = 1 << 14;
/// 1.0 in the vector that a rule computes (Q10).
pub const RULE_ONE: i32 = 1 << 10;
/// The bound on the components of a rule's vector: 4 in Q10.
pub const RULE_LIMIT: i32 = 4 * RULE_ONE;
/// The bound on the weight of a rule: 32 in Q10.
pub const WEIGHT_LIMIT: i32 = 32 * RULE_ONE;
/// The max number of vectors that the kernel `steer` may sum, so that 15 × `WEIGHT_LIMIT` × `RULE_LIMIT` < 2^31.
pub const MAX_RULES: usize = 15;
/// The max perceived density of a cell. Perceived density is the density in quanta, shifted right to fit 10 bits.
pub const MAX_PERCEIVED: u32 = 1023;
/// The number of axes of a flat lattice.
pub const AXES: usize = 2;

/// The place of a cell in a flat world: `[x, y]`, in cells.
pub type Cell = [i32; AXES];
/// A vector on two axes. Each use says its unit.
pub type Vector = [i32; AXES];
/// A vector on three axes. Each use says its unit. An axis that the world lacks is 0.
pub type Vector3 = [i32; 3];

/// An array of `make(0)`, `make(1)` and `make(2)`. Unlike the `map` of an array, it is always inlined.
#[inline(always)]
pub fn each_axis<T>(make: impl Fn(usize) -> T) -> [T; 3] {
    [make(0), make(1), make(2)]
}

/// `n / 2^bits`, to nearest, halves away from zero. |n| < 2^31 - 2^(bits-1), bits ≥ 1.
#[inline(always)]
pub const fn round_shift(n: i32, bits: u32) -> i32 {
    // For negative n, half - 1 is added. Then the arithmetic shift, which rounds down, rounds halves away from zero.
    (n + (1 << (bits - 1)) - (n < 0) as i32) >> bits
}

/// [`round_shift`] by 0 to 30 bits. By 0 bits it returns n.
#[inline(always)]
pub const fn round_shift_any(n: i32, bits: u32) -> i32 {
    if bits == 0 { n } else { round_shift(n, bits) }
}

/// The reciprocal of a divisor d. Dividing several numbers n by d costs one division.
///
/// The results are exact. The float estimate of n/d is (n/d)·(1 + e), and e differs from [`OUTWARDS`] - 1 = 2^-48 by at
/// most 2^-51. The estimate is rounded to the nearest integer. An exact half is moved away from zero, and so is rounded
/// away from zero. No other quotient crosses a half: a quotient within ±2^16 moves by less than 2^-31. d < 2^30, so a
/// quotient that is not a half is farther than this from a half.
#[derive(Debug, Clone, Copy)]
pub struct Divisor {
    inverse: f64,
}

/// The factor on every estimate of a quotient, before the estimate is rounded: 1 + 2^-48.
pub const OUTWARDS: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;

impl Divisor {
    /// The reciprocal of d < 2^30. d ≤ 0 counts as 1.
    #[inline(always)]
    pub fn new(d: i32) -> Self {
        Self { inverse: OUTWARDS / d.max(1) as f64 }
    }

    /// `n / d`, rounded to nearest, halves away from zero. |n| < 2^31, and the result must be within ±2^16.
    #[inline(always)]
    pub fn quotient(self, n: i32) -> i32 {
        nearest(n as f64 * self.inverse)
    }

    /// `1024 n / d`, rounded to nearest, halves away from zero. |n| < 2^30, and the result must be within ±2^16.
    #[inline(always)]
    pub fn ratio(self, n: i32) -> i32 {
        const MAX_MAGNITUDE: f64 = (1 << 30) as f64;
        let near = n as f64 * (self.inverse * RULE_ONE as f64);
        // These two comparisons are faster than `clamp`, which also handles NaN.
        let held = if near > MAX_MAGNITUDE { MAX_MAGNITUDE } else { near };
        nearest(if held < -MAX_MAGNITUDE { -MAX_MAGNITUDE } else { held })
    }
}

/// The integer nearest to x. |x| < 2^31, and x must not be an exact half.
#[inline(always)]
fn nearest(x: f64) -> i32 {
    // The last bit of an f64 from 2^52 on has the value 1. So the sum is rounded to an integer, and its low bits are
    // the result. Without SSE4.1, other ways to round are slower.
    (x + 1.5 * (1u64 << 52) as f64).to_bits() as i32
}

/// `n / d`, rounded to nearest, halves away from zero. |n| < 2^31, 0 < d < 2^30, and the result must be within ±2^16.
#[inline(always)]
pub fn quotient(n: i32, d: i32) -> i32 {
    Divisor::new(d).quotient(n)
}

/// `1024 n / d`, rounded to nearest, halves away from zero. |n| < 2^30, 0 < d < 2^30, and the result must be within
/// ±2^16.
#[inline(always)]
pub fn ratio(n: i32, d: i32) -> i32 {
    Divisor::new(d).ratio(n)
}

/// The square root, rounded down.
#[inline(always)]
pub fn square_root(n: u32) -> u32 {
    (n as f64).sqrt() as u32
}

/// Packs a vector on two axes into one word: 16 signed bits per axis, x in the low half.
#[inline(always)]
pub const fn pack(v: Vector) -> u32 {
    (v[0] as u32 & 0xffff) | ((v[1] as u32) << 16)
}

/// The vector that [`pack`] has packed into a word.
#[inline(always)]
pub const fn unpack(word: u32) -> Vector {
    [(word << 16) as i32 >> 16, word as i32 >> 16]
}

/// A decimal number as an integer with the unit 1/`one`, rounded to nearest.
pub fn fixed(value: f64, one: i32) -> i64 {
    (value * f64::from(one)).round() as i64
}

/// Converts a difference to 64 bits. Values out of range become the nearest bound.
pub fn saturating(difference: i128) -> i64 {
    difference.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}
