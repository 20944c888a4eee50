//! Cosine and sine in exact arithmetic. `shaders/shared/noise.wgsl` computes the same bits.

use crate::lanes::Lanes;

/// Coefficients (Q16) of sin(x)/x and cos(x) as polynomials of x². The unit of x is an eighth of a turn.
const SINE: [i32; 3] = [51_471, 5_290, 160];
const COSINE: [i32; 2] = [20_205, 1_011];

/// An eighth of a turn, in units of 2^-16 turn.
pub const EIGHTH: i32 = 1 << 13;

/// Cosine and sine (Q15) of an angle in units of 2^-16 turn. |angle| < 2^30. The error is below 1.3 · 2^-15.
///
/// Results are exactly symmetric: for an angle plus a quarter of a turn, and for the opposite angle.
#[inline(always)]
pub fn cosine_and_sine<V: Lanes>(angle: V) -> [V; 2] {
    let splat = V::splat;
    // The angle is the nearest multiple of a quarter of a turn, plus a rest.
    let quarters = angle.add(splat(EIGHTH)).shift_right::<14>();
    let [cosine, sine] = cosine_and_sine_of_small(angle.subtract(quarters.shift_left::<14>()));
    // An odd number of quarters exchanges cosine and sine. Half a turn changes both signs.
    let is_odd = splat(0).subtract(quarters.and(splat(1)));
    let [along, across] = [is_odd.select(splat(0).subtract(sine), cosine), is_odd.select(cosine, sine)];
    let is_back = splat(0).subtract(quarters.and(splat(2)));
    [is_back.select(splat(0).subtract(along), along), is_back.select(splat(0).subtract(across), across)]
}

/// The result of [`cosine_and_sine`] for |angle| < [`EIGHTH`], with equal bits. It omits the reduction by quarters of a
/// turn.
#[inline(always)]
pub fn cosine_and_sine_of_small<V: Lanes>(angle: V) -> [V; 2] {
    let splat = V::splat;
    // |x| ≤ 2^15, with equality at exactly an eighth of a turn.
    let x = angle.shift_left::<2>();
    let square = round_shift_positive::<V, 15>(x.multiply(x));
    let inner = splat(SINE[1]).subtract(round_shift_positive::<V, 15>(square.multiply(splat(SINE[2]))));
    let slope = splat(SINE[0]).subtract(round_shift_positive::<V, 15>(square.multiply(inner)));
    let sine = x.multiply(slope).round_shift::<16>();
    let fall = splat(COSINE[0]).subtract(round_shift_positive::<V, 15>(square.multiply(splat(COSINE[1]))));
    let cosine = splat(1 << 15).subtract(round_shift_positive::<V, 16>(square.multiply(fall)));
    [cosine, sine]
}

/// [`Lanes::round_shift`] for numbers that are not negative.
#[inline(always)]
fn round_shift_positive<V: Lanes, const BITS: u32>(number: V) -> V {
    number.add(V::splat(1 << (BITS - 1))).shift_right::<BITS>()
}
