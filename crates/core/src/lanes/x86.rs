//! Lanes for x86-64, written once over the intrinsics of AVX2 and of AVX-512.
//!
//! Each instruction set is a module that gives its intrinsics common names. A function stands there only for an
//! intrinsic that the set lacks. The kernels of a set lie in its module, so that the compiler works on several sets at
//! a time. The macro [`lanes`] implements [`Lanes`] for both.

use super::{LaneWork, Lanes, operations, roots};
use crate::numbers::{OUTWARDS, RULE_ONE};
use std::arch::x86_64::_mm_cvtsi32_si128;

// SAFETY of every `unsafe` block in this file: these lanes are used only in functions that are called on processors
// with the instruction set (see [`Lanes`]). Each safe load or store first checks the length of its slice.

/// Eight lanes in a register.
pub mod avx2 {
    use super::{Avx2, LaneWork};
    use std::arch::x86_64::*;
    pub use std::arch::x86_64::{
        __m256 as Floats, __m256d as Doubles, __m256i as Words, _mm256_abs_epi32 as abs, _mm256_add_epi32 as add,
        _mm256_add_epi32 as wrapping_add, _mm256_add_ps as add_floats, _mm256_and_si256 as and,
        _mm256_castsi256_si128 as low, _mm256_cmpeq_epi32 as equals, _mm256_cvtepi32_pd as to_doubles,
        _mm256_cvtepi32_ps as to_floats, _mm256_cvtpd_epi32 as round, _mm256_cvtps_epi32 as round_floats,
        _mm256_cvttps_epi32 as truncate, _mm256_div_pd as divide_doubles, _mm256_div_ps as divide_floats,
        _mm256_extracti128_si256 as high, _mm256_loadu_si256 as load, _mm256_madd_epi16 as multiply_halves,
        _mm256_max_epi32 as max, _mm256_max_epu32 as max_unsigned, _mm256_max_pd as max_doubles,
        _mm256_min_epi32 as min, _mm256_min_epu32 as min_unsigned, _mm256_min_pd as min_doubles,
        _mm256_mul_pd as multiply_doubles, _mm256_mul_ps as multiply_floats, _mm256_mullo_epi32 as multiply,
        _mm256_mullo_epi32 as wrapping_multiply, _mm256_or_si256 as or, _mm256_set_m128i as join_high_low,
        _mm256_set1_epi32 as splat, _mm256_set1_pd as splat_double, _mm256_set1_ps as splat_float,
        _mm256_sll_epi32 as shift_left, _mm256_sqrt_ps as square_root, _mm256_sra_epi32 as shift_right,
        _mm256_srl_epi32 as shift_right_unsigned, _mm256_srlv_epi32 as shift_right_unsigned_by,
        _mm256_storeu_si256 as store, _mm256_sub_epi32 as subtract, _mm256_sub_epi32 as wrapping_subtract,
        _mm256_sub_ps as subtract_floats, _mm256_xor_si256 as xor,
    };

