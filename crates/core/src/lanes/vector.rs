//! The exact arithmetic of vectors, on any number of axes and any number of lanes.
//!
//! A vector is an array with one component per axis. A component is an `i32`, or [`Lanes`] with the components of
//! several vectors. There are two axes in a flat world and three in a deep one, so nothing is computed for a missing
//! axis.
//!
//! The WGSL twins are in `shaders/shared/numbers.wgsl` for two axes and in `shaders/shared/vector.wgsl` for three.
//! There `length` is called `length_of` or `length3`, because WGSL has a built-in function of that name and no
//! generics.
//!
//! Loops over axes replace closures, because the body of a closure is not compiled for the instruction set of the
//! lanes.

use crate::lanes::Lanes;
use crate::numbers::{ONE, RULE_ONE, Vector3};

/// The zero vector.
#[inline(always)]
pub fn zero<V: Lanes, const AXES: usize>() -> [V; AXES] {
    [V::splat(0); AXES]
}

/// The first `AXES` components of a vector, each in every lane.
#[inline(always)]
pub fn splat<V: Lanes, const AXES: usize>(v: Vector3) -> [V; AXES] {
    let mut lanes = zero();
    for axis in 0..AXES {
        lanes[axis] = V::splat(v[axis]);
    }
    lanes
}

/// a + b.
#[inline(always)]
pub fn add<V: Lanes, const AXES: usize>(mut a: [V; AXES], b: [V; AXES]) -> [V; AXES] {
    for axis in 0..AXES {
        a[axis] = a[axis].add(b[axis]);
    }
    a
}

/// a - b.
#[inline(always)]
pub fn subtract<V: Lanes, const AXES: usize>(mut a: [V; AXES], b: [V; AXES]) -> [V; AXES] {
    for axis in 0..AXES {
        a[axis] = a[axis].subtract(b[axis]);
    }
    a
}

/// factor · v.
#[inline(always)]
pub fn scale<V: Lanes, const AXES: usize>(mut v: [V; AXES], factor: V) -> [V; AXES] {
    for axis in 0..AXES {
        v[axis] = v[axis].multiply(factor);
    }
    v
}

/// factor · v. |components| < 2^15, 0 ≤ factor < 2^15.
#[inline(always)]
pub fn scale_halves<V: Lanes, const AXES: usize>(mut v: [V; AXES], factor: V) -> [V; AXES] {
    for axis in 0..AXES {
        v[axis] = v[axis].multiply_halves(factor);
    }
    v
}

/// -v.
#[inline(always)]
pub fn negate<V: Lanes, const AXES: usize>(v: [V; AXES]) -> [V; AXES] {
    subtract(zero(), v)
}

/// v / divisor, each component to nearest, halves away from zero (see [`crate::numbers::quotient`]).
#[inline(always)]
pub fn quotient<V: Lanes, const AXES: usize>(mut v: [V; AXES], divisor: V::Divisor) -> [V; AXES] {
    for axis in 0..AXES {
        v[axis] = v[axis].quotient(divisor);
    }
    v
}

/// The bits after the binary point of the quotients of [`quotient_by_floats`].
const QUOTIENT_BITS: u32 = 12;

/// factor · v / divisor, each component to nearest, halves away from zero. The second result is the mask of the lanes
/// in which a component is too near a half to be certain. |components| and the divisor ≤ 2^24, 0 ≤ factor ≤ 2^24,
/// |quotients| ≤ 2^10. Lanes with a greater divisor must not be used.
///
/// Quotients are computed in f32 with 12 bits after the binary point. Each of the three roundings of an f32 is wrong by
/// at most 2^-24 of the quotient, the rounding to an integer by a half. So the error is below 2 in the last bit.
#[inline(always)]
pub fn quotient_by_floats<V: Lanes, const AXES: usize>(v: [V; AXES], factor: i32, divisor: V) -> ([V; AXES], V) {
    let splat = V::splat;
    let reciprocal = divisor.float_quotient(factor as f32 * (1 << QUOTIENT_BITS) as f32);
    let (mut quotients, mut is_near) = (zero(), splat(0));
    // 2 is added to the half, so that the bits after the binary point of an uncertain quotient are 0 to 3.
    let half = ((1 << (QUOTIENT_BITS - 1)) + 2) as f32;
    for axis in 0..AXES {
        let sum = v[axis].multiply_add_floats(reciprocal, half);
        is_near = is_near.or(sum.and(splat((1 << QUOTIENT_BITS) - 4)).equals(splat(0)));
        quotients[axis] = sum.shift_right::<QUOTIENT_BITS>();
    }
    (quotients, is_near)
}

