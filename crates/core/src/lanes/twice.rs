//! Twice as many lanes, on which all is done one half after the other: what a loop costs beside is paid half as often, and
//! a processor that waits for one half works on the other.

use super::Lanes;

/// Two of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Twice<L>([L; 2]);

/// Operations that are those of both halves.
macro_rules! of_both {
    ($($name:ident($($other:ident),*)),* $(,)?) => {$(
        #[inline(always)]
        fn $name(self $(, $other: Self)*) -> Self {
            Self([self.0[0].$name($($other.0[0]),*), self.0[1].$name($($other.0[1]),*)])
        }
    )*};
}

/// Shifts by a constant.
macro_rules! shifts_of_both {
    ($($name:ident),*) => {$(
        #[inline(always)]
        fn $name<const BITS: u32>(self) -> Self {
            Self([self.0[0].$name::<BITS>(), self.0[1].$name::<BITS>()])
        }
    )*};
}

impl<L: Lanes> Lanes for Twice<L> {
    const COUNT: usize = 2 * L::COUNT;
    type Divisor = [L::Divisor; 2];

    of_both! {
        add(other), subtract(other), multiply(other), wrapping_add(other), wrapping_subtract(other),
        wrapping_multiply(other), and(other), or(other), shift_right_by(bits), less(other), equal(other), lesser(other),
        greater(other), lesser_unsigned(other), greater_unsigned(other), leading_zeros(), absolute(), select(then, otherwise),
        length(other), square_root(),
    }
    shifts_of_both!(shift_left, shift_right, shift_right_unsigned);

    #[inline(always)]
    fn all(value: i32) -> Self {
        Self([L::all(value); 2])
    }

    #[inline(always)]
    fn numbers() -> Self {
        Self([L::numbers(), L::numbers().add(L::all(L::COUNT as i32))])
    }

    #[inline(always)]
    fn load(from: &[i32]) -> Self {
        let from = &from[..Self::COUNT];
        Self([L::load(from), L::load(&from[L::COUNT..])])
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        // SAFETY: the caller's promise is for both halves.
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
    fn sum(self) -> i32 {
        self.0[0].sum() + self.0[1].sum()
    }

    #[inline(always)]
    fn running_sums(self) -> Self {
        let [first, second] = [self.0[0].running_sums(), self.0[1].running_sums()];
        Self([first, second.wrapping_add(first.last())])
    }

    #[inline(always)]
    fn last(self) -> Self {
        Self([self.0[1].last(); 2])
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