    /// Work for this instruction set.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    pub fn run(work: impl LaneWork) {
        work.run::<Avx2>();
    }

    /// The words that begin at these bytes.
    #[inline(always)]
    pub unsafe fn gather(from: *const u8, at: Words) -> Words {
        unsafe { _mm256_i32gather_epi32::<1>(from.cast(), at) }
    }

    #[inline(always)]
    pub unsafe fn load_halves(from: *const i16) -> Words {
        unsafe { _mm256_cvtepi16_epi32(_mm_loadu_si128(from.cast())) }
    }

    #[inline(always)]
    pub unsafe fn store_halves(to: *mut i16, words: Words) {
        unsafe { _mm_storeu_si128(to.cast(), _mm_packs_epi32(low(words), high::<1>(words))) }
    }

    #[inline(always)]
    pub unsafe fn iota() -> Words {
        unsafe { _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7) }
    }

    #[inline(always)]
    pub unsafe fn less_than(a: Words, b: Words) -> Words {
        unsafe { _mm256_cmpgt_epi32(b, a) }
    }

    #[inline(always)]
    pub unsafe fn select(mask: Words, then: Words, otherwise: Words) -> Words {
        unsafe {
            let [then, otherwise] = [_mm256_castsi256_ps(then), _mm256_castsi256_ps(otherwise)];
            _mm256_castps_si256(_mm256_blendv_ps(otherwise, then, _mm256_castsi256_ps(mask)))
        }
    }

    #[inline(always)]
    pub unsafe fn any(mask: Words) -> bool {
        unsafe { bits(mask) != 0 }
    }

    #[inline(always)]
    pub unsafe fn bits(mask: Words) -> u32 {
        unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(mask)) as u32 }
    }

    #[inline(always)]
    pub unsafe fn leading_zeros(words: Words) -> Words {
        unsafe {
            // A binary search for the highest set bit. If the upper half of the rest is zero, the bits of this half are
            // counted and shifted out.
            let zero = _mm256_setzero_si256();
            let (mut rest, mut zeros) = (words, zero);
            macro_rules! halve {
                ($bits:literal) => {
                    let is_zero = equals(_mm256_srli_epi32::<{ 32 - $bits }>(rest), zero);
                    zeros = add(zeros, and(is_zero, splat($bits)));
                    rest = select(is_zero, _mm256_slli_epi32::<$bits>(rest), rest);
                };
            }
            halve!(16);
            halve!(8);
            halve!(4);
            halve!(2);
            halve!(1);
            // The highest bit of the rest is set, except for the word zero.
            add(zeros, and(equals(rest, zero), splat(1)))
        }
    }

    #[inline(always)]
    pub unsafe fn reduce_sum(words: Words) -> i32 {
        unsafe {
            let four = _mm_add_epi32(low(words), high::<1>(words));
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b1110>(four));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
        }
    }

    #[inline(always)]
    pub unsafe fn prefix_sum(words: Words) -> Words {
        unsafe {
            // First come the prefix sums within each half. Then the total of the lower half is added to the upper half.
            let pairs = add(words, _mm256_slli_si256::<4>(words));
            let halves = add(pairs, _mm256_slli_si256::<8>(pairs));
            let total = _mm256_permutevar8x32_epi32(halves, splat(3));
            add(halves, _mm256_blend_epi32::<0xf0>(_mm256_setzero_si256(), total))
        }
    }

    #[inline(always)]
    pub unsafe fn splat_last(words: Words) -> Words {
        unsafe { _mm256_permutevar8x32_epi32(words, splat(7)) }
    }

    #[inline(always)]
    pub unsafe fn permute(words: Words, numbers: Words) -> Words {
        unsafe { _mm256_permutevar8x32_epi32(words, numbers) }
    }

    #[inline(always)]
    pub unsafe fn multiply_add(a: Floats, b: Floats, summand: Floats) -> Floats {
        unsafe { add_floats(multiply_floats(a, b), summand) }
    }

    /// Unsigned words as floats, exact to half a unit in the last place of an f32.
    #[inline(always)]
    pub unsafe fn unsigned_to_floats(words: Words) -> Floats {
        unsafe {
            let (high, low) = (_mm256_srli_epi32::<16>(words), and(words, splat(0xffff)));
            _mm256_add_ps(_mm256_mul_ps(to_floats(high), splat_float(65_536.0)), to_floats(low))
        }
    }
}

/// Sixteen lanes in a register.
pub mod avx512 {
    use super::{Avx512, LaneWork};
    use std::arch::x86_64::*;
    pub use std::arch::x86_64::{
        __m512 as Floats, __m512d as Doubles, __m512i as Words, _mm512_abs_epi32 as abs, _mm512_add_epi32 as add,
        _mm512_add_epi32 as wrapping_add, _mm512_and_si512 as and, _mm512_castsi512_si256 as low,
        _mm512_cvtepi32_pd as to_doubles, _mm512_cvtepi32_ps as to_floats, _mm512_cvtepu32_ps as unsigned_to_floats,
        _mm512_cvtpd_epi32 as round, _mm512_cvtps_epi32 as round_floats, _mm512_cvttps_epi32 as truncate,
        _mm512_div_pd as divide_doubles, _mm512_div_ps as divide_floats, _mm512_extracti64x4_epi64 as high,
        _mm512_loadu_si512 as load, _mm512_lzcnt_epi32 as leading_zeros, _mm512_madd_epi16 as multiply_halves,
        _mm512_max_epi32 as max, _mm512_max_epu32 as max_unsigned, _mm512_max_pd as max_doubles,
        _mm512_min_epi32 as min, _mm512_min_epu32 as min_unsigned, _mm512_min_pd as min_doubles,
        _mm512_mul_pd as multiply_doubles, _mm512_mullo_epi32 as multiply, _mm512_mullo_epi32 as wrapping_multiply,
        _mm512_or_si512 as or, _mm512_reduce_add_epi32 as reduce_sum, _mm512_set1_epi32 as splat,
        _mm512_set1_pd as splat_double, _mm512_set1_ps as splat_float, _mm512_sll_epi32 as shift_left,
        _mm512_sqrt_ps as square_root, _mm512_sra_epi32 as shift_right, _mm512_srl_epi32 as shift_right_unsigned,
        _mm512_srlv_epi32 as shift_right_unsigned_by, _mm512_storeu_si512 as store, _mm512_sub_epi32 as subtract,
        _mm512_sub_epi32 as wrapping_subtract, _mm512_sub_ps as subtract_floats, _mm512_xor_si512 as xor,
    };

