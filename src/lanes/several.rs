//! Several times as many lanes, on which all is done one part after the other. What a loop costs beside is paid less often,
//! and a processor that waits for one part works on another.

use super::Lanes;

/// So many of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Several<L, const N: usize>([L; N]);

/// Operations that are those of each part. Loops rather than closures, which are not compiled for the instruction set.
macro_rules! of_each {
    ($($name:ident $(<const $bits:ident>)? ($($other:ident),*)),* $(,)?) => {$(
        #[inline(always)]
        fn $name $(<const $bits: u32>)? (mut self $(, $other: Self)*) -> Self {
            for part in 0..N {
                self.0[part] = self.0[part].$name $(::<$bits>)? ($($other.0[part]),*);
            }
            self
        }
    )*};
}

impl<L: Lanes, const N: usize> Lanes for Several<L, N> {
    const COUNT: usize = N * L::COUNT;
    type Divisor = [L::Divisor; N];

    of_each! {
        add(other), subtract(other), multiply(other), wrapping_add(other), wrapping_subtract(other),
        wrapping_multiply(other), and(other), or(other), shift_left<const BITS>(), shift_right<const BITS>(),
        shift_right_unsigned<const BITS>(), shift_right_by(bits), less(other), equal(other), lesser(other),
        greater(other), lesser_unsigned(other), greater_unsigned(other), leading_zeros(), absolute(),
        select(then, otherwise), length(other), square_root(),
    }

    #[inline(always)]
    fn all(value: i32) -> Self {
        Self([L::all(value); N])
    }

    #[inline(always)]
    fn numbers() -> Self {
        let mut numbers = [L::numbers(); N];
        for part in 1..N {
            numbers[part] = numbers[part - 1].add(L::all(L::COUNT as i32));
        }
        Self(numbers)
    }

    #[inline(always)]
    fn load(from: &[i32]) -> Self {
        let from = &from[..Self::COUNT];
        let mut loaded = [L::all(0); N];
        for part in 0..N {
            loaded[part] = L::load(&from[part * L::COUNT..]);
        }
        Self(loaded)
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        let mut loaded = [L::all(0); N];
        for part in 0..N {
            // SAFETY: the caller's promise is for all parts.
            loaded[part] = unsafe { L::load_unchecked(from, at + part * L::COUNT) };
        }
        Self(loaded)
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        let to = &mut to[..Self::COUNT];
        for part in 0..N {
            self.0[part].store(&mut to[part * L::COUNT..]);
        }
    }

    #[inline(always)]
    fn any(self) -> bool {
        let mut any = self.0[0];
        for part in 1..N {
            any = any.or(self.0[part]);
        }
        any.any()
    }

    #[inline(always)]
    fn sum(self) -> i32 {
        let mut sum = self.0[0];
        for part in 1..N {
            sum = sum.add(self.0[part]);
        }
        sum.sum()
    }

    #[inline(always)]
    fn running_sums(mut self) -> Self {
        self.0[0] = self.0[0].running_sums();
        for part in 1..N {
            self.0[part] = self.0[part].running_sums().wrapping_add(self.0[part - 1].last());
        }
        self
    }

    #[inline(always)]
    fn last(self) -> Self {
        Self([self.0[N - 1].last(); N])
    }

    #[inline(always)]
    fn divisor(self) -> Self::Divisor {
        let mut divisors = [self.0[0].divisor(); N];
        for part in 1..N {
            divisors[part] = self.0[part].divisor();
        }
        divisors
    }

    #[inline(always)]
    fn quotient(mut self, divisor: Self::Divisor) -> Self {
        for part in 0..N {
            self.0[part] = self.0[part].quotient(divisor[part]);
        }
        self
    }

    #[inline(always)]
    fn ratio(mut self, divisor: Self::Divisor) -> Self {
        for part in 0..N {
            self.0[part] = self.0[part].ratio(divisor[part]);
        }
        self
    }
}
