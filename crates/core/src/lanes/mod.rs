//! Integers side by side, on which the same is done at once: one instruction where the processor has it.
//!
//! The compiler is not left to find this out by itself: it puts the axes of a vector side by side as readily as the cells
//! or agents, and keeps in memory what should stay in registers.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod one;
mod portable;
mod twice;
pub mod vectors;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use portable::Portable;
pub use twice::Twice;

/// So many integers, of 32 bits each.
///
/// All but a single `i32`, and what is made of it, are to be used only in functions that are compiled for their instruction
/// set, and called only where the processor has it.
pub trait Lanes: Copy {
    /// How many.
    const COUNT: usize;
    /// What each lane is divided by, as [`crate::numbers::Divisor`] has it.
    type Divisor: Copy;

    /// The same in every lane.
    fn all(value: i32) -> Self;
    /// 0, 1, 2 …
    fn numbers() -> Self;
    /// The first of a list, which has at least so many.
    fn load(from: &[i32]) -> Self;
    /// Those of a list from `at` on.
    ///
    /// # Safety
    /// There are at least so many.
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self;
    /// Puts the lanes into the first of a list, which has at least so many.
    fn store(self, to: &mut [i32]);
    /// Sums, differences and products of signed numbers; where they are beyond 32 bits, [`Portable`] panics in builds that
    /// check for it.
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    /// The same modulo 2^32.
    fn wrapping_add(self, other: Self) -> Self;
    fn wrapping_subtract(self, other: Self) -> Self;
    fn wrapping_multiply(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Shifts, the second of signed numbers, the third of numbers without a sign.
    fn shift_left<const BITS: u32>(self) -> Self;
    fn shift_right<const BITS: u32>(self) -> Self;
    fn shift_right_unsigned<const BITS: u32>(self) -> Self;
    /// The third, by 0 to 31 bits of its own for each lane.
    fn shift_right_by(self, bits: Self) -> Self;
    /// A mask: all ones where it is less.
    fn less(self, other: Self) -> Self;
    /// A mask: all ones where it is equal.
    fn equal(self, other: Self) -> Self;
    fn lesser(self, other: Self) -> Self;
    fn greater(self, other: Self) -> Self;
    /// The lesser and the greater as numbers without a sign.
    fn lesser_unsigned(self, other: Self) -> Self;
    fn greater_unsigned(self, other: Self) -> Self;
    /// The zeros before the first one of each lane.
    fn leading_zeros(self) -> Self;
    /// The size of a number above -2^31.
    fn absolute(self) -> Self;
    /// What this mask takes from the one, elsewhere from the other. Only the sign of each lane matters.
    fn select(self, then: Self, otherwise: Self) -> Self;
    /// Whether any lane of this mask is set. Only the sign of each lane matters.
    fn any(self) -> bool;
    /// The sum of all lanes.
    fn sum(self) -> i32;
    /// Each lane and all before it, modulo 2^32.
    fn running_sums(self) -> Self;
    /// The last lane in every lane.
    fn last(self) -> Self;
    /// [`crate::numbers::Divisor::new`] of each lane.
    fn divisor(self) -> Self::Divisor;
    /// [`crate::numbers::Divisor::quotient`] of each lane.
    fn quotient(self, divisor: Self::Divisor) -> Self;
    /// [`crate::numbers::Divisor::ratio`] of each lane.
    fn ratio(self, divisor: Self::Divisor) -> Self;
    /// [`crate::numbers::length`] of each vector.
    fn length(self, other: Self) -> Self;
    /// [`crate::numbers::square_root`] of each lane, as a number without a sign.
    fn square_root(self) -> Self;

    /// [`crate::numbers::round_shift`] of each lane.
    #[inline(always)]
    fn round_shift<const BITS: u32>(self) -> Self {
        // One less for negative numbers: the sign as -1 or 0.
        self.add(Self::all(1 << (BITS - 1))).add(self.shift_right::<31>()).shift_right::<BITS>()
    }

    /// Held within ±bound.
    #[inline(always)]
    fn within(self, bound: Self) -> Self {
        self.lesser(bound).greater(Self::all(0).subtract(bound))
    }

    /// [`crate::numbers::multiply_fraction`] of amounts without a sign.
    #[inline(always)]
    fn multiply_fraction(self, fraction: Self) -> Self {
        // amount = high·2^14 + low, so the floor of the whole is high·fraction + the floor of the rest.
        let low = self.and(Self::all(0x3fff)).multiply(fraction).shift_right_unsigned::<14>();
        self.shift_right_unsigned::<14>().wrapping_multiply(fraction).wrapping_add(low)
    }

    /// This less the other, as numbers without a sign; 0 where the other is the greater.
    #[inline(always)]
    fn subtract_down_to_zero(self, other: Self) -> Self {
        self.greater_unsigned(other).wrapping_subtract(other)
    }
}

/// The most lanes of any kind.
pub const MOST: usize = 32;

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
                a.lesser(b),
                a.greater(b),
                a.lesser_unsigned(b),
                a.greater_unsigned(b),
                a.less(b).select(a.add(V::all(7)), b),
                a.select(a, b),
                a.or(b),
                a.equal(b),
                a.absolute(),
                a.leading_zeros(),
                b.and(V::all(0xff)).leading_zeros(),
                a.shift_left::<3>(),
                a.shift_right::<5>(),
                a.shift_right_unsigned::<7>(),
                a.shift_right_by(b.and(V::all(31))),
                a.round_shift::<4>(),
                a.within(V::all(300)),
                a.absolute().subtract_down_to_zero(b.absolute()),
                a.quotient(b.divisor()),
                a.ratio(b.divisor()),
                a.length(b),
                a.square_root(),
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