    /// Work for this instruction set.
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt")]
    pub fn run(work: impl LaneWork) {
        work.run::<Avx512>();
    }

    /// The words that begin at these bytes.
    #[inline(always)]
    pub unsafe fn gather(from: *const u8, at: Words) -> Words {
        unsafe { _mm512_i32gather_epi32::<1>(at, from.cast()) }
    }

    #[inline(always)]
    pub unsafe fn load_halves(from: *const i16) -> Words {
        unsafe { _mm512_cvtepi16_epi32(_mm256_loadu_si256(from.cast())) }
    }

    #[inline(always)]
    pub unsafe fn store_halves(to: *mut i16, words: Words) {
        unsafe { _mm256_storeu_si256(to.cast(), _mm512_cvtepi32_epi16(words)) }
    }

    #[inline(always)]
    pub unsafe fn iota() -> Words {
        unsafe { _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }
    }

    #[inline(always)]
    pub unsafe fn less_than(a: Words, b: Words) -> Words {
        unsafe { _mm512_movm_epi32(_mm512_cmplt_epi32_mask(a, b)) }
    }

    #[inline(always)]
    pub unsafe fn equals(a: Words, b: Words) -> Words {
        unsafe { _mm512_movm_epi32(_mm512_cmpeq_epi32_mask(a, b)) }
    }

    #[inline(always)]
    pub unsafe fn select(mask: Words, then: Words, otherwise: Words) -> Words {
        unsafe { _mm512_mask_blend_epi32(_mm512_movepi32_mask(mask), otherwise, then) }
    }

    #[inline(always)]
    pub unsafe fn any(mask: Words) -> bool {
        unsafe { bits(mask) != 0 }
    }

    #[inline(always)]
    pub unsafe fn bits(mask: Words) -> u32 {
        unsafe { u32::from(_mm512_movepi32_mask(mask)) }
    }

    #[inline(always)]
    pub unsafe fn prefix_sum(words: Words) -> Words {
        unsafe {
            let zero = _mm512_setzero_si512();
            // Adds the lanes moved up by one lane. Then adds the sums moved up by two, by four and by eight lanes.
            let sums = add(words, _mm512_alignr_epi32::<15>(words, zero));
            let sums = add(sums, _mm512_alignr_epi32::<14>(sums, zero));
            let sums = add(sums, _mm512_alignr_epi32::<12>(sums, zero));
            add(sums, _mm512_alignr_epi32::<8>(sums, zero))
        }
    }

    #[inline(always)]
    pub unsafe fn splat_last(words: Words) -> Words {
        unsafe { _mm512_permutexvar_epi32(splat(15), words) }
    }

    #[inline(always)]
    pub unsafe fn permute(words: Words, numbers: Words) -> Words {
        unsafe { _mm512_permutexvar_epi32(numbers, words) }
    }

    #[inline(always)]
    pub unsafe fn multiply_add(a: Floats, b: Floats, summand: Floats) -> Floats {
        unsafe { _mm512_fmadd_ps(a, b, summand) }
    }

    #[inline(always)]
    pub unsafe fn join_high_low(high: __m256i, low: __m256i) -> Words {
        unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high) }
    }
}

/// Defines operations on lanes, each by the function with its name in the module of an instruction set.
macro_rules! on_registers {
    ($set:ident: $($name:ident($($other:ident),*))*; $($shift:ident)*) => {
        $(
            #[inline(always)]
            fn $name(self $(, $other: Self)*) -> Self {
                Self(unsafe { $set::$name(self.0 $(, $other.0)*) })
            }
        )*
        $(
            #[inline(always)]
            fn $shift<const BITS: u32>(self) -> Self {
                // The forms with an immediate have different types in the two sets. The compiler turns this form into
                // them.
                Self(unsafe { $set::$shift(self.0, _mm_cvtsi32_si128(BITS as i32)) })
            }
        )*
    };
}

