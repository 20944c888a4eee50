//! The exact arithmetic of vectors with three axes; an axis that the world lacks is 0 throughout.
//!
//! The twins of these functions are in `shaders/shared/space.wgsl`.

use crate::numbers::{ONE, quotient, round_shift};

/// A vector in space; its unit is said where it is used.
pub type Vector3 = [i32; 3];

/// The length of a vector, rounded down. |components| ≤ 2^15.
#[inline(always)]
pub fn length3([x, y, z]: Vector3) -> i32 {
    const FARTHEST: f64 = (1 << 30) as f64;
    let (x, y, z) = (x as f64, y as f64, z as f64);
    let exact = (x * x + y * y + z * z).sqrt();
    let held = if exact > FARTHEST { FARTHEST } else { exact };
    // SAFETY: it was just held below 2^30, and the root of a sum of squares is not negative.
    unsafe { held.to_int_unchecked() }
}

/// The direction of a vector with the length `ONE`; that of 0 is 0. |components| ≤ 2^30.
///
/// The vector is first brought to the size at which its length is known to a part in 2^14.
#[inline(always)]
pub fn normalise(v: Vector3) -> Vector3 {
    let greatest = v[0].unsigned_abs() | v[1].unsigned_abs() | v[2].unsigned_abs();
    // The greatest component has so many bits, but for a vector of 0.
    let bits = 32 - (greatest | 1).leading_zeros() as i32;
    let fit = |n: i32| if bits > 15 { round_shift(n, (bits - 15).max(1) as u32) } else { n << (15 - bits).max(0) };
    let v = [fit(v[0]), fit(v[1]), fit(v[2])];
    stretch3(v, length3(v), ONE)
}

/// A vector whose length is `from`, stretched to the length `to`. |components|, to ≤ 2^15; `from` = 0 gives 0.
#[inline(always)]
pub fn stretch3(v: Vector3, from: i32, to: i32) -> Vector3 {
    let from = from.max(1);
    [quotient(v[0] * to, from), quotient(v[1] * to, from), quotient(v[2] * to, from)]
}

/// A vector whose length is at most `most` ≤ 2^15. |components| ≤ 2^30.
#[inline(always)]
pub fn limit_length(v: Vector3, most: i32) -> Vector3 {
    const FITS: i32 = 1 << 15;
    let is_long = v[0].abs() > FITS || v[1].abs() > FITS || v[2].abs() > FITS;
    // A component beyond 2^15 makes the vector longer than any limit: only its direction matters.
    let held = if is_long { normalise(v) } else { v };
    let length = if is_long { i32::MAX } else { length3(held) };
    let from = if is_long { ONE } else { length };
    let stretched = stretch3(held, from, most);
    if length > most { stretched } else { v }
}

/// Rounded by `bits` bits; 0 bits leave it.
#[inline(always)]
pub fn round_shift_any(n: i32, bits: u32) -> i32 {
    if bits == 0 { n } else { round_shift(n, bits) }
}

/// Each component rounded by `bits` bits; 0 bits leave it.
#[inline(always)]
pub fn round_shift3([x, y, z]: Vector3, bits: u32) -> Vector3 {
    [round_shift_any(x, bits), round_shift_any(y, bits), round_shift_any(z, bits)]
}

#[inline(always)]
pub fn add3(a: Vector3, b: Vector3) -> Vector3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub fn subtract3(a: Vector3, b: Vector3) -> Vector3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [i32; 12] = [0, 1, 2, 3, 17, 1024, 16_383, 32_768, 32_769, 1 << 20, (1 << 30) - 1, 1 << 30];

    fn all() -> impl Iterator<Item = Vector3> {
        let sizes = || SIZES.iter().flat_map(|size| [*size, -*size]);
        sizes().flat_map(move |x| sizes().flat_map(move |y| sizes().map(move |z| [x, y, z])))
    }

    fn exact_length(v: Vector3) -> f64 {
        v.iter().map(|n| f64::from(*n).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn a_direction_is_as_long_as_one_and_points_there() {
        assert_eq!(normalise([0; 3]), [0; 3]);
        assert_eq!(normalise([1, 0, 0]), [ONE, 0, 0]);
        for v in all().filter(|v| *v != [0; 3]) {
            let direction = normalise(v);
            for axis in 0..3 {
                let exact = f64::from(v[axis]) / exact_length(v) * f64::from(ONE);
                assert!((f64::from(direction[axis]) - exact).abs() < 3.0, "{v:?}: {direction:?}");
            }
            assert_eq!(normalise(v.map(|n| -n)), direction.map(|n| -n));
        }
    }

    #[test]
    fn a_limit_shortens_only_what_is_too_long() {
        for v in all() {
            for most in [0, 1, 819, ONE, 1 << 15] {
                let limited = limit_length(v, most);
                let exact = exact_length(v);
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
}
