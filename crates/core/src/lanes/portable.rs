//! Lanes for every processor.

use super::Lanes;
use crate::numbers::Divisor;

/// Four lanes as an array, each computed as the scalar is; the compiler turns this into vector code.
#[derive(Debug, Clone, Copy)]
pub struct Portable([i32; 4]);

impl Portable {
    #[inline(always)]
    fn every(self, made: impl Fn(i32) -> i32) -> Self {
        let [a, b, c, d] = self.0;
        Self([made(a), made(b), made(c), made(d)])
    }

    #[inline(always)]
    fn each(self, other: Self, made: impl Fn(i32, i32) -> i32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([made(a, e), made(b, f), made(c, g), made(d, h)])
    }

    #[inline(always)]
    fn divided(self, divisor: [Divisor; 4], made: impl Fn(i32, Divisor) -> i32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, divisor);
        Self([made(a, e), made(b, f), made(c, g), made(d, h)])
    }
}

/// Unary and binary operations and shifts, lane by lane.
macro_rules! operations {
    (every: $($every:ident)*; each: $($each:ident)*; shifts: $($shift:ident)*) => {
        $(
            #[inline(always)]
            fn $every(self) -> Self {
                self.every(Lanes::$every)
            }
        )*
        $(
            #[inline(always)]
            fn $each(self, other: Self) -> Self {
                self.each(other, Lanes::$each)
            }
        )*
        $(
            #[inline(always)]
            fn $shift<const BITS: u32>(self) -> Self {
                self.every(<i32 as Lanes>::$shift::<BITS>)
            }
        )*
    };
}

impl Lanes for Portable {
    const COUNT: usize = 4;
    type Divisor = [Divisor; 4];

    operations! {
        every: leading_zeros abs square_root;
        each: add subtract multiply wrapping_add wrapping_subtract wrapping_multiply and or
            shift_right_unsigned_by less_than equals min max min_unsigned max_unsigned hypot;
        shifts: shift_left shift_right shift_right_unsigned
    }

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    fn iota() -> Self {
        Self([0, 1, 2, 3])
    }

    #[inline(always)]
    fn load(from: &[i32]) -> Self {
        let from = &from[..4];
        Self([from[0], from[1], from[2], from[3]])
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        // SAFETY: the caller promises the same.
        Self(unsafe { from.as_ptr().add(at).cast::<[i32; 4]>().read_unaligned() })
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        to[..4].copy_from_slice(&self.0);
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
    fn reduce_sum(self) -> i32 {
        let [a, b, c, d] = self.0;
        a + b + c + d
    }

    #[inline(always)]
    fn prefix_sum(self) -> Self {
        let [a, b, c, d] = self.0;
        let (second, third) = (a.wrapping_add(b), a.wrapping_add(b).wrapping_add(c));
        Self([a, second, third, i32::wrapping_add(third, d)])
    }

    #[inline(always)]
    fn splat_last(self) -> Self {
        Self([self.0[3]; 4])
    }

    #[inline(always)]
    fn divisor(self) -> Self::Divisor {
        let [a, b, c, d] = self.0;
        [a.divisor(), b.divisor(), c.divisor(), d.divisor()]
    }

    #[inline(always)]
    fn quotient(self, divisor: Self::Divisor) -> Self {
        self.divided(divisor, Lanes::quotient)
    }

    #[inline(always)]
    fn ratio(self, divisor: Self::Divisor) -> Self {
        self.divided(divisor, Lanes::ratio)
    }
}