/// 1024 v / divisor, each component to nearest, halves away from zero (see [`crate::numbers::ratio`]).
#[inline(always)]
pub fn ratio<V: Lanes, const AXES: usize>(mut v: [V; AXES], divisor: V::Divisor) -> [V; AXES] {
    for axis in 0..AXES {
        v[axis] = v[axis].ratio(divisor);
    }
    v
}

/// [`quotient_of_small`] divides numbers below this bound exactly in f32.
pub const SMALL: i32 = 1 << 20;
/// The binary logarithm of 1024, the factor in [`ratio`].
const RULE_BITS: u32 = RULE_ONE.trailing_zeros();

/// [`ratio`] by a divisor ≥ 0 that divides no other vector. If the numbers are small enough, the function divides in
/// f32 and computes no [`Lanes::Divisor`].
#[inline(always)]
pub fn ratio_by<V: Lanes, const AXES: usize>(mut v: [V; AXES], divisor: V) -> [V; AXES] {
    let mut bits = divisor.shift_right::<RULE_BITS>();
    for axis in 0..AXES {
        bits = bits.or(v[axis].abs());
    }
    if V::splat((SMALL >> RULE_BITS) - 1).less_than(bits).any() {
        return ratio(v, divisor.divisor());
    }
    for axis in 0..AXES {
        v[axis] = v[axis].shift_left::<RULE_BITS>();
    }
    quotient_of_small(v, divisor)
}

/// [`quotient`] in f32. |components| < 2^20, 0 ≤ divisor < 2^20.
///
/// The reciprocal is scaled by 1 + 2^-22, and two roundings are each wrong by at most 2^-24. So the f32 exceeds the
/// quotient by 2^-23 to 3·2^-23 of it. Quotients on a half are rounded away from zero. No other quotient reaches the
/// next half, whose distance is at least 2^-21 of the quotient.
#[inline(always)]
pub fn quotient_of_small<V: Lanes, const AXES: usize>(mut v: [V; AXES], divisor: V) -> [V; AXES] {
    let reciprocal = divisor.max(V::splat(1)).float_quotient(1.0 + 1.0 / (1 << 22) as f32);
    for axis in 0..AXES {
        v[axis] = v[axis].multiply_add_floats(reciprocal, 0.0);
    }
    v
}

/// Each component clamped to [-bound, bound].
#[inline(always)]
pub fn clamp_components<V: Lanes, const AXES: usize>(mut v: [V; AXES], bound: i32) -> [V; AXES] {
    for axis in 0..AXES {
        v[axis] = v[axis].clamp_magnitude(V::splat(bound));
    }
    v
}

/// [`crate::numbers::round_shift`] of each component.
#[inline(always)]
pub fn round_shift<V: Lanes, const AXES: usize, const BITS: u32>(mut v: [V; AXES]) -> [V; AXES] {
    for axis in 0..AXES {
        v[axis] = v[axis].round_shift::<BITS>();
    }
    v
}

/// [`crate::numbers::round_shift_any`] of each component, by 0 to 31 bits that are known only at run time.
#[inline(always)]
pub fn round_shift_any<V: Lanes, const AXES: usize>(mut v: [V; AXES], bits: u32) -> [V; AXES] {
    if bits == 0 {
        return v;
    }
    let below = V::splat((1 << (bits - 1)) - 1);
    for axis in 0..AXES {
        let sum = v[axis].add(below).add(v[axis].shift_right::<31>().add(V::splat(1)));
        // Lanes have only a logical shift by a variable. So the sum is offset by 2^31 before the shift, and back
        // afterwards.
        let shifted = sum.wrapping_add(V::splat(i32::MIN)).shift_right_unsigned_by(V::splat(bits as i32));
        v[axis] = shifted.subtract(V::splat((1u32 << 31 >> bits) as i32));
    }
    v
}

