//! Lanes for every processor: a single `i32` as one lane, so that a formula for lanes also serves one number; four
//! lanes; and two registers as one.

use super::{LaneWork, Lanes, operations};
use crate::numbers::{Divisor, square_root};

/// A bound far above every length within the domain of [`Lanes::hypot`].
const MAX_MAGNITUDE: f64 = (1 << 30) as f64;

/// The lanes for every processor. A build with assertions has one number in a register. It compiles faster and checks
/// every overflow.
#[cfg(debug_assertions)]
pub type BaseLanes = i32;
#[cfg(not(debug_assertions))]
pub type BaseLanes = PortableLanes;

/// Work for every processor. It is not inlined, so that a kernel is not compiled several times.
#[inline(never)]
pub fn run(work: impl LaneWork) {
    work.run::<BaseLanes>();
}

/// Operations on one number: `name(operands) = result`.
macro_rules! formulas {
    ($($name:ident($first:ident $(, $other:ident)*) = $result:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $other: Self)*) -> Self {
            let $first = self;
            $result
        }
    )*};
}

impl Lanes for i32 {
    const COUNT: usize = 1;
    type Divisor = Divisor;
    type Floats = f32;

    formulas! {
        add(a, b) = a + b;
        subtract(a, b) = a - b;
        multiply(a, b) = a * b;
        wrapping_add(a, b) = i32::wrapping_add(a, b);
        wrapping_subtract(a, b) = a.wrapping_sub(b);
        wrapping_multiply(a, b) = a.wrapping_mul(b);
        multiply_halves(a, b) = {
            debug_assert!(b as u32 >> 16 == 0, "the upper half of the other factor is 0");
            i32::from(a as i16) * i32::from(b as i16)
        };
        and(a, b) = a & b;
        or(a, b) = a | b;
        xor(a, b) = a ^ b;
        shift_right_unsigned_by(a, bits) = (a as u32 >> bits) as i32;
        less_than(a, b) = -i32::from(a < b);
        equals(a, b) = -i32::from(a == b);
        min(a, b) = Ord::min(a, b);
        max(a, b) = Ord::max(a, b);
        min_unsigned(a, b) = Ord::min(a as u32, b as u32) as i32;
        max_unsigned(a, b) = Ord::max(a as u32, b as u32) as i32;
        leading_zeros(a) = i32::leading_zeros(a) as i32;
        abs(a) = i32::abs(a);
        // There is no branch, so that loops over it vectorise.
        select(mask, then, otherwise) = otherwise ^ ((then ^ otherwise) & (mask >> 31));
        prefix_sum(a) = a;
        splat_last(a) = a;
        permute(a, _numbers) = a;
        square_root(a) = square_root(a as u32) as i32;
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self) -> Self {
        self << BITS
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        self >> BITS
    }

    #[inline(always)]
    fn shift_right_unsigned<const BITS: u32>(self) -> Self {
        (self as u32 >> BITS) as i32
    }

    #[inline(always)]
    fn splat(value: i32) -> Self {
        value
    }

    #[inline(always)]
    fn iota() -> Self {
        0
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        // SAFETY: the caller ensures the length.
        unsafe { *from.get_unchecked(at) }
    }

    #[inline(always)]
    fn gather_bytes(from: &[u8], at: Self) -> Self {
        from[at as usize].into()
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        to[0] = self;
    }

    #[inline(always)]
    fn load_halves(from: &[i16]) -> Self {
        from[0].into()
    }

    #[inline(always)]
    fn store_halves(self, to: &mut [i16]) {
        to[0] = self as i16;
    }

