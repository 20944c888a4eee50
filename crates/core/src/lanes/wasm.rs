//! Lanes for WebAssembly, over the intrinsics of SIMD128.

use super::{LaneWork, Lanes, roots};
use crate::numbers::{OUTWARDS, RULE_ONE};
use std::arch::wasm32::*;

// A WebAssembly module is compiled with SIMD128 or without. A browser without SIMD128 refuses the module. Therefore the
// intrinsics are safe, except those that read or write memory.

/// Added to an f64 to round it. The last bit of an f64 from 2^52 to 2^53 has the value 1. So the low word of the sum is
/// the integer nearest to the f64.
const NEAREST: f64 = 1.5 * (1u64 << 52) as f64;
/// Added to an f32 to round it. The bits of the sum, minus the bits of this number, are the integer nearest to the f32.
const NEAREST_FLOAT: f32 = 1.5 * (1u32 << 23) as f32;

/// Four lanes in a register, for modules with SIMD128.
#[derive(Debug, Clone, Copy)]
pub struct Simd128(v128);

/// Work for this instruction set. It is not inlined, so that a kernel is not compiled several times.
#[inline(never)]
pub fn run(work: impl LaneWork) {
    work.run::<Simd128>();
}

/// Defines operations on lanes by formulas on their vectors: `name(operands) = result`.
macro_rules! on_vectors {
    ($($name:ident($first:ident $(, $other:ident)*) = $result:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $other: Self)*) -> Self {
            let $first = self.0;
            $(let $other = $other.0;)*
            Self($result)
        }
    )*};
}

impl Simd128 {
    /// The lower and the upper half of the lanes as f64.
    #[inline(always)]
    fn to_doubles(self) -> [v128; 2] {
        let upper = i32x4_shuffle::<2, 3, 2, 3>(self.0, self.0);
        [f64x2_convert_low_i32x4(self.0), f64x2_convert_low_i32x4(upper)]
    }

    /// The integers nearest to four f64. The numbers are within the range of an i32 or of a u32.
    #[inline(always)]
    fn round([low, high]: [v128; 2]) -> Self {
        let nearest = f64x2_splat(NEAREST);
        Self(i32x4_shuffle::<0, 2, 4, 6>(f64x2_add(low, nearest), f64x2_add(high, nearest)))
    }

    #[inline(always)]
    fn multiply_doubles(a: [v128; 2], b: [v128; 2]) -> [v128; 2] {
        [f64x2_mul(a[0], b[0]), f64x2_mul(a[1], b[1])]
    }

    /// The floor of the root, or one less. The estimate of the root is at most 2^16, with an error below 2^-7. A half
    /// and the bound 2^-7 are subtracted. This subtraction is exact, and the difference is then rounded to nearest.
    #[inline(always)]
    fn root_below(square: v128) -> Self {
        let below = f32x4_sub(f32x4_sqrt(square), f32x4_splat(0.5 + 1.0 / 128.0));
        Self(i32x4_sub(f32x4_add(below, f32x4_splat(NEAREST_FLOAT)), i32x4_splat(NEAREST_FLOAT.to_bits() as i32)))
    }
}

impl Lanes for Simd128 {
    const COUNT: usize = 4;
    type Divisor = [v128; 2];
    type Floats = v128;

    on_vectors! {
        add(a, b) = i32x4_add(a, b);
        subtract(a, b) = i32x4_sub(a, b);
        multiply(a, b) = i32x4_mul(a, b);
        wrapping_add(a, b) = i32x4_add(a, b);
        wrapping_subtract(a, b) = i32x4_sub(a, b);
        wrapping_multiply(a, b) = i32x4_mul(a, b);
        multiply_halves(a, b) = i32x4_dot_i16x8(a, b);
        and(a, b) = v128_and(a, b);
        or(a, b) = v128_or(a, b);
        xor(a, b) = v128_xor(a, b);
        less_than(a, b) = i32x4_lt(a, b);
        equals(a, b) = i32x4_eq(a, b);
        min(a, b) = i32x4_min(a, b);
        max(a, b) = i32x4_max(a, b);
        min_unsigned(a, b) = u32x4_min(a, b);
        max_unsigned(a, b) = u32x4_max(a, b);
        abs(a) = i32x4_abs(a);
        select(mask, then, otherwise) = v128_bitselect(then, otherwise, i32x4_shr(mask, 31));
        splat_last(a) = i32x4_shuffle::<3, 3, 3, 3>(a, a);
    }

    #[inline(always)]
    fn shift_right_unsigned_by(self, bits: Self) -> Self {
        // The instruction shifts all lanes by one number of bits. If the compiler sees that all lanes of `bits` are
        // equal, it removes the code below.
        let first = i32x4_extract_lane::<0>(bits.0);
        if i32x4_all_true(i32x4_eq(bits.0, i32x4_splat(first))) {
            return Self(u32x4_shr(self.0, first as u32));
        }
        // Each lane is multiplied by 2^-bits as an f64, and the product is rounded down. In the f64 2^-bits, the upper
        // word holds only the exponent, and the lower word is 0.
        let (zero, exponents) = (i32x4_splat(0), i32x4_shl(i32x4_sub(i32x4_splat(1023), bits.0), 20));
        let powers = [i32x4_shuffle::<0, 4, 1, 5>(zero, exponents), i32x4_shuffle::<2, 6, 3, 7>(zero, exponents)];
        let upper = i32x4_shuffle::<2, 3, 2, 3>(self.0, self.0);
        let words = [f64x2_convert_low_u32x4(self.0), f64x2_convert_low_u32x4(upper)];
        let [low, high] = Self::multiply_doubles(words, powers);
        Self::round([f64x2_floor(low), f64x2_floor(high)])
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self) -> Self {
        Self(i32x4_shl(self.0, BITS))
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        Self(i32x4_shr(self.0, BITS))
    }