/// The length, rounded down. |components| ≤ 2^15, so that the sum of the squares fits in 32 bits.
#[inline(always)]
pub fn length<V: Lanes, const AXES: usize>(v: [V; AXES]) -> V {
    if AXES == 2 {
        return v[0].hypot(v[1]);
    }
    let mut square = V::splat(0);
    for axis in 0..AXES {
        square = square.wrapping_add(v[axis].multiply(v[axis]));
    }
    square.square_root()
}

/// A vector of length `from`, scaled to length `to`. |components|, to ≤ 2^15. If `from` is 0, the result is 0.
#[inline(always)]
pub fn stretch<V: Lanes, const AXES: usize>(v: [V; AXES], from: V, to: V) -> [V; AXES] {
    quotient(scale(v, to), from.divisor())
}

/// The direction, as a vector of length [`ONE`]; 0 for the zero vector. |components| ≤ 2^30.
///
/// The vector is first scaled to the size at which its length is known to a part in 2^14.
#[inline(always)]
pub fn normalise<V: Lanes, const AXES: usize>(v: [V; AXES]) -> [V; AXES] {
    let [held] = to_fifteen_bits([v]);
    stretch(held, length(held), V::splat(ONE))
}

/// Vectors, all multiplied by one power of two, so that the max of their components has 15 bits. |components| ≤ 2^30.
#[inline(always)]
pub fn to_fifteen_bits<V: Lanes, const AXES: usize, const COUNT: usize>(
    mut vectors: [[V; AXES]; COUNT],
) -> [[V; AXES]; COUNT] {
    let splat = V::splat;
    let mut greatest = splat(1);
    for index in 0..COUNT {
        for axis in 0..AXES {
            greatest = greatest.or(vectors[index][axis].abs());
        }
    }
    let zeros = greatest.leading_zeros();
    // The max component has 32 - zeros bits. It is shifted to 15 bits.
    let more = zeros.subtract(splat(17)).max(splat(0));
    let fewer = splat(17).subtract(zeros).max(splat(0));
    let factor = splat(1 << 14).shift_right_unsigned_by(splat(14).subtract(more));
    let half = splat(1 << 30).shift_right_unsigned_by(splat(31).subtract(fewer));
    for index in 0..COUNT {
        for axis in 0..AXES {
            let component = vectors[index][axis];
            let size = component.abs().multiply(factor).add(half).shift_right_unsigned_by(fewer);
            vectors[index][axis] = component.select(splat(0).subtract(size), size);
        }
    }
    vectors
}

/// The length to nearest. |components| ≤ 2^15. A length rounded down would make the vectors scaled by it longer on
/// average.
#[inline(always)]
pub fn nearest_length<V: Lanes, const AXES: usize>(v: [V; AXES]) -> V {
    let below = length(v);
    let mut rest = V::splat(0).wrapping_subtract(below.wrapping_multiply(below));
    for axis in 0..AXES {
        rest = rest.wrapping_add(v[axis].multiply(v[axis]));
    }
    // (n + ½)² = n² + n + ¼.
    below.subtract(below.less_than(rest))
}

/// A vector, scaled to length `to` ≤ 2^15; `otherwise` if the vector is 0. |components| ≤ 2^30.
#[inline(always)]
pub fn with_length<V: Lanes, const AXES: usize>(v: [V; AXES], to: V, otherwise: [V; AXES]) -> [V; AXES] {
    let [held] = to_fifteen_bits([v]);
    let from = nearest_length(held);
    select(from.equals(V::splat(0)), otherwise, stretch(held, from, to))
}

/// The vector, shortened to length `most` ≤ 2^15 if it is longer. |components| ≤ 2^30.
#[inline(always)]
pub fn limit_length<V: Lanes, const AXES: usize>(v: [V; AXES], most: i32) -> [V; AXES] {
    let splat = V::splat;
    let mut greatest = splat(0);
    for axis in 0..AXES {
        greatest = greatest.max(v[axis].abs());
    }
    // A component beyond 2^15 makes the vector longer than any limit, so only its direction matters.
    let is_long = splat(1 << 15).less_than(greatest);
    let has_long = is_long.any();
    let held = if has_long { select(is_long, normalise(v), v) } else { v };
    let current = length(held);
    let (mut exceeds, mut from) = (splat(most).less_than(current), current);
    if has_long {
        (exceeds, from) = (exceeds.or(is_long), is_long.select(splat(ONE), current));
    }
    if exceeds.any() { select(exceeds, stretch(held, from, splat(most)), v) } else { v }
}