/// The implementation of [`Lanes`] on the registers of an instruction set.
macro_rules! lanes {
    ($(#[$doc:meta])* $name:ident, $count:literal, $set:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name($set::Words);

        impl $name {
            /// The lower and the upper half of the lanes as f64.
            #[inline(always)]
            fn to_doubles(self) -> [$set::Doubles; 2] {
                unsafe { [$set::to_doubles($set::low(self.0)), $set::to_doubles($set::high::<1>(self.0))] }
            }

            /// The nearest integer to each f64 of both halves. The numbers are within the range of an i32.
            #[inline(always)]
            fn round([low, high]: [$set::Doubles; 2]) -> Self {
                Self(unsafe { $set::join_high_low($set::round(high), $set::round(low)) })
            }

            #[inline(always)]
            fn multiply_doubles(a: [$set::Doubles; 2], b: [$set::Doubles; 2]) -> [$set::Doubles; 2] {
                unsafe { [$set::multiply_doubles(a[0], b[0]), $set::multiply_doubles(a[1], b[1])] }
            }

            /// The floor of the root, or one less. The estimate of the root is at most 2^16, with an error below 2^-7.
            /// The bound 2^-7 is subtracted before the result is rounded down.
            #[inline(always)]
            fn root_below(square: $set::Floats) -> Self {
                unsafe {
                    let root = $set::square_root(square);
                    Self($set::truncate($set::subtract_floats(root, $set::splat_float(1.0 / 128.0))))
                }
            }
        }

        impl Lanes for $name {
            const COUNT: usize = $count;
            type Divisor = [$set::Doubles; 2];
            type Floats = $set::Floats;

            operations!(on_registers $set:);
            on_registers!($set: prefix_sum() splat_last() permute(numbers););

            #[inline(always)]
            fn splat(value: i32) -> Self {
                Self(unsafe { $set::splat(value) })
            }

            #[inline(always)]
            fn iota() -> Self {
                Self(unsafe { $set::iota() })
            }

            #[inline(always)]
            unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
                Self(unsafe { $set::load(from.as_ptr().add(at).cast()) })
            }

            #[inline(always)]
            fn gather_bytes(from: &[u8], at: Self) -> Self {
                assert!((4..1 << 31).contains(&from.len()), "so many bytes cannot be gathered");
                // The word at the last bytes ends with the slice. So the word is within the slice for any index.
                let first = at.min_unsigned(Self::splat(from.len() as i32 - 4));
                let words = Self(unsafe { $set::gather(from.as_ptr(), first.0) });
                let bits = at.wrapping_subtract(first).shift_left::<3>();
                words.shift_right_unsigned_by(bits).and(Self::splat(0xff))
            }

            #[inline(always)]
            fn store(self, to: &mut [i32]) {
                let to = &mut to[..Self::COUNT];
                unsafe { $set::store(to.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn load_halves(from: &[i16]) -> Self {
                let from = &from[..Self::COUNT];
                Self(unsafe { $set::load_halves(from.as_ptr()) })
            }

            #[inline(always)]
            fn store_halves(self, to: &mut [i16]) {
                let to = &mut to[..Self::COUNT];
                unsafe { $set::store_halves(to.as_mut_ptr(), self.0) }
            }

            #[inline(always)]
            fn any(self) -> bool {
                unsafe { $set::any(self.0) }
            }

            #[inline(always)]
            fn bits(self) -> u32 {
                unsafe { $set::bits(self.0) }
            }

            #[inline(always)]
            fn reduce_sum(self) -> i32 {
                unsafe { $set::reduce_sum(self.0) }
            }

            #[inline(always)]
            fn divisor(self) -> Self::Divisor {
                let [low, high] = self.max(Self::splat(1)).to_doubles();
                unsafe {
                    let outwards = $set::splat_double(OUTWARDS);
                    [$set::divide_doubles(outwards, low), $set::divide_doubles(outwards, high)]
                }
            }

            #[inline(always)]
            fn quotient(self, divisor: Self::Divisor) -> Self {
                Self::round(Self::multiply_doubles(self.to_doubles(), divisor))
            }

            #[inline(always)]
            fn ratio(self, divisor: Self::Divisor) -> Self {
                unsafe {
                    let scale = [$set::splat_double(RULE_ONE as f64); 2];
                    let [low, high] =
                        Self::multiply_doubles(self.to_doubles(), Self::multiply_doubles(divisor, scale));
                    let (least, most) = ($set::splat_double(-(1 << 30) as f64), $set::splat_double((1 << 30) as f64));
                    Self::round([
                        $set::max_doubles($set::min_doubles(low, most), least),
                        $set::max_doubles($set::min_doubles(high, most), least),
                    ])
                }
            }

            #[inline(always)]
            fn float_quotient(self, numerator: f32) -> Self::Floats {
                unsafe { $set::divide_floats($set::splat_float(numerator), $set::to_floats(self.0)) }
            }

            #[inline(always)]
            fn multiply_add_floats(self, factor: Self::Floats, summand: f32) -> Self {
                Self(unsafe {
                    let sum = $set::multiply_add($set::to_floats(self.0), factor, $set::splat_float(summand));
                    $set::round_floats(sum)
                })
            }

            roots!($set::to_floats, $set::unsigned_to_floats);
        }
    };
}

lanes! {
    /// Eight lanes, for processors with AVX2.
    Avx2, 8, avx2
}

lanes! {
    /// Sixteen lanes, for processors with AVX-512.
    Avx512, 16, avx512
}
