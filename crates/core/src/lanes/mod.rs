//! Lanes: 32-bit integers side by side in a register, with one instruction for all of them if the processor has it.
//!
//! The compiler does not vectorise this code well by itself. It may put the axes of a vector side by side instead of
//! cells or individuals, and it keeps values in memory that should stay in registers.

mod instruction_set;
mod portable;
pub mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use instruction_set::InstructionSet;
pub use portable::{DoubleLanes, PortableLanes};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Simd128;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

/// Applies a macro to the operations that every implementation computes lane by lane, and to the shifts by a constant.
macro_rules! operations {
    ($apply:ident $($argument:tt)*) => {
        $apply! {
            $($argument)*
            add(other) subtract(other) multiply(other) wrapping_add(other) wrapping_subtract(other)
            wrapping_multiply(other) multiply_halves(other) and(other) or(other) xor(other)
            shift_right_unsigned_by(bits) less_than(other) equals(other)
            min(other) max(other) min_unsigned(other) max_unsigned(other) leading_zeros() abs() select(then, otherwise)
            ; shift_left shift_right shift_right_unsigned
        }
    };
}
use operations;

/// Implements `hypot` and `square_root` for lanes that compute roots with f32. `Self::root_below` gives the floor of a
/// root, or one less. The arguments are functions that convert words to f32: the first converts words below 2^31, the
/// second converts unsigned words.
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
macro_rules! roots {
    ($positive_to_floats:path, $unsigned_to_floats:path) => {
        #[inline(always)]
        fn hypot(self, other: Self) -> Self {
            // The sum is at most 2^31. Its root has the same floor as the root of 2^31 - 1.
            let square = self.multiply(self).wrapping_add(other.multiply(other)).min_unsigned(Self::splat(i32::MAX));
            #[allow(unused_unsafe)]
            let root = Self::root_below(unsafe { $positive_to_floats(square.0) });
            // Adds 1 if square ≥ (root + 1)², which means square - root² > 2·root and does not overflow.
            root.subtract(root.shift_left::<1>().less_than(square.subtract(root.multiply(root))))
        }

        #[inline(always)]
        fn square_root(self) -> Self {
            #[allow(unused_unsafe)]
            let root = Self::root_below(unsafe { $unsigned_to_floats(self.0) });
            // Adds 1 as in `hypot`. The remainder is below 2^18, so it is not negative as an i32.
            root.subtract(root.shift_left::<1>().less_than(self.wrapping_subtract(root.multiply(root))))
        }
    };
}
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
use roots;

/// A fixed number of 32-bit integers, signed unless a method says otherwise.
///
/// The arithmetic is that of [`crate::numbers`], lane by lane. A mask is -1 or 0 in each lane. Operations that use a
/// mask read only its signs. A single `i32` is one lane. [`Avx2`] and [`Avx512`] may be used only in functions that are
/// compiled for their instruction set and called on processors that have it. [`InstructionSet::run`] ensures both.
pub trait Lanes: Copy {
    /// The number of lanes.
    const COUNT: usize;
    /// A [`crate::numbers::Divisor`] for each lane.
    type Divisor: Copy;
    /// An f32 for each lane.
    type Floats: Copy;