    /// The running sums of each chunk, and the last of each.
    fn running<V: Lanes>(a: &[i32]) {
        for chunk in a.chunks(V::COUNT) {
            let sums = V::load(chunk).running_sums();
            let (mut made, mut last) = ([0; MOST], [0; MOST]);
            sums.store(&mut made);
            sums.last().store(&mut last);
            let mut sum = 0i32;
            for lane in 0..V::COUNT {
                sum = sum.wrapping_add(chunk[lane]);
                assert_eq!(made[lane], sum, "{chunk:?}");
            }
            assert!(last[..V::COUNT].iter().all(|lane| *lane == sum));
        }
    }

    fn sums<V: Lanes>(a: &[i32]) -> (i32, bool, i32) {
        let total = a.chunks(V::COUNT).map(|chunk| V::load(chunk).sum()).sum();
        let any = a.chunks(V::COUNT).any(|chunk| V::load(chunk).less(V::all(-900)).any());
        (total, any, V::numbers().sum())
    }

    /// Around each square, and with components as long as they may be.
    #[cfg(target_arch = "x86_64")]
    fn lengths_are_exact<V: Lanes>() {
        let most = 1 << 15;
        let corners = [[0, 0], [most, most], [-most, most], [most, 0], [-most, 1], [most - 1, most], [3, -4]];
        let mut random = crate::random::generator(7, 7);
        let drawn = (0..100_000).map(|_| [0; 2].map(|_| random.around(most) as i32));
        for v in corners.map(|v| v.map(|n: i64| n as i32)).into_iter().chain(drawn) {
            let mut lengths = [0; MOST];
            V::all(v[0]).length(V::all(v[1])).store(&mut lengths);
            assert_eq!(lengths[0], crate::numbers::length(v), "{v:?}");
        }
    }

    /// Around each square.
    fn roots_are_exact<V: Lanes>() {
        for root in 0..=0xffff_u32 {
            let square = root * root;
            for n in [square, square + root, square + 2 * root, square.saturating_sub(1)] {
                let mut roots = [0; MOST];
                V::all(n as i32).square_root().store(&mut roots);
                assert_eq!(roots[0] as u32, n.isqrt(), "{n}");
            }
        }
    }

    /// Where a quotient lies on a half, and one beside it: there it turns.
    fn quotients_turn_at_halves<V: Lanes>() {
        let mut random = crate::random::generator(11, 7);
        for _ in 0..200_000 {
            let d = 1 + (random.below(1 << 30) >> random.below(30)) as i64;
            let most = (((1 << 31) - 1) / d).min(1 << 16) as u64;
            let whole = random.below(most.max(1)) as i64;
            for n in [-1, 0, 1].map(|beside| whole * d + d / 2 + beside) {
                for n in [n, -n].into_iter().filter(|n| n.abs() < 1 << 31) {
                    let nearest = (2 * n.abs() + d) / (2 * d) * n.signum();
                    let mut quotients = [0; MOST];
                    V::all(n as i32).quotient(V::all(d as i32).divisor()).store(&mut quotients);
                    assert_eq!(i64::from(quotients[0]), nearest, "{n} / {d}");
                    if n.abs() < 1 << 21 {
                        V::all(n as i32)
                            .ratio(V::all((d << 10).min((1 << 30) - 1) as i32).divisor())
                            .store(&mut quotients);
                        let d = (d << 10).min((1 << 30) - 1);
                        let nearest = (2 * 1024 * n.abs() + d) / (2 * d) * n.signum();
                        assert_eq!(i64::from(quotients[0]), nearest, "1024 {n} / {d}");
                    }
                }
            }
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn all_kinds_give_the_same() {
        use crate::engine::cpu::InstructionSet;
        let numbers = |first: i32, step: i32| (0..64).map(|n| (first + n * step) % 1000).collect::<Vec<_>>();
        let (a, b) = (numbers(-950, 37), numbers(800, -71));
        let expected = everything::<Portable>(&a, &b);
        let large: Vec<i32> = a.iter().map(|n| n.wrapping_mul(0x0123_4567)).collect();
        running::<i32>(&large);
        running::<Portable>(&large);
        running::<Twice<Portable>>(&large);
        quotients_turn_at_halves::<Portable>();
        roots_are_exact::<Portable>();
        assert!(everything::<Twice<Portable>>(&a, &b) == expected, "twice as many");
        assert_eq!(sums::<Twice<Portable>>(&a), (sums::<Portable>(&a).0, true, 28));
        if InstructionSet::Avx2.is_available() {
            assert!(everything::<Avx2>(&a, &b) == expected);
            assert!(everything::<Twice<Avx2>>(&a, &b) == expected);
            assert_eq!((sums::<Avx2>(&a).0, sums::<Avx2>(&a).1), (sums::<Portable>(&a).0, true));
            running::<Avx2>(&large);
            running::<Twice<Avx2>>(&large);
            lengths_are_exact::<Avx2>();
            quotients_turn_at_halves::<Avx2>();
            roots_are_exact::<Avx2>();
            assert_eq!(sums::<Avx2>(&b).1, sums::<Portable>(&b).1);
        }
        if InstructionSet::Avx512.is_available() {
            assert!(everything::<Avx512>(&a, &b) == expected);
            assert!(everything::<Twice<Avx512>>(&a, &b) == expected);
            assert_eq!((sums::<Avx512>(&a).0, sums::<Avx512>(&a).1), (sums::<Portable>(&a).0, true));
            running::<Avx512>(&large);
            running::<Twice<Avx512>>(&large);
            lengths_are_exact::<Avx512>();
            quotients_turn_at_halves::<Avx512>();
            roots_are_exact::<Avx512>();
            assert_eq!(sums::<Avx512>(&a).2, 120);
        }
    }
}
