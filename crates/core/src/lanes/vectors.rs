//! The exact arithmetic of vectors, side by side: of cells, which have two axes, and of agents, whose vectors in a flat world
//! have two as well, so that nothing is worked out for a third.
//!
//! Loops over axes rather than closures: what a closure does is not compiled for the instruction set of the lanes.

use super::Lanes;
use crate::numbers::ONE;

/// A vector for each lane, by axis.
pub type Vectors<V, const AXES: usize> = [V; AXES];

/// No vector.
#[inline(always)]
pub fn none<V: Lanes, const AXES: usize>() -> Vectors<V, AXES> {
    [V::all(0); AXES]
}

#[inline(always)]
pub fn add<V: Lanes, const AXES: usize>(mut a: Vectors<V, AXES>, b: Vectors<V, AXES>) -> Vectors<V, AXES> {
    for axis in 0..AXES {
        a[axis] = a[axis].add(b[axis]);
    }
    a
}

#[inline(always)]
pub fn subtract<V: Lanes, const AXES: usize>(mut a: Vectors<V, AXES>, b: Vectors<V, AXES>) -> Vectors<V, AXES> {
    for axis in 0..AXES {
        a[axis] = a[axis].subtract(b[axis]);
    }
    a
}

/// Each component multiplied by the same.
#[inline(always)]
pub fn scale<V: Lanes, const AXES: usize>(mut v: Vectors<V, AXES>, by: V) -> Vectors<V, AXES> {
    for axis in 0..AXES {
        v[axis] = v[axis].multiply(by);
    }
    v
}

/// The opposite.
#[inline(always)]
pub fn negative<V: Lanes, const AXES: usize>(v: Vectors<V, AXES>) -> Vectors<V, AXES> {
    subtract(none(), v)
}

/// Each component held within ±bound.
#[inline(always)]
pub fn clamp<V: Lanes, const AXES: usize>(mut v: Vectors<V, AXES>, bound: i32) -> Vectors<V, AXES> {
    for axis in 0..AXES {
        v[axis] = v[axis].within(V::all(bound));
    }
    v
}

/// [`crate::numbers::round_shift`] of each component.
#[inline(always)]
pub fn round_shift<V: Lanes, const AXES: usize, const BITS: u32>(mut v: Vectors<V, AXES>) -> Vectors<V, AXES> {
    for axis in 0..AXES {
        v[axis] = v[axis].round_shift::<BITS>();
    }
    v
}

/// [`crate::agents::vector::round_shift3`]: by bits that are not known when the code is compiled, 0 to 31.
#[inline(always)]
pub fn round_shift_any<V: Lanes, const AXES: usize>(mut v: Vectors<V, AXES>, bits: u32) -> Vectors<V, AXES> {
    if bits == 0 {
        return v;
    }
    let below = V::all((1 << (bits - 1)) - 1);
    for axis in 0..AXES {
        let sum = v[axis].add(below).add(v[axis].shift_right::<31>().add(V::all(1)));
        // Lifted above 0 for a shift that knows no sign.
        let shifted = sum.wrapping_add(V::all(i32::MIN)).shift_right_by(V::all(bits as i32));
        v[axis] = shifted.subtract(V::all((1u32 << 31 >> bits) as i32));
    }
    v
}

/// [`crate::agents::vector::length3`]. |components| ≤ 2^15.
#[inline(always)]
pub fn length<V: Lanes, const AXES: usize>(v: Vectors<V, AXES>) -> V {
    if AXES == 2 {
        return v[0].length(v[1]);
    }
    let mut square = V::all(0);
    for axis in 0..AXES {
        square = square.wrapping_add(v[axis].multiply(v[axis]));
    }
    square.square_root()
}

/// [`crate::agents::vector::stretch3`]. |components|, to ≤ 2^15; `from` = 0 gives 0.
#[inline(always)]
pub fn stretch<V: Lanes, const AXES: usize>(mut v: Vectors<V, AXES>, from: V, to: V) -> Vectors<V, AXES> {
    let from = from.divisor();
    for axis in 0..AXES {
        v[axis] = v[axis].multiply(to).quotient(from);
    }
    v
}

/// [`crate::agents::vector::normalise`]. |components| ≤ 2^30.
#[inline(always)]
pub fn normalise<V: Lanes, const AXES: usize>(mut v: Vectors<V, AXES>) -> Vectors<V, AXES> {
    let all = V::all;
    let mut greatest = all(1);
    for axis in 0..AXES {
        greatest = greatest.or(v[axis].absolute());
    }
    let zeros = greatest.leading_zeros();
    // The greatest component has 32 - zeros bits, and is to have 15.
    let more = zeros.subtract(all(17)).greater(all(0));
    let fewer = all(17).subtract(zeros).greater(all(0));
    let factor = all(1 << 14).shift_right_by(all(14).subtract(more));
    let half = all(1 << 30).shift_right_by(all(31).subtract(fewer));
    for axis in 0..AXES {
        let size = v[axis].absolute().multiply(factor).add(half).shift_right_by(fewer);
        v[axis] = v[axis].select(all(0).subtract(size), size);
    }
    stretch(v, length(v), all(ONE))
}