    /// A value in every lane.
    fn splat(value: i32) -> Self;
    /// The index of each lane: 0, 1, 2 …
    fn iota() -> Self;
    /// The `COUNT` elements of a slice from index `at` on, one in each lane.
    ///
    /// # Safety
    /// The slice has at least `at + COUNT` elements.
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self;
    /// In each lane the byte of a slice at the index in the same lane of `at`.
    ///
    /// # Panics
    /// If the slice has fewer than 4 bytes, or 2^31 or more. An index beyond its end may panic, or read any byte of the
    /// slice.
    fn gather_bytes(from: &[u8], at: Self) -> Self;
    /// Writes the lanes to the first elements of a slice.
    ///
    /// # Panics
    /// If the slice is shorter than the lanes.
    fn store(self, to: &mut [i32]);
    /// The first elements of a slice.
    ///
    /// # Panics
    /// If the slice is shorter than the lanes.
    fn load_halves(from: &[i16]) -> Self;
    /// Writes the lanes, whose values fit in 16 bits, to the first elements of a slice.
    ///
    /// # Panics
    /// If the slice is shorter than the lanes.
    fn store_halves(self, to: &mut [i16]);
    /// Sum. It must fit in 32 bits, as must the difference and the product. Otherwise [`PortableLanes`] panics in
    /// builds with overflow checks.
    fn add(self, other: Self) -> Self;
    /// Difference.
    fn subtract(self, other: Self) -> Self;
    /// Product.
    fn multiply(self, other: Self) -> Self;
    /// Sum modulo 2^32.
    fn wrapping_add(self, other: Self) -> Self;
    /// Difference modulo 2^32.
    fn wrapping_subtract(self, other: Self) -> Self;
    /// Product modulo 2^32.
    fn wrapping_multiply(self, other: Self) -> Self;
    /// Product of the lower halves of each lane (i16). The upper half of each lane of `other` is 0.
    fn multiply_halves(self, other: Self) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Logical left shift.
    fn shift_left<const BITS: u32>(self) -> Self;
    /// Arithmetic right shift (i32).
    fn shift_right<const BITS: u32>(self) -> Self;
    /// Logical right shift (u32).
    fn shift_right_unsigned<const BITS: u32>(self) -> Self;
    /// Logical right shift (u32). Each lane of `self` is shifted by the number of bits, 0 to 31, in the same lane of
    /// `bits`.
    fn shift_right_unsigned_by(self, bits: Self) -> Self;
    /// The mask of self < other.
    fn less_than(self, other: Self) -> Self;
    /// The mask of self = other.
    fn equals(self, other: Self) -> Self;
    /// Minimum (i32).
    fn min(self, other: Self) -> Self;
    /// Maximum (i32).
    fn max(self, other: Self) -> Self;
    /// Minimum (u32).
    fn min_unsigned(self, other: Self) -> Self;
    /// Maximum (u32).
    fn max_unsigned(self, other: Self) -> Self;
    /// The number of leading zero bits.
    fn leading_zeros(self) -> Self;
    /// Absolute value. No lane is -2^31.
    fn abs(self) -> Self;
    /// `then` in the lanes in which this mask is set, `otherwise` in the others.
    fn select(self, then: Self, otherwise: Self) -> Self;
    /// Whether this mask is set in any lane.
    fn any(self) -> bool;
    /// A bit for each lane in which this mask is set, the first lane lowest.
    fn bits(self) -> u32;
    /// The sum of all lanes.
    fn reduce_sum(self) -> i32;
    /// In each lane the sum of this lane and all lanes before it, modulo 2^32.
    fn prefix_sum(self) -> Self;
    /// The value of the last lane, in every lane.
    fn splat_last(self) -> Self;
    /// Each lane of the result is a lane of `self`. The same lane of `numbers`, modulo the number of lanes, is its
    /// index.
    fn permute(self, numbers: Self) -> Self;
    /// [`crate::numbers::Divisor::new`].
    fn divisor(self) -> Self::Divisor;
    /// [`crate::numbers::Divisor::quotient`].
    fn quotient(self, divisor: Self::Divisor) -> Self;
    /// [`crate::numbers::Divisor::ratio`].
    fn ratio(self, divisor: Self::Divisor) -> Self;
    /// `numerator / self` as IEEE 754 rounds it. 1 ≤ self ≤ 2^24.
    fn float_quotient(self, numerator: f32) -> Self::Floats;
    /// `self · factor + summand`, rounded to the nearest integer. Before that it is rounded to f32, after the product
    /// and after the sum, or only after the sum. |self| ≤ 2^24, |result| ≤ 2^22. For an exact value 2^22 + r, with 0 ≤
    /// r ≤ 2^22, the result is 2^22 plus a number from r/2 to r.
    fn multiply_add_floats(self, factor: Self::Floats, summand: f32) -> Self;
    /// The length of the vector (self, other), rounded down. |self|, |other| ≤ 2^15.
    fn hypot(self, other: Self) -> Self;
    /// [`crate::numbers::square_root`] (u32).
    fn square_root(self) -> Self;