    #[inline(always)]
    fn any(self) -> bool {
        self < 0
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self < 0)
    }

    #[inline(always)]
    fn reduce_sum(self) -> i32 {
        self
    }

    #[inline(always)]
    fn divisor(self) -> Divisor {
        Divisor::new(self)
    }

    #[inline(always)]
    fn quotient(self, divisor: Divisor) -> Self {
        divisor.quotient(self)
    }

    #[inline(always)]
    fn ratio(self, divisor: Divisor) -> Self {
        divisor.ratio(self)
    }

    #[inline(always)]
    fn float_quotient(self, numerator: f32) -> f32 {
        numerator / self as f32
    }

    #[inline(always)]
    fn multiply_add_floats(self, factor: f32, summand: f32) -> Self {
        // The last bit of an f32 from 2^23 to 2^24 has the value 1. So the last addition rounds to the nearest integer.
        let nearest = 1.5 * (1 << 23) as f32;
        let sum = self as f32 * factor + summand + nearest;
        sum.to_bits().wrapping_sub(nearest.to_bits()) as i32
    }

    #[inline(always)]
    fn hypot(self, other: Self) -> Self {
        let (x, y) = (f64::from(self), f64::from(other));
        let root = (x * x + y * y).sqrt();
        let held = if root > MAX_MAGNITUDE { MAX_MAGNITUDE } else { root };
        // SAFETY: a root of a sum of squares is not negative, and it is at most 2^30 here. Unlike `as`, this is one
        // vector instruction.
        unsafe { held.to_int_unchecked() }
    }
}

/// Four lanes as an array. Each lane is computed by itself, and the compiler turns this into vector code.
#[derive(Debug, Clone, Copy)]
pub struct PortableLanes([i32; 4]);

/// Operations on each of four lanes.
macro_rules! four_lanes {
    ($($name:ident($($other:ident),*))*; $($shift:ident)*) => {
        $(
            #[inline(always)]
            fn $name(self $(, $other: Self)*) -> Self {
                let [a, b, c, d] = self.0;
                Self([
                    Lanes::$name(a $(, $other.0[0])*),
                    Lanes::$name(b $(, $other.0[1])*),
                    Lanes::$name(c $(, $other.0[2])*),
                    Lanes::$name(d $(, $other.0[3])*),
                ])
            }
        )*
        $(
            #[inline(always)]
            fn $shift<const BITS: u32>(self) -> Self {
                let [a, b, c, d] = self.0;
                Self([a.$shift::<BITS>(), b.$shift::<BITS>(), c.$shift::<BITS>(), d.$shift::<BITS>()])
            }
        )*
    };
}

impl Lanes for PortableLanes {
    const COUNT: usize = 4;
    type Divisor = [Divisor; 4];
    type Floats = [f32; 4];

    operations!(four_lanes);
    four_lanes!(hypot(other) square_root(););

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    fn iota() -> Self {
        Self([0, 1, 2, 3])
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        // SAFETY: the caller ensures the length.
        Self(unsafe { from.as_ptr().add(at).cast::<[i32; 4]>().read_unaligned() })
    }

    #[inline(always)]
    fn gather_bytes(from: &[u8], at: Self) -> Self {
        let [a, b, c, d] = at.0;
        Self([from[a as usize].into(), from[b as usize].into(), from[c as usize].into(), from[d as usize].into()])
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        to[..4].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn load_halves(from: &[i16]) -> Self {
        let from = &from[..4];
        Self([from[0].into(), from[1].into(), from[2].into(), from[3].into()])
    }

    #[inline(always)]
    fn store_halves(self, to: &mut [i16]) {
        let [a, b, c, d] = self.0;
        to[..4].copy_from_slice(&[a as i16, b as i16, c as i16, d as i16]);
    }

    #[inline(always)]
    fn any(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d < 0
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        let [a, b, c, d] = self.0.map(|lane| lane as u32 >> 31);
        a | b << 1 | c << 2 | d << 3
    }

    #[inline(always)]
    fn reduce_sum(self) -> i32 {
        self.0[0] + self.0[1] + self.0[2] + self.0[3]
    }

    #[inline(always)]
    fn prefix_sum(self) -> Self {
        let [a, b, c, d] = self.0;
        let (second, third) = (a.wrapping_add(b), a.wrapping_add(b).wrapping_add(c));
        Self([a, second, third, i32::wrapping_add(third, d)])
    }

    #[inline(always)]
    fn splat_last(self) -> Self {
        Self([self.0[3]; 4])
    }

    #[inline(always)]
    fn permute(self, numbers: Self) -> Self {
        let [a, b, c, d] = numbers.0;
        Self([self.0[(a & 3) as usize], self.0[(b & 3) as usize], self.0[(c & 3) as usize], self.0[(d & 3) as usize]])
    }

    #[inline(always)]
    fn divisor(self) -> Self::Divisor {
        let [a, b, c, d] = self.0;
        [a.divisor(), b.divisor(), c.divisor(), d.divisor()]
    }

    #[inline(always)]
    fn quotient(self, divisor: Self::Divisor) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, divisor);
        Self([a.quotient(e), b.quotient(f), c.quotient(g), d.quotient(h)])
    }

    #[inline(always)]
    fn ratio(self, divisor: Self::Divisor) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, divisor);
        Self([a.ratio(e), b.ratio(f), c.ratio(g), d.ratio(h)])
    }

    #[inline(always)]
    fn float_quotient(self, numerator: f32) -> [f32; 4] {
        let [a, b, c, d] = self.0;
        [
            a.float_quotient(numerator),
            b.float_quotient(numerator),
            c.float_quotient(numerator),
            d.float_quotient(numerator),
        ]
    }

    #[inline(always)]
    fn multiply_add_floats(self, [e, f, g, h]: [f32; 4], summand: f32) -> Self {
        let [a, b, c, d] = self.0;
        Self([
            a.multiply_add_floats(e, summand),
            b.multiply_add_floats(f, summand),
            c.multiply_add_floats(g, summand),
            d.multiply_add_floats(h, summand),
        ])
    }
}

