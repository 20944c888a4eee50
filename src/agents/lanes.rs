//! Integers side by side, on which the same is done at once.
//!
//! Every operation is one plain loop over the lanes, which the compiler turns into one instruction where the processor
//! has it.

use std::ops::{Add, BitAnd, Mul, Sub};

/// `L` integers.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Lanes<const L: usize>(pub [i32; L]);

macro_rules! lanewise {
    ($(#[$doc:meta])* $name:ident, $own:ident, $other:ident, $made:expr) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(self, other: Self) -> Self {
            let mut made = [0; L];
            for lane in 0..L {
                let ($own, $other) = (self.0[lane], other.0[lane]);
                made[lane] = $made;
            }
            Self(made)
        }
    };
}

impl<const L: usize> Lanes<L> {
    /// The same in every lane.
    #[inline(always)]
    pub fn all(value: i32) -> Self {
        Self([value; L])
    }

    /// 0, 1, 2 …
    #[inline(always)]
    pub fn numbers() -> Self {
        let mut made = [0; L];
        for lane in 0..L {
            made[lane] = lane as i32;
        }
        Self(made)
    }

    /// The first lanes of a list.
    #[inline(always)]
    pub fn load(from: &[i32]) -> Self {
        Self(from[..L].try_into().expect("a list has enough for all lanes"))
    }

    lanewise!(
        /// A mask: all ones where it is less.
        less, a, b, -((a < b) as i32)
    );
    lanewise!(
        /// The lesser.
        min, a, b, if a < b { a } else { b }
    );
    lanewise!(
        /// The greater.
        max, a, b, if a > b { a } else { b }
    );
    lanewise!(
        /// The lesser as numbers without a sign.
        min_unsigned, a, b, if (a as u32) < (b as u32) { a } else { b }
    );

    /// What a mask takes from the one, elsewhere from the other.
    #[inline(always)]
    pub fn select(self, then: Self, otherwise: Self) -> Self {
        let mut made = [0; L];
        for lane in 0..L {
            made[lane] = (then.0[lane] & self.0[lane]) | (otherwise.0[lane] & !self.0[lane]);
        }
        Self(made)
    }

    /// Whether any lane of a mask is set.
    #[inline(always)]
    pub fn any(self) -> bool {
        let mut all = 0;
        for lane in 0..L {
            all |= self.0[lane];
        }
        all != 0
    }

    /// The sum of all lanes.
    #[inline(always)]
    pub fn sum(self) -> i32 {
        let mut sum = 0;
        for lane in 0..L {
            sum += self.0[lane];
        }
        sum
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $own:ident, $other:ident, $made:expr) => {
        impl<const L: usize> $trait for Lanes<L> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let mut made = [0; L];
                for lane in 0..L {
                    let ($own, $other) = (self.0[lane], other.0[lane]);
                    made[lane] = $made;
                }
                Self(made)
            }
        }
    };
}

operator!(Add, add, a, b, a + b);
operator!(Sub, sub, a, b, a - b);
operator!(Mul, mul, a, b, a * b);
operator!(BitAnd, bitand, a, b, a & b);
