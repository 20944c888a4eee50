//! Lanes for every processor.

use super::Lanes;
use crate::numbers::{self, length};

/// Four lanes.
#[derive(Debug, Clone, Copy)]
pub struct Portable([i32; 4]);

impl Portable {
    #[inline(always)]
    fn each(self, other: Self, made: impl Fn(i32, i32) -> i32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([made(a, e), made(b, f), made(c, g), made(d, h)])
    }

    #[inline(always)]
    fn every(self, made: impl Fn(i32) -> i32) -> Self {
        let [a, b, c, d] = self.0;
        Self([made(a), made(b), made(c), made(d)])
    }
}

impl Lanes for Portable {
    const COUNT: usize = 4;
    type Divisor = [numbers::Divisor; 4];

    #[inline(always)]
    fn all(value: i32) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    fn numbers() -> Self {
        Self([0, 1, 2, 3])
    }

    #[inline(always)]
    fn load(from: &[i32]) -> Self {
        let from = &from[..4];
        Self([from[0], from[1], from[2], from[3]])
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        // SAFETY: the caller's promise is the same.
        Self(unsafe { from.as_ptr().add(at).cast::<[i32; 4]>().read_unaligned() })
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        to[..4].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.each(other, |a, b| a + b)
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        self.each(other, |a, b| a - b)
    }

    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        self.each(other, |a, b| a * b)
    }

    #[inline(always)]
    fn wrapping_add(self, other: Self) -> Self {
        self.each(other, i32::wrapping_add)
    }

    #[inline(always)]
    fn wrapping_subtract(self, other: Self) -> Self {
        self.each(other, i32::wrapping_sub)
    }

    #[inline(always)]
    fn wrapping_multiply(self, other: Self) -> Self {
        self.each(other, i32::wrapping_mul)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.each(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.each(other, |a, b| a | b)
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self) -> Self {
        self.every(|a| a << BITS)
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        self.every(|a| a >> BITS)
    }

    #[inline(always)]
    fn shift_right_unsigned<const BITS: u32>(self) -> Self {
        self.every(|a| (a as u32 >> BITS) as i32)
    }

    #[inline(always)]
    fn shift_right_by(self, bits: Self) -> Self {
        self.each(bits, |a, bits| (a as u32 >> bits) as i32)
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        self.each(other, |a, b| -i32::from(a < b))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        self.each(other, |a, b| -i32::from(a == b))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.each(other, i32::min)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.each(other, i32::max)
    }

    #[inline(always)]
    fn min_unsigned(self, other: Self) -> Self {
        self.each(other, |a, b| (a as u32).min(b as u32) as i32)
    }

    #[inline(always)]
    fn max_unsigned(self, other: Self) -> Self {
        self.each(other, |a, b| (a as u32).max(b as u32) as i32)
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        self.every(|a| a.leading_zeros() as i32)
    }

    #[inline(always)]
    fn absolute(self) -> Self {
        self.every(i32::abs)
    }

    #[inline(always)]
    fn select(self, then: Self, otherwise: Self) -> Self {
        let mask = self.every(|a| a >> 31);
        mask.and(then).or(mask.each(otherwise, |mask, b| b & !mask))
    }

    #[inline(always)]
    fn any(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d < 0
    }

    #[inline(always)]
    fn sum(self) -> i32 {
        let [a, b, c, d] = self.0;
        a + b + c + d
    }

    #[inline(always)]
    fn divisor(self) -> Self::Divisor {
        let [a, b, c, d] = self.0;
        [numbers::Divisor::new(a), numbers::Divisor::new(b), numbers::Divisor::new(c), numbers::Divisor::new(d)]
    }

    #[inline(always)]
    fn quotient(self, divisor: Self::Divisor) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, divisor);
        Self([e.quotient(a), f.quotient(b), g.quotient(c), h.quotient(d)])
    }

    #[inline(always)]
    fn ratio(self, divisor: Self::Divisor) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, divisor);
        Self([e.ratio(a), f.ratio(b), g.ratio(c), h.ratio(d)])
    }

    #[inline(always)]
    fn length(self, other: Self) -> Self {
        self.each(other, |x, y| length([x, y]))
    }

    #[inline(always)]
    fn square_root(self) -> Self {
        self.every(|a| numbers::square_root(a as u32) as i32)
    }
}