    /// The first elements of a slice.
    ///
    /// # Panics
    /// If the slice is shorter than the lanes.
    #[inline(always)]
    fn load(from: &[i32]) -> Self {
        let from = &from[..Self::COUNT];
        // SAFETY: the slice was just cut to this length.
        unsafe { Self::load_unchecked(from, 0) }
    }

    /// The first elements of a slice; 0 in the lanes beyond its end.
    #[inline(always)]
    fn load_some(from: &[i32]) -> Self {
        if from.len() >= Self::COUNT {
            return Self::load(from);
        }
        let mut some = [0; MAX_LANES];
        some[..from.len()].copy_from_slice(from);
        Self::load(&some)
    }

    /// Writes the lanes to the first elements of a slice, up to its end.
    #[inline(always)]
    fn store_some(self, to: &mut [i32]) {
        if to.len() >= Self::COUNT {
            return self.store(to);
        }
        let mut some = [0; MAX_LANES];
        self.store(&mut some);
        to.copy_from_slice(&some[..to.len()]);
    }

    /// The lower half of each lane (i16).
    #[inline(always)]
    fn lower_halves(self) -> Self {
        self.multiply_halves(Self::splat(1))
    }

    /// Product of the lower half of each lane (i16) with a factor.
    #[inline(always)]
    fn multiply_half_by(self, factor: i16) -> Self {
        self.multiply_halves(Self::splat(i32::from(factor as u16)))
    }

    /// [`crate::numbers::round_shift`].
    #[inline(always)]
    fn round_shift<const BITS: u32>(self) -> Self {
        // The arithmetic shift of a negative number by 31 is -1.
        self.add(Self::splat(1 << (BITS - 1))).add(self.shift_right::<31>()).shift_right::<BITS>()
    }

    /// Clamped to [-bound, bound].
    #[inline(always)]
    fn clamp_magnitude(self, bound: Self) -> Self {
        self.min(bound).max(Self::splat(0).subtract(bound))
    }

    /// `self · fraction / ONE` (u32), rounded down. 0 ≤ fraction ≤ [`crate::numbers::ONE`].
    #[inline(always)]
    fn multiply_fraction(self, fraction: Self) -> Self {
        // self = high·2^14 + low, so the floor of the product is high·fraction + floor(low·fraction / 2^14).
        let low = self.and(Self::splat(0x3fff)).multiply_halves(fraction).shift_right_unsigned::<14>();
        self.shift_right_unsigned::<14>().wrapping_multiply(fraction).wrapping_add(low)
    }

    /// `max(self - other, 0)` (u32).
    #[inline(always)]
    fn saturating_subtract_unsigned(self, other: Self) -> Self {
        self.max_unsigned(other).wrapping_subtract(other)
    }
}

/// Work on lanes that [`InstructionSet::run`] compiles for each instruction set.
pub trait LaneWork {
    /// Does the work. Implementations and all functions on lanes that they call are `#[inline(always)]`. Code that is
    /// not inlined is compiled only for the build's target. This is also true of closures, and of the iterators `zip`,
    /// `chunks_exact` and `map` of arrays in other codegen units. Therefore kernels use index loops.
    fn run<L: Lanes>(self);
}

/// The max number of lanes of any implementation.
pub const MAX_LANES: usize = 32;

/// The number of individuals that are computed together.
pub const BLOCK: usize = 512;

/// The min number of lanes of any work.
pub const MIN_LANES: usize = <portable::BaseLanes as Lanes>::COUNT;

#[cfg(test)]
mod tests;
