//! Two registers as one: a loop over them is unrolled by two, so that its overhead is paid half as often and the processor
//! works on one half while it waits for the other.

use super::Lanes;

/// Twice as many lanes of another implementation.
#[derive(Debug, Clone, Copy)]
pub struct Unrolled<L>([L; 2]);

/// Operations on each half by itself.
macro_rules! both_halves {
    ($($name:ident($($other:ident),*)),* $(,)?) => {$(
        #[inline(always)]
        fn $name(self $(, $other: Self)*) -> Self {
            Self([self.0[0].$name($($other.0[0]),*), self.0[1].$name($($other.0[1]),*)])
        }
    )*};
}

/// Shifts by a constant.
macro_rules! shift_both_halves {
    ($($name:ident),*) => {$(
        #[inline(always)]
        fn $name<const BITS: u32>(self) -> Self {
            Self([self.0[0].$name::<BITS>(), self.0[1].$name::<BITS>()])
        }
    )*};
}

impl<L: Lanes> Lanes for Unrolled<L> {
    const COUNT: usize = 2 * L::COUNT;
    type Divisor = [L::Divisor; 2];

    both_halves! {
        add(other), subtract(other), multiply(other), wrapping_add(other), wrapping_subtract(other),
        wrapping_multiply(other), and(other), or(other), shift_right_unsigned_by(bits), less_than(other), equals(other),
        min(other), max(other), min_unsigned(other), max_unsigned(other), leading_zeros(), abs(),
        select(then, otherwise), hypot(other), square_root(),
    }
    shift_both_halves!(shift_left, shift_right, shift_right_unsigned);

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Self([L::splat(value); 2])
    }

    #[inline(always)]
    fn iota() -> Self {
        Self([L::iota(), L::iota().add(L::splat(L::COUNT as i32))])
    }

    #[inline(always)]
    fn load(from: &[i32]) -> Self {
        let from = &from[..Self::COUNT];
        Self([L::load(from), L::load(&from[L::COUNT..])])
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        // SAFETY: the caller's promise covers both halves.
        unsafe { Self([L::load_unchecked(from, at), L::load_unchecked(from, at + L::COUNT)]) }
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        let to = &mut to[..Self::COUNT];
        self.0[0].store(to);
        self.0[1].store(&mut to[L::COUNT..]);
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0[0].any() | self.0[1].any()
    }

    #[inline(always)]
    fn reduce_sum(self) -> i32 {
        self.0[0].reduce_sum() + self.0[1].reduce_sum()
    }

    #[inline(always)]
    fn prefix_sum(self) -> Self {
        let [first, second] = [self.0[0].prefix_sum(), self.0[1].prefix_sum()];
        Self([first, second.wrapping_add(first.splat_last())])
    }

    #[inline(always)]
    fn splat_last(self) -> Self {
        Self([self.0[1].splat_last(); 2])
    }

    #[inline(always)]
    fn divisor(self) -> Self::Divisor {
        [self.0[0].divisor(), self.0[1].divisor()]
    }

    #[inline(always)]
    fn quotient(self, divisor: Self::Divisor) -> Self {
        Self([self.0[0].quotient(divisor[0]), self.0[1].quotient(divisor[1])])
    }

    #[inline(always)]
    fn ratio(self, divisor: Self::Divisor) -> Self {
        Self([self.0[0].ratio(divisor[0]), self.0[1].ratio(divisor[1])])
    }
}