    #[inline(always)]
    fn shift_right_unsigned<const BITS: u32>(self) -> Self {
        Self(u32x4_shr(self.0, BITS))
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        // The exponent of a float gives the highest bit. The bit below the highest is cleared, so that the float is not
        // rounded up to the next power of two. The sign bit makes the exponent of a negative number greater than 158,
        // so its difference is negative. The exponent of 0 is 0.
        let cut = v128_andnot(self.0, u32x4_shr(self.0, 1));
        let exponent = u32x4_shr(f32x4_convert_i32x4(cut), 23);
        let zeros = i32x4_sub(i32x4_splat(127 + 31), exponent);
        Self(i32x4_min(i32x4_max(zeros, i32x4_splat(0)), i32x4_splat(32)))
    }

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Self(i32x4_splat(value))
    }

    #[inline(always)]
    fn iota() -> Self {
        Self(i32x4(0, 1, 2, 3))
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        // SAFETY: the caller ensures the length. The instruction reads from any address.
        Self(unsafe { v128_load(from.as_ptr().add(at).cast()) })
    }

    #[inline(always)]
    fn gather_bytes(from: &[u8], at: Self) -> Self {
        assert!((4..1 << 31).contains(&from.len()), "so many bytes cannot be gathered");
        let at = at.min_unsigned(Self::splat(from.len() as i32 - 1)).0;
        macro_rules! byte {
            ($lane:literal) => {
                // SAFETY: `min_unsigned` has just limited every index to the slice.
                unsafe { i32::from(*from.get_unchecked(i32x4_extract_lane::<$lane>(at) as usize)) }
            };
        }
        Self(i32x4(byte!(0), byte!(1), byte!(2), byte!(3)))
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        let to = &mut to[..Self::COUNT];
        // SAFETY: the slice was just cut to the length of the vector. The instruction writes to any address.
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn load_halves(from: &[i16]) -> Self {
        let from = &from[..Self::COUNT];
        // SAFETY: the slice was just cut to the length that is read.
        Self(unsafe { i32x4_load_extend_i16x4(from.as_ptr()) })
    }

    #[inline(always)]
    fn store_halves(self, to: &mut [i16]) {
        let to = &mut to[..Self::COUNT];
        let halves = i16x8_narrow_i32x4(self.0, self.0);
        // SAFETY: the slice was just cut to the length that is written.
        unsafe { v128_store64_lane::<0>(halves, to.as_mut_ptr().cast()) }
    }

    #[inline(always)]
    fn any(self) -> bool {
        i32x4_bitmask(self.0) != 0
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        i32x4_bitmask(self.0).into()
    }

    #[inline(always)]
    fn reduce_sum(self) -> i32 {
        let two = i32x4_add(self.0, i32x4_shuffle::<2, 3, 2, 3>(self.0, self.0));
        i32x4_extract_lane::<0>(two).wrapping_add(i32x4_extract_lane::<1>(two))
    }

    #[inline(always)]
    fn prefix_sum(self) -> Self {
        // Adds the lanes moved up by one lane. Then adds these sums moved up by two lanes.
        let zero = i32x4_splat(0);
        let sums = i32x4_add(self.0, i32x4_shuffle::<0, 4, 5, 6>(zero, self.0));
        Self(i32x4_add(sums, i32x4_shuffle::<0, 1, 4, 5>(zero, sums)))
    }

    #[inline(always)]
    fn permute(self, numbers: Self) -> Self {
        // The four bytes of lane n are 4n to 4n + 3.
        let number = v128_and(numbers.0, i32x4_splat(3));
        let bytes = i32x4_add(i32x4_mul(number, i32x4_splat(0x0404_0404)), i32x4_splat(0x0302_0100));
        Self(i8x16_swizzle(self.0, bytes))
    }

    #[inline(always)]
    fn divisor(self) -> Self::Divisor {
        let [low, high] = self.max(Self::splat(1)).to_doubles();
        let outwards = f64x2_splat(OUTWARDS);
        [f64x2_div(outwards, low), f64x2_div(outwards, high)]
    }

    #[inline(always)]
    fn quotient(self, divisor: Self::Divisor) -> Self {
        Self::round(Self::multiply_doubles(self.to_doubles(), divisor))
    }

    #[inline(always)]
    fn ratio(self, divisor: Self::Divisor) -> Self {
        let scale = [f64x2_splat(RULE_ONE as f64); 2];
        let [low, high] = Self::multiply_doubles(self.to_doubles(), Self::multiply_doubles(divisor, scale));
        let (least, most) = (f64x2_splat(-(1 << 30) as f64), f64x2_splat((1 << 30) as f64));
        // Unlike `f64x2_min` and `f64x2_max`, which also handle NaN, each of these is one instruction of a processor.
        Self::round([f64x2_pmax(f64x2_pmin(low, most), least), f64x2_pmax(f64x2_pmin(high, most), least)])
    }

    #[inline(always)]
    fn float_quotient(self, numerator: f32) -> v128 {
        f32x4_div(f32x4_splat(numerator), f32x4_convert_i32x4(self.0))
    }

    #[inline(always)]
    fn multiply_add_floats(self, factor: v128, summand: f32) -> Self {
        let sum = f32x4_add(f32x4_mul(f32x4_convert_i32x4(self.0), factor), f32x4_splat(summand));
        Self(i32x4_sub(f32x4_add(sum, f32x4_splat(NEAREST_FLOAT)), i32x4_splat(NEAREST_FLOAT.to_bits() as i32)))
    }

    roots!(f32x4_convert_i32x4, f32x4_convert_u32x4);
}
