//! Lanes for processors with AVX-512.

use super::Lanes;
use crate::numbers::{OUTWARDS, RULE_ONE};
use std::arch::x86_64::*;

/// Sixteen lanes.
#[derive(Debug, Clone, Copy)]
pub struct Avx512(__m512i);

/// The lanes as f64, the first half and the second.
#[derive(Debug, Clone, Copy)]
pub struct Halves([__m512d; 2]);

// SAFETY of all that follows: these lanes are used only in functions that are called where the processor was seen to have
// the instructions (see the trait), and every list that is loaded or stored to is at least as long as was checked.
impl Avx512 {
    #[inline(always)]
    fn halves(self) -> Halves {
        unsafe {
            Halves([
                _mm512_cvtepi32_pd(_mm512_castsi512_si256(self.0)),
                _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64::<1>(self.0)),
            ])
        }
    }

    /// The nearest integers, of numbers within the range of an i32.
    #[inline(always)]
    fn nearest(halves: Halves) -> Self {
        unsafe {
            let [first, second] = [_mm512_cvtpd_epi32(halves.0[0]), _mm512_cvtpd_epi32(halves.0[1])];
            Self(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second))
        }
    }
}

impl Halves {
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        unsafe { Self([_mm512_mul_pd(self.0[0], other.0[0]), _mm512_mul_pd(self.0[1], other.0[1])]) }
    }

    /// Held within ±2^30.
    #[inline(always)]
    fn held(self) -> Self {
        unsafe {
            let (least, most) = (_mm512_set1_pd(-(1 << 30) as f64), _mm512_set1_pd((1 << 30) as f64));
            let [first, second] = self.0;
            Self([_mm512_max_pd(_mm512_min_pd(first, most), least), _mm512_max_pd(_mm512_min_pd(second, most), least)])
        }
    }
}

impl Lanes for Avx512 {
    const COUNT: usize = 16;
    type Divisor = Halves;

    #[inline(always)]
    fn all(value: i32) -> Self {
        Self(unsafe { _mm512_set1_epi32(value) })
    }

    #[inline(always)]
    fn numbers() -> Self {
        Self(unsafe { _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) })
    }

    #[inline(always)]
    fn load(from: &[i32]) -> Self {
        let from = &from[..Self::COUNT];
        Self(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        Self(unsafe { _mm512_loadu_si512(from.as_ptr().add(at).cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        let to = &mut to[..Self::COUNT];
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(unsafe { _mm512_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        Self(unsafe { _mm512_sub_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        Self(unsafe { _mm512_mullo_epi32(self.0, other.0) })
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
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self) -> Self {
        // A constant in the end; the instruction's own constant is of another type on other processors.
        Self(unsafe { _mm512_sll_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        // A constant in the end; the instruction's own constant is of another type on other processors.
        Self(unsafe { _mm512_sra_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }

    #[inline(always)]
    fn shift_right_unsigned<const BITS: u32>(self) -> Self {
        // A constant in the end; the instruction's own constant is of another type on other processors.
        Self(unsafe { _mm512_srl_epi32(self.0, _mm_cvtsi32_si128(BITS as i32)) })
    }

    #[inline(always)]
    fn shift_right_by(self, other: Self) -> Self {
        Self(unsafe { _mm512_srlv_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        Self(unsafe { _mm512_movm_epi32(_mm512_cmplt_epi32_mask(self.0, other.0)) })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Self(unsafe { _mm512_movm_epi32(_mm512_cmpeq_epi32_mask(self.0, other.0)) })
    }

    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        Self(unsafe { _mm512_min_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        Self(unsafe { _mm512_max_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn lesser_unsigned(self, other: Self) -> Self {
        Self(unsafe { _mm512_min_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn greater_unsigned(self, other: Self) -> Self {
        Self(unsafe { _mm512_max_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        Self(unsafe { _mm512_lzcnt_epi32(self.0) })
    }

    #[inline(always)]
    fn absolute(self) -> Self {
        Self(unsafe { _mm512_abs_epi32(self.0) })
    }

    #[inline(always)]
    fn select(self, then: Self, otherwise: Self) -> Self {
        Self(unsafe { _mm512_mask_blend_epi32(_mm512_movepi32_mask(self.0), otherwise.0, then.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        unsafe { _mm512_movepi32_mask(self.0) != 0 }
    }

    #[inline(always)]
    fn sum(self) -> i32 {
        unsafe { _mm512_reduce_add_epi32(self.0) }
    }

    #[inline(always)]
    fn running_sums(self) -> Self {
        unsafe {
            let none = _mm512_setzero_si512();
            // Each with the one before, then with two, four and eight.
            let sums = _mm512_add_epi32(self.0, _mm512_alignr_epi32::<15>(self.0, none));
            let sums = _mm512_add_epi32(sums, _mm512_alignr_epi32::<14>(sums, none));
            let sums = _mm512_add_epi32(sums, _mm512_alignr_epi32::<12>(sums, none));
            Self(_mm512_add_epi32(sums, _mm512_alignr_epi32::<8>(sums, none)))
        }
    }

    #[inline(always)]
    fn last(self) -> Self {
        unsafe { Self(_mm512_permutexvar_epi32(_mm512_set1_epi32(15), self.0)) }
    }

    #[inline(always)]
    fn divisor(self) -> Halves {
        let Halves([first, second]) = self.greater(Self::all(1)).halves();
        unsafe {
            let outwards = _mm512_set1_pd(OUTWARDS);
            Halves([_mm512_div_pd(outwards, first), _mm512_div_pd(outwards, second)])
        }
    }

    #[inline(always)]
    fn quotient(self, divisor: Halves) -> Self {
        Self::nearest(self.halves().times(divisor))
    }

    #[inline(always)]
    fn ratio(self, divisor: Halves) -> Self {
        let scale = unsafe { Halves([_mm512_set1_pd(RULE_ONE as f64); 2]) };
        Self::nearest(self.halves().times(divisor.times(scale)).held())
    }

    #[inline(always)]
    fn length(self, other: Self) -> Self {
        // The sum is 2^31 at most, and has the root of 2^31 - 1 there.
        let square = self.multiply(self).wrapping_add(other.multiply(other)).lesser_unsigned(Self::all(i32::MAX));
        let root = below_root(unsafe { _mm512_cvtepi32_ps(square.0) });
        // square ≥ (root + 1)², without its overflow.
        root.subtract(root.shift_left::<1>().less(square.subtract(root.multiply(root))))
    }

    #[inline(always)]
    fn square_root(self) -> Self {
        let root = below_root(unsafe { _mm512_cvtepu32_ps(self.0) });
        // The remainder fits beside its sign.
        root.subtract(root.shift_left::<1>().less(self.wrapping_subtract(root.multiply(root))))
    }
}

/// The floor of the root, or one less: an estimate, which is 2^16 at most, is off by less than 2^-7, and that is taken off.
#[inline(always)]
fn below_root(square: __m512) -> Avx512 {
    unsafe { Avx512(_mm512_cvttps_epi32(_mm512_sub_ps(_mm512_sqrt_ps(square), _mm512_set1_ps(1.0 / 128.0)))) }
}
