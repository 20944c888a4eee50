//! Lanes for processors with AVX2.

use super::Lanes;
use crate::numbers::{OUTWARDS, RULE_ONE};
use std::arch::x86_64::*;

/// Eight lanes.
#[derive(Debug, Clone, Copy)]
pub struct Avx2(__m256i);

/// The lanes as f64, the first half and the second.
#[derive(Debug, Clone, Copy)]
pub struct Halves([__m256d; 2]);

// SAFETY of all that follows: these lanes are used only in functions that are called where the processor was seen to have
// the instructions (see the trait), and every list that is loaded or stored to is at least as long as was checked.
impl Avx2 {
    #[inline(always)]
    fn halves(self) -> Halves {
        unsafe {
            Halves([
                _mm256_cvtepi32_pd(_mm256_castsi256_si128(self.0)),
                _mm256_cvtepi32_pd(_mm256_extracti128_si256::<1>(self.0)),
            ])
        }
    }

    /// The nearest integers, of numbers within the range of an i32.
    #[inline(always)]
    fn nearest(halves: Halves) -> Self {
        unsafe {
            let [first, second] = [_mm256_cvtpd_epi32(halves.0[0]), _mm256_cvtpd_epi32(halves.0[1])];
            Self(_mm256_set_m128i(second, first))
        }
    }
}

impl Halves {
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        unsafe { Self([_mm256_mul_pd(self.0[0], other.0[0]), _mm256_mul_pd(self.0[1], other.0[1])]) }
    }

    /// Held within ±2^30.
    #[inline(always)]
    fn held(self) -> Self {
        unsafe {
            let (least, most) = (_mm256_set1_pd(-(1 << 30) as f64), _mm256_set1_pd((1 << 30) as f64));
            let [first, second] = self.0;
            Self([_mm256_max_pd(_mm256_min_pd(first, most), least), _mm256_max_pd(_mm256_min_pd(second, most), least)])
        }
    }
}

impl Lanes for Avx2 {
    const COUNT: usize = 8;
    type Divisor = Halves;

    #[inline(always)]
    fn all(value: i32) -> Self {
        Self(unsafe { _mm256_set1_epi32(value) })
    }