/// The limit of a control vector (Q14). Components are clamped to ±2. The length then moves a quarter of the way to
/// `cruise` (if `cruise` > 0), and to at most `max`. Last, components are clamped to ±1.
#[inline(always)]
pub fn limit<V: Lanes, const AXES: usize>(v: [V; AXES], cruise: i32, max: i32) -> [V; AXES] {
    let v = clamp_components(v, 2 * ONE);
    let current = length(v);
    let towards = if cruise > 0 { current.add(V::splat(cruise).subtract(current).round_shift::<2>()) } else { current };
    clamp_components(stretch(v, current, towards.min(V::splat(max))), ONE)
}

/// [`crate::numbers::pack`], lane by lane.
#[inline(always)]
pub fn pack<V: Lanes>([x, y]: [V; 2]) -> V {
    x.and(V::splat(0xffff)).or(y.shift_left::<16>())
}

/// [`crate::numbers::unpack`], lane by lane.
#[inline(always)]
pub fn unpack<V: Lanes>(word: V) -> [V; 2] {
    [word.lower_halves(), word.shift_right::<16>()]
}

/// `then` in the lanes in which the mask is set, `otherwise` in the others.
#[inline(always)]
pub fn select<V: Lanes, const AXES: usize>(mask: V, then: [V; AXES], mut otherwise: [V; AXES]) -> [V; AXES] {
    for axis in 0..AXES {
        otherwise[axis] = mask.select(then[axis], otherwise[axis]);
    }
    otherwise
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{InstructionSet, LaneWork, MAX_LANES};
    use crate::numbers::{quotient, round_shift_any as round_shift_number};

    const SIZES: [i32; 13] =
        [0, 1, 2, 3, 17, 1024, 16_383, 32_767, 32_768, 32_769, (1 << 20) + 16, (1 << 30) - 1, 1 << 30];

    /// Vectors with components of all sizes and signs, padded to whole registers.
    fn samples() -> Vec<Vector3> {
        let sizes = || SIZES.iter().flat_map(|size| [*size, -*size]);
        let mut samples: Vec<Vector3> =
            sizes().flat_map(|x| sizes().flat_map(move |y| sizes().map(move |z| [x, y, z]))).collect();
        samples.resize(samples.len().next_multiple_of(MAX_LANES), [5, -6, 7]);
        samples
    }

    fn exact_length(v: Vector3) -> i32 {
        v.iter().map(|n| i64::from(*n).pow(2)).sum::<i64>().isqrt() as i32
    }

    fn defined_stretch(v: Vector3, from: i32, to: i32) -> Vector3 {
        v.map(|n| quotient(n * to, Ord::max(from, 1)))
    }

    /// [`normalise`] on numbers and with branches.
    fn defined_normalise(v: Vector3) -> Vector3 {
        let greatest = v[0].unsigned_abs() | v[1].unsigned_abs() | v[2].unsigned_abs();
        let bits = 32 - (greatest | 1).leading_zeros() as i32;
        let v = v.map(|n| if bits > 15 { round_shift_number(n, bits as u32 - 15) } else { n << (15 - bits) });
        defined_stretch(v, exact_length(v), ONE)
    }

    fn defined_limit_length(v: Vector3, most: i32) -> Vector3 {
        if v.iter().any(|n| n.abs() > 1 << 15) {
            return defined_stretch(defined_normalise(v), ONE, most);
        }
        let length = exact_length(v);
        if length > most { defined_stretch(v, length, most) } else { v }
    }

    /// Compares lanes with the definitions on two or three axes.
    struct Compare<const AXES: usize>;

    impl<const AXES: usize> LaneWork for Compare<AXES> {
        #[inline(always)]
        fn run<V: Lanes>(self) {
            let vectors: Vec<Vector3> =
                samples().into_iter().map(|v| if AXES == 2 { [v[0], v[1], 0] } else { v }).collect();
            let stored = |v: [V; AXES]| -> Vec<Vector3> {
                let mut stored = vec![[0; 3]; V::COUNT];
                for axis in 0..AXES {
                    let mut list = [0; MAX_LANES];
                    v[axis].store(&mut list);
                    (0..V::COUNT).for_each(|lane| stored[lane][axis] = list[lane]);
                }
                stored
            };
            for chunk in vectors.chunks(V::COUNT) {
                let mut v = zero::<V, AXES>();
                for axis in 0..AXES {
                    v[axis] = V::load(&chunk.iter().map(|v| v[axis]).collect::<Vec<_>>());
                }
                let each = |defined: &dyn Fn(Vector3) -> Vector3| chunk.iter().map(|v| defined(*v)).collect::<Vec<_>>();
                assert_eq!(stored(normalise(v)), each(&defined_normalise), "{chunk:?}");
                for most in [0, 1, 819, ONE, 1 << 15] {
                    let limited = stored(limit_length(v, most));
                    assert_eq!(limited, each(&|v| defined_limit_length(v, most)), "{most}: {chunk:?}");
                }
                for bits in [0, 1, 4, 20, 30] {
                    let rounded = stored(round_shift_any(v, bits));
                    assert_eq!(rounded, each(&|v| v.map(|n| round_shift_number(n, bits))), "{bits}: {chunk:?}");
                }
                let held = stored(scale(negate(clamp_components(v, 1 << 15)), V::splat(3)));
                assert_eq!(held, each(&|v| v.map(|n| -3 * n.clamp(-1 << 15, 1 << 15))));
            }
        }
    }

    #[test]
    fn lanes_of_vectors_agree_with_the_definitions() {
        Compare::<2>.run::<i32>();
        Compare::<3>.run::<i32>();
        for set in InstructionSet::ALL.iter().filter(|set| set.is_available()) {
            set.run(Compare::<2>);
            set.run(Compare::<3>);
        }
    }

    #[test]
    fn a_direction_is_as_long_as_one_and_points_there() {
        assert_eq!(normalise([0; 3]), [0; 3]);
        assert_eq!(normalise([1, 0, 0]), [ONE, 0, 0]);
        for v in samples().into_iter().filter(|v| *v != [0; 3]) {
            let length = v.iter().map(|n| f64::from(*n).powi(2)).sum::<f64>().sqrt();
            let direction = normalise(v);
            for axis in 0..3 {
                let exact = f64::from(v[axis]) / length * f64::from(ONE);
                assert!((f64::from(direction[axis]) - exact).abs() < 3.0, "{v:?}: {direction:?}");
            }
            assert_eq!(normalise(v.map(|n| -n)), direction.map(|n| -n));
        }
    }

    #[test]
    fn a_limit_shortens_only_what_is_too_long() {
        for v in samples() {
            for most in [0, 1, 819, ONE, 1 << 15] {
                let limited = limit_length(v, most);
                let exact = v.iter().map(|n| f64::from(*n).powi(2)).sum::<f64>().sqrt();
                if exact < f64::from(most) {
                    assert_eq!(limited, v, "{most}");
                } else {
                    for axis in 0..3 {
                        let expected = f64::from(v[axis]) * f64::from(most) / exact.max(1.0);
                        let slack = 1.0 + f64::from(most) * 2e-4 + f64::from(most) / exact.max(1.0);
                        assert!((f64::from(limited[axis]) - expected).abs() <= slack, "{v:?} {most}: {limited:?}");
                    }
                }
            }
        }
    }

    /// The way in which [`Quotients`] are computed.
    #[derive(Debug, Clone, Copy)]
    enum Division {
        /// [`quotient_by_floats`] with this factor; exact division in uncertain lanes.
        Floats(i32),
        /// [`quotient_of_small`].
        Small,
        /// [`ratio_by`].
        Ratio,
    }

    /// Quotients of components, each by its own divisor.
    struct Quotients<'a> {
        components: &'a [i32],
        divisors: &'a [i32],
        division: Division,
        quotients: &'a mut [i32],
    }

    impl LaneWork for Quotients<'_> {
        #[inline(always)]
        fn run<V: Lanes>(self) {
            for first in (0..self.components.len()).step_by(V::COUNT) {
                let v = [V::load(&self.components[first..])];
                let divisors = V::load(&self.divisors[first..]);
                let [quotients] = match self.division {
                    Division::Floats(factor) => {
                        let (quotients, is_near) = quotient_by_floats(v, factor, divisors);
                        let exact = crate::lanes::vector::quotient(scale(v, V::splat(factor)), divisors.divisor());
                        select(is_near, exact, quotients)
                    }
                    Division::Small => quotient_of_small(v, divisors),
                    Division::Ratio => ratio_by(v, divisors),
                };
                quotients.store(&mut self.quotients[first..]);
            }
        }
    }

    /// Checks the quotients on every instruction set. A divisor of 0 counts as 1.
    fn quotients_are_exact(division: Division, mut components: Vec<i32>, mut divisors: Vec<i32>) {
        let even = components.len().next_multiple_of(MAX_LANES);
        components.resize(even, 0);
        divisors.resize(even, 1);
        let factor = match division {
            Division::Floats(factor) => factor,
            Division::Small => 1,
            Division::Ratio => RULE_ONE,
        };
        let defined = components.iter().zip(&divisors);
        let defined: Vec<i32> = defined.map(|(n, divisor)| quotient(factor * n, Ord::max(*divisor, 1))).collect();
        for set in InstructionSet::ALL.iter().filter(|set| set.is_available()) {
            let mut quotients = vec![0; even];
            let (components, divisors) = (&*components, &*divisors);
            set.run(Quotients { components, divisors, division, quotients: &mut quotients });
            assert!(quotients == defined, "{set}, {division:?}");
        }
    }

    /// Quotients on a half, and the nearest ones on either side of it.
    #[test]
    fn small_quotients_are_exact_on_every_instruction_set() {
        let mut random = crate::numbers::random::generator(13, 5);
        let (mut components, mut divisors) = (vec![0, 0, SMALL - 1, 1 - SMALL], vec![0, 1, 1, SMALL - 1]);
        for _ in 0..100_000 {
            let divisor = (random.below(1 << 20) >> random.below(20)) as i32;
            let whole = random.below(u64::from((SMALL / Ord::max(divisor, 1)) as u32)) as i32;
            let half = whole * divisor + divisor / 2;
            for component in [half - 1, half, half + 1].into_iter().filter(|n| (0..SMALL).contains(n)) {
                components.extend([component, -component]);
                divisors.extend([divisor; 2]);
            }
        }
        // If 1024 n / d lies on a half, 2048 n / d is an odd number. Some n and d are too large for f32.
        let (mut sums, mut sum_divisors) = (Vec::new(), Vec::new());
        for n in 1..1100 {
            for odd in [1, 3, 5, 31, 33, 1023] {
                for divisor in [-1, 0, 1].map(|beside| 2048 * n / odd + beside) {
                    sums.extend([n, -n]);
                    sum_divisors.extend([divisor; 2]);
                }
            }
            sums.extend([n; 4]);
            sum_divisors.extend([SMALL - 1, SMALL, SMALL + 1, (1 << 24) + 1]);
        }
        quotients_are_exact(Division::Small, components, divisors);
        quotients_are_exact(Division::Ratio, sums, sum_divisors);
    }

    #[test]
    fn quotients_of_floats_are_exact_on_every_instruction_set() {
        let mut random = crate::numbers::random::generator(3, 5);
        for factor in [1 << 10, 3 * 331, 1 << 16, 999_983, 1 << 20] {
            let (mut components, mut divisors) = (Vec::new(), Vec::new());
            for _ in 0..40_000 {
                let divisor = 1 + (random.below(1 << 21) >> random.below(21)) as i32;
                // Quotients on a half, and the nearest ones on either side.
                let whole = random.below(1 << 10) as i64;
                let half = (i64::from(divisor) * (2 * whole + 1) / (2 * i64::from(factor))) as i32;
                for component in [half - 1, half, half + 1, random.around(1 << 10) as i32] {
                    let product = i64::from(component.abs()) * i64::from(factor);
                    if component.abs() <= 1 << 10 && product <= i64::from(divisor) << 10 {
                        components.extend([component, -component]);
                        divisors.extend([divisor; 2]);
                    }
                }
            }
            assert!(components.len() > 10_000, "{factor}");
            quotients_are_exact(Division::Floats(factor), components, divisors);
        }
    }
}