/// [`crate::agents::vector::limit_length`]: at most `most` ≤ 2^15. |components| ≤ 2^30.
#[inline(always)]
pub fn limit_length<V: Lanes, const AXES: usize>(v: Vectors<V, AXES>, most: i32) -> Vectors<V, AXES> {
    let all = V::all;
    let mut greatest = all(0);
    for axis in 0..AXES {
        greatest = greatest.greater(v[axis].absolute());
    }
    // A component beyond 2^15 makes the vector longer than any limit: only its direction matters.
    let is_long = all(1 << 15).less(greatest);
    let has_long = is_long.any();
    let held = if has_long { select(is_long, normalise(v), v) } else { v };
    let is = length(held);
    let (mut exceeds, mut from) = (all(most).less(is), is);
    if has_long {
        (exceeds, from) = (exceeds.or(is_long), is_long.select(all(ONE), is));
    }
    if exceeds.any() { select(exceeds, stretch(held, from, all(most)), v) } else { v }
}

/// The limit of control vectors (Q14), the cell system's: components to ±2, then the length a quarter of the way to `cruise`
/// (where `cruise` > 0) and to at most `max`, then components to ±1.
#[inline(always)]
pub fn limit<V: Lanes, const AXES: usize>(v: Vectors<V, AXES>, cruise: i32, max: i32) -> Vectors<V, AXES> {
    let v = clamp(v, 2 * ONE);
    let is = length(v);
    let towards = if cruise > 0 { is.add(V::all(cruise).subtract(is).round_shift::<2>()) } else { is };
    clamp(stretch(v, is, towards.lesser(V::all(max))), ONE)
}

/// The components of words (see [`crate::numbers::unpack`]).
#[inline(always)]
pub fn unpacked<V: Lanes>(word: V) -> Vectors<V, 2> {
    [word.shift_left::<16>().shift_right::<16>(), word.shift_right::<16>()]
}

/// Vectors as words (see [`crate::numbers::pack`]).
#[inline(always)]
pub fn packed<V: Lanes>([x, y]: Vectors<V, 2>) -> V {
    x.and(V::all(0xffff)).or(y.shift_left::<16>())
}

/// The vectors that this mask takes from the one, elsewhere those of the other.
#[inline(always)]
pub fn select<V: Lanes, const AXES: usize>(
    mask: V,
    then: Vectors<V, AXES>,
    mut otherwise: Vectors<V, AXES>,
) -> Vectors<V, AXES> {
    for axis in 0..AXES {
        otherwise[axis] = mask.select(then[axis], otherwise[axis]);
    }
    otherwise
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::vector::{self, Vector3};
    #[cfg(target_arch = "x86_64")]
    use crate::lanes::{Avx2, Avx512};
    use crate::lanes::{MOST, Portable};

    const SIZES: [i32; 13] =
        [0, 1, 2, 3, 17, 1024, 16_383, 32_767, 32_768, 32_769, (1 << 20) + 16, (1 << 30) - 1, 1 << 30];

    /// Vectors of all these sizes with any signs, as many as fit in whole lanes.
    fn all() -> Vec<Vector3> {
        let sizes = || SIZES.iter().flat_map(|size| [*size, -*size]);
        let mut made: Vec<Vector3> =
            sizes().flat_map(|x| sizes().flat_map(move |y| sizes().map(move |z| [x, y, z]))).collect();
        made.resize(made.len().next_multiple_of(MOST), [5, -6, 7]);
        made
    }

    /// What is made of vectors on so many axes, one chunk of lanes at a time; without lanes one by one.
    fn compare<V: Lanes, const AXES: usize>() {
        let vectors: Vec<Vector3> = all().into_iter().map(|v| if AXES == 2 { [v[0], v[1], 0] } else { v }).collect();
        let kept = |v: Vectors<V, AXES>| -> Vec<Vector3> {
            let mut made = vec![[0; 3]; V::COUNT];
            for axis in 0..AXES {
                let mut list = [0; MOST];
                v[axis].store(&mut list);
                (0..V::COUNT).for_each(|lane| made[lane][axis] = list[lane]);
            }
            made
        };
        for chunk in vectors.chunks(V::COUNT) {
            let mut v = none::<V, AXES>();
            for axis in 0..AXES {
                v[axis] = V::load(&chunk.iter().map(|v| v[axis]).collect::<Vec<_>>());
            }
            let each = |made: &dyn Fn(Vector3) -> Vector3| chunk.iter().map(|v| made(*v)).collect::<Vec<_>>();
            assert_eq!(kept(normalise(v)), each(&vector::normalise), "{chunk:?}");
            for most in [0, 1, 819, ONE, 1 << 15] {
                let limited = kept(limit_length(v, most));
                assert_eq!(limited, each(&|v| vector::limit_length(v, most)), "{most}: {chunk:?}");
            }
            for bits in [0, 1, 4, 20, 30] {
                let rounded = kept(round_shift_any(v, bits));
                assert_eq!(rounded, each(&|v| vector::round_shift3(v, bits)), "{bits}: {chunk:?}");
            }
            let held = kept(scale(negative(clamp(v, 1 << 15)), V::all(3)));
            assert_eq!(held, each(&|v| v.map(|n| -3 * n.clamp(-1 << 15, 1 << 15))));
        }
    }

    #[test]
    fn vectors_side_by_side_are_those_one_by_one() {
        compare::<Portable, 2>();
        compare::<Portable, 3>();
        #[cfg(target_arch = "x86_64")]
        {
            use crate::engine::cpu::InstructionSet;
            if InstructionSet::Avx2.is_available() {
                compare::<Avx2, 2>();
                compare::<Avx2, 3>();
            }
            if InstructionSet::Avx512.is_available() {
                compare::<Avx512, 2>();
                compare::<Avx512, 3>();
            }
        }
    }
}