    #[inline(always)]
    fn numbers() -> Self {
        Self(unsafe { _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7) })
    }

    #[inline(always)]
    fn load(from: &[i32]) -> Self {
        let from = &from[..Self::COUNT];
        Self(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        Self(unsafe { _mm256_loadu_si256(from.as_ptr().add(at).cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        let to = &mut to[..Self::COUNT];
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(unsafe { _mm256_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        Self(unsafe { _mm256_sub_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        Self(unsafe { _mm256_mullo_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn wrapping_add(self, other: Self) -> Self {
        self.add(other)
    }

    #[inline(always)]
    fn wrapping_subtract(self, other: Self) -> Self {
        self.subtract(other)
    }

    #[inline(always)]
    fn wrapping_multiply(self, other: Self) -> Self {
        self.multiply(other)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self) -> Self {
        // A constant in the end; the instruction's own constant is of another type on other processors.
        Self(unsafe { _mm256_sll_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        // A constant in the end; the instruction's own constant is of another type on other processors.
        Self(unsafe { _mm256_sra_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }

    #[inline(always)]
    fn shift_right_unsigned<const BITS: u32>(self) -> Self {
        // A constant in the end; the instruction's own constant is of another type on other processors.
        Self(unsafe { _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }

    #[inline(always)]
    fn shift_right_by(self, other: Self) -> Self {
        Self(unsafe { _mm256_srlv_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        Self(unsafe { _mm256_cmpgt_epi32(other.0, self.0) })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Self(unsafe { _mm256_cmpeq_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        Self(unsafe { _mm256_min_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        Self(unsafe { _mm256_max_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn lesser_unsigned(self, other: Self) -> Self {
        Self(unsafe { _mm256_min_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn greater_unsigned(self, other: Self) -> Self {
        Self(unsafe { _mm256_max_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        // Where the upper half of what is left is empty, as many zeros more, and it is left out.
        let (mut left, mut zeros) = (self, Self::all(0));
        macro_rules! halve {
            ($bits:literal) => {
                let is_empty = left.shift_right_unsigned::<{ 32 - $bits }>().equal(Self::all(0));
                zeros = zeros.add(is_empty.and(Self::all($bits)));
                left = is_empty.select(left.shift_left::<$bits>(), left);
            };
        }
        halve!(16);
        halve!(8);
        halve!(4);
        halve!(2);
        halve!(1);
        // What is left begins with a one, unless there was none.
        zeros.add(left.equal(Self::all(0)).and(Self::all(1)))
    }

    #[inline(always)]
    fn absolute(self) -> Self {
        Self(unsafe { _mm256_abs_epi32(self.0) })
    }

    #[inline(always)]
    fn select(self, then: Self, otherwise: Self) -> Self {
        unsafe {
            let [then, otherwise] = [_mm256_castsi256_ps(then.0), _mm256_castsi256_ps(otherwise.0)];
            Self(_mm256_castps_si256(_mm256_blendv_ps(otherwise, then, _mm256_castsi256_ps(self.0))))
        }
    }

    #[inline(always)]
    fn any(self) -> bool {
        unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(self.0)) != 0 }
    }

    #[inline(always)]
    fn sum(self) -> i32 {
        unsafe {
            let four = _mm_add_epi32(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b1110>(four));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
        }
    }

    #[inline(always)]
    fn running_sums(self) -> Self {
        unsafe {
            // Within each half, then what the first half comes to for the second.
            let pairs = _mm256_add_epi32(self.0, _mm256_slli_si256::<4>(self.0));
            let halves = _mm256_add_epi32(pairs, _mm256_slli_si256::<8>(pairs));
            let first = _mm256_permutevar8x32_epi32(halves, _mm256_set1_epi32(3));
            Self(_mm256_add_epi32(halves, _mm256_blend_epi32::<0xf0>(_mm256_setzero_si256(), first)))
        }
    }

    #[inline(always)]
    fn last(self) -> Self {
        unsafe { Self(_mm256_permutevar8x32_epi32(self.0, _mm256_set1_epi32(7))) }
    }

    #[inline(always)]
    fn divisor(self) -> Halves {
        let Halves([first, second]) = self.greater(Self::all(1)).halves();
        unsafe {
            let outwards = _mm256_set1_pd(OUTWARDS);
            Halves([_mm256_div_pd(outwards, first), _mm256_div_pd(outwards, second)])
        }
    }

    #[inline(always)]
    fn quotient(self, divisor: Halves) -> Self {
        Self::nearest(self.halves().times(divisor))
    }

    #[inline(always)]
    fn ratio(self, divisor: Halves) -> Self {
        let scale = unsafe { Halves([_mm256_set1_pd(RULE_ONE as f64); 2]) };
        Self::nearest(self.halves().times(divisor.times(scale)).held())
    }

    #[inline(always)]
    fn length(self, other: Self) -> Self {
        // The sum is 2^31 at most, and has the root of 2^31 - 1 there.
        let square = self.multiply(self).wrapping_add(other.multiply(other)).lesser_unsigned(Self::all(i32::MAX));
        let root = below_root(unsafe { _mm256_cvtepi32_ps(square.0) });
        // square ≥ (root + 1)², without its overflow.
        root.subtract(root.shift_left::<1>().less(square.subtract(root.multiply(root))))
    }

    #[inline(always)]
    fn square_root(self) -> Self {
        let (high, low) = (self.shift_right_unsigned::<16>(), self.and(Self::all(0xffff)));
        let root = below_root(unsafe {
            let (high, low) = (_mm256_cvtepi32_ps(high.0), _mm256_cvtepi32_ps(low.0));
            _mm256_add_ps(_mm256_mul_ps(high, _mm256_set1_ps(65_536.0)), low)
        });
        // The remainder fits beside its sign.
        root.subtract(root.shift_left::<1>().less(self.wrapping_subtract(root.multiply(root))))
    }
}

/// The floor of the root, or one less: an estimate, which is 2^16 at most, is off by less than 2^-7, and that is taken off.
#[inline(always)]
fn below_root(square: __m256) -> Avx2 {
    unsafe { Avx2(_mm256_cvttps_epi32(_mm256_sub_ps(_mm256_sqrt_ps(square), _mm256_set1_ps(1.0 / 128.0)))) }
}
