//! Integers side by side, on which the same is done at once: one instruction where the processor has it.
//!
//! The compiler is not left to find this out by itself, because it puts the axes of a vector side by side as readily
//! as the agents.

/// So many integers, of 32 bits each.
pub trait Lanes: Copy {
    /// How many.
    const COUNT: usize;

    /// The same in every lane.
    fn all(value: i32) -> Self;
    /// 0, 1, 2 …
    fn numbers() -> Self;
    /// The first of a list, which has at least so many.
    fn load(from: &[i32]) -> Self;
    fn store(self, to: &mut [i32; MOST]);
    /// Sums, differences and products modulo 2^32.
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    /// A mask: all ones where it is less.
    fn less(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// The lesser as numbers without a sign.
    fn min_unsigned(self, other: Self) -> Self;
    /// What this mask takes from the one, elsewhere from the other.
    fn select(self, then: Self, otherwise: Self) -> Self;
    /// Whether any lane of this mask is set.
    fn any(self) -> bool;
    /// The sum of all lanes.
    fn sum(self) -> i32;
}

/// The most lanes of any kind.
pub const MOST: usize = 16;

/// Lanes for every processor. In builds that check for overflow, its sums and products are checked.
#[derive(Debug, Clone, Copy)]
pub struct Portable([i32; 4]);

impl Portable {
    #[inline(always)]
    fn each(self, other: Self, made: impl Fn(i32, i32) -> i32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([made(a, e), made(b, f), made(c, g), made(d, h)])
    }
}

impl Lanes for Portable {
    const COUNT: usize = 4;

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
        Self([from[0], from[1], from[2], from[3]])
    }

    #[inline(always)]
    fn store(self, to: &mut [i32; MOST]) {
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
    fn and(self, other: Self) -> Self {
        self.each(other, |a, b| a & b)
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        self.each(other, |a, b| -i32::from(a < b))
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
    fn select(self, then: Self, otherwise: Self) -> Self {
        let kept = self.each(otherwise, |mask, b| b & !mask);
        self.and(then).each(kept, |a, b| a | b)
    }

    #[inline(always)]
    fn any(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d != 0
    }

    #[inline(always)]
    fn sum(self) -> i32 {
        let [a, b, c, d] = self.0;
        a + b + c + d
    }
}

#[cfg(target_arch = "x86_64")]
pub use wide::{Avx2, Avx512};

/// SAFETY: these kinds are used only in functions that are called where the processor was seen to have them (see
/// `super::cpu`), and every list that is loaded is at least as long as was checked.
#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Lanes, MOST};
    use std::arch::x86_64::*;

    /// Eight lanes.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx2(__m256i);

    impl Lanes for Avx2 {
        const COUNT: usize = 8;

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
        fn store(self, to: &mut [i32; MOST]) {
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
        fn and(self, other: Self) -> Self {
            Self(unsafe { _mm256_and_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn less(self, other: Self) -> Self {
            Self(unsafe { _mm256_cmpgt_epi32(other.0, self.0) })
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            Self(unsafe { _mm256_min_epi32(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            Self(unsafe { _mm256_max_epi32(self.0, other.0) })
        }

        #[inline(always)]
        fn min_unsigned(self, other: Self) -> Self {
            Self(unsafe { _mm256_min_epu32(self.0, other.0) })
        }

        #[inline(always)]
        fn select(self, then: Self, otherwise: Self) -> Self {
            Self(unsafe { _mm256_blendv_epi8(otherwise.0, then.0, self.0) })
        }

        #[inline(always)]
        fn any(self) -> bool {
            unsafe { _mm256_movemask_epi8(self.0) != 0 }
        }

        #[inline(always)]
        fn sum(self) -> i32 {
            unsafe {
                let four = _mm_add_epi32(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
                let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b1110>(four));
                _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
            }
        }
    }

    /// Sixteen lanes.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx512(__m512i);

    impl Lanes for Avx512 {
        const COUNT: usize = 16;

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
        fn store(self, to: &mut [i32; MOST]) {
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
        fn and(self, other: Self) -> Self {
            Self(unsafe { _mm512_and_si512(self.0, other.0) })
        }

        #[inline(always)]
        fn less(self, other: Self) -> Self {
            Self(unsafe { _mm512_movm_epi32(_mm512_cmplt_epi32_mask(self.0, other.0)) })
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            Self(unsafe { _mm512_min_epi32(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            Self(unsafe { _mm512_max_epi32(self.0, other.0) })
        }

        #[inline(always)]
        fn min_unsigned(self, other: Self) -> Self {
            Self(unsafe { _mm512_min_epu32(self.0, other.0) })
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on some numbers, as lists.
    fn everything<V: Lanes>(a: &[i32], b: &[i32]) -> Vec<i32> {
        let mut made = Vec::new();
        for (a, b) in a.chunks(V::COUNT).zip(b.chunks(V::COUNT)) {
            let (a, b) = (V::load(a), V::load(b));
            let all = [
                a.add(b),
                a.subtract(b),
                a.multiply(b),
                a.and(b),
                a.less(b),
                a.min(b),
                a.max(b),
                a.min_unsigned(b),
                a.less(b).select(a.add(V::all(7)), b),
            ];
            let lists = all.map(|lanes| {
                let mut list = [0; MOST];
                lanes.store(&mut list);
                list
            });
            made.extend((0..V::COUNT).flat_map(|lane| lists.map(|list| list[lane])));
        }
        made
    }

    fn sums<V: Lanes>(a: &[i32]) -> (i32, bool, i32) {
        let total = a.chunks(V::COUNT).map(|chunk| V::load(chunk).sum()).sum();
        let any = a.chunks(V::COUNT).any(|chunk| V::load(chunk).less(V::all(-900)).any());
        (total, any, V::numbers().sum() * MOST as i32 / V::COUNT as i32)
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn all_kinds_give_the_same() {
        use crate::engine::cpu::InstructionSet;
        let numbers = |first: i32, step: i32| (0..64).map(|n| (first + n * step) % 1000).collect::<Vec<_>>();
        let (a, b) = (numbers(-950, 37), numbers(800, -71));
        let expected = everything::<Portable>(&a, &b);
        if InstructionSet::Avx2.is_available() {
            assert_eq!(everything::<Avx2>(&a, &b), expected);
            assert_eq!((sums::<Avx2>(&a).0, sums::<Avx2>(&a).1), (sums::<Portable>(&a).0, true));
            assert_eq!(sums::<Avx2>(&b).1, sums::<Portable>(&b).1);
        }
        if InstructionSet::Avx512.is_available() {
            assert_eq!(everything::<Avx512>(&a, &b), expected);
            assert_eq!((sums::<Avx512>(&a).0, sums::<Avx512>(&a).1), (sums::<Portable>(&a).0, true));
            assert_eq!(sums::<Avx512>(&a).2, 120);
        }
    }
}
