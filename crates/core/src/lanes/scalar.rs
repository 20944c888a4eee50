//! A single `i32` as one lane: a formula written for lanes serves one number too.

use super::Lanes;
use crate::numbers::{Divisor, square_root};

/// Far above every length within the domain of [`Lanes::hypot`].
const FARTHEST: f64 = (1 << 30) as f64;

impl Lanes for i32 {
    const COUNT: usize = 1;
    type Divisor = Divisor;

    #[inline(always)]
    fn splat(value: i32) -> Self {
        value
    }

    #[inline(always)]
    fn iota() -> Self {
        0
    }

    #[inline(always)]
    fn load(from: &[i32]) -> Self {
        from[0]
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        // SAFETY: the caller promises the same.
        unsafe { *from.get_unchecked(at) }
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        to[0] = self;
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn wrapping_add(self, other: Self) -> Self {
        i32::wrapping_add(self, other)
    }

    #[inline(always)]
    fn wrapping_subtract(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn wrapping_multiply(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self) -> Self {
        self << BITS
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        self >> BITS
    }

    #[inline(always)]
    fn shift_right_unsigned<const BITS: u32>(self) -> Self {
        (self as u32 >> BITS) as i32
    }

    #[inline(always)]
    fn shift_right_unsigned_by(self, bits: Self) -> Self {
        (self as u32 >> bits) as i32
    }

    #[inline(always)]
    fn less_than(self, other: Self) -> Self {
        -i32::from(self < other)
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        -i32::from(self == other)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Ord::min(self, other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Ord::max(self, other)
    }

    #[inline(always)]
    fn min_unsigned(self, other: Self) -> Self {
        Ord::min(self as u32, other as u32) as i32
    }

    #[inline(always)]
    fn max_unsigned(self, other: Self) -> Self {
        Ord::max(self as u32, other as u32) as i32
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        i32::leading_zeros(self) as i32
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn select(self, then: Self, otherwise: Self) -> Self {
        // Without a branch, so that loops over it vectorise.
        otherwise ^ ((then ^ otherwise) & (self >> 31))
    }

    #[inline(always)]
    fn any(self) -> bool {
        self < 0
    }

    #[inline(always)]
    fn reduce_sum(self) -> i32 {
        self
    }

    #[inline(always)]
    fn prefix_sum(self) -> Self {
        self
    }

    #[inline(always)]
    fn splat_last(self) -> Self {
        self
    }

    #[inline(always)]
    fn divisor(self) -> Divisor {
        Divisor::new(self)
    }

    #[inline(always)]
    fn quotient(self, divisor: Divisor) -> Self {
        divisor.quotient(self)
    }

    #[inline(always)]
    fn ratio(self, divisor: Divisor) -> Self {
        divisor.ratio(self)
    }

    #[inline(always)]
    fn hypot(self, other: Self) -> Self {
        let (x, y) = (f64::from(self), f64::from(other));
        let root = (x * x + y * y).sqrt();
        let held = if root > FARTHEST { FARTHEST } else { root };
        // SAFETY: a root of a sum of squares is not negative, and it was just held at 2^30. Unlike `as`, this is one vector
        // instruction.
        unsafe { held.to_int_unchecked() }
    }

    #[inline(always)]
    fn square_root(self) -> Self {
        square_root(self as u32) as i32
    }
}