/// Twice the lanes of another implementation. A loop over such lanes has half as many iterations, so the overhead of
/// the loop is smaller. The processor works on one half while it waits for the other half.
#[derive(Debug, Clone, Copy)]
pub struct DoubleLanes<L>([L; 2]);

/// Operations on each half.
macro_rules! both_halves {
    ($($name:ident($($other:ident),*))*; $($shift:ident)*) => {
        $(
            #[inline(always)]
            fn $name(self $(, $other: Self)*) -> Self {
                Self([self.0[0].$name($($other.0[0]),*), self.0[1].$name($($other.0[1]),*)])
            }
        )*
        $(
            #[inline(always)]
            fn $shift<const BITS: u32>(self) -> Self {
                Self([self.0[0].$shift::<BITS>(), self.0[1].$shift::<BITS>()])
            }
        )*
    };
}

impl<L: Lanes> Lanes for DoubleLanes<L> {
    const COUNT: usize = 2 * L::COUNT;
    type Divisor = [L::Divisor; 2];
    type Floats = [L::Floats; 2];

    operations!(both_halves);
    both_halves!(hypot(other) square_root(););

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Self([L::splat(value); 2])
    }

    #[inline(always)]
    fn iota() -> Self {
        Self([L::iota(), L::iota().add(L::splat(L::COUNT as i32))])
    }

    #[inline(always)]
    unsafe fn load_unchecked(from: &[i32], at: usize) -> Self {
        // SAFETY: the caller's promise covers both halves.
        unsafe { Self([L::load_unchecked(from, at), L::load_unchecked(from, at + L::COUNT)]) }
    }

    #[inline(always)]
    fn gather_bytes(from: &[u8], at: Self) -> Self {
        Self([L::gather_bytes(from, at.0[0]), L::gather_bytes(from, at.0[1])])
    }

    #[inline(always)]
    fn store(self, to: &mut [i32]) {
        let to = &mut to[..Self::COUNT];
        self.0[0].store(to);
        self.0[1].store(&mut to[L::COUNT..]);
    }

    #[inline(always)]
    fn load_halves(from: &[i16]) -> Self {
        Self([L::load_halves(from), L::load_halves(&from[L::COUNT..])])
    }

    #[inline(always)]
    fn store_halves(self, to: &mut [i16]) {
        self.0[0].store_halves(to);
        self.0[1].store_halves(&mut to[L::COUNT..]);
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0[0].any() | self.0[1].any()
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0[0].bits() | self.0[1].bits() << L::COUNT
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
    fn permute(self, numbers: Self) -> Self {
        let half = L::COUNT as i32;
        let [mut first, mut second] = numbers.0;
        for half_of in [&mut first, &mut second] {
            let is_low = half_of.and(L::splat(half)).equals(L::splat(0));
            *half_of = is_low.select(self.0[0].permute(*half_of), self.0[1].permute(*half_of));
        }
        Self([first, second])
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

    #[inline(always)]
    fn float_quotient(self, numerator: f32) -> Self::Floats {
        [self.0[0].float_quotient(numerator), self.0[1].float_quotient(numerator)]
    }

    #[inline(always)]
    fn multiply_add_floats(self, factor: Self::Floats, summand: f32) -> Self {
        Self([self.0[0].multiply_add_floats(factor[0], summand), self.0[1].multiply_add_floats(factor[1], summand)])
    }
}
