//! Cosine and sine in exact arithmetic. The twin is `shaders/shared/noise.wgsl`.

use crate::lanes::Lanes;

/// Coefficients (Q16) of sin(x)/x and cos(x) in x², with x in units of an eighth of a turn.
const SINE: [i32; 3] = [51_471, 5_290, 160];
const COSINE: [i32; 2] = [20_205, 1_011];

/// An eighth of a turn, in 2^-16 turn.
pub const EIGHTH: i32 = 1 << 13;

/// Cosine and sine (Q15) of an angle in 2^-16 turn, within 1.3 units. |angle| < 2^30.
///
/// A turn by a quarter, and the opposite sign of the angle, change the results exactly.
#[inline(always)]
pub fn cosine_and_sine<V: Lanes>(angle: V) -> [V; 2] {
    let splat = V::splat;
    // The nearest multiple of a quarter, and the rest.
    let quarters = angle.add(splat(EIGHTH)).shift_right::<14>();
    let [cosine, sine] = cosine_and_sine_of_small(angle.subtract(quarters.shift_left::<14>()));
    // An odd number of quarters exchanges both, and half a turn reverses both.
    let is_odd = splat(0).subtract(quarters.and(splat(1)));
    let [along, across] = [is_odd.select(splat(0).subtract(sine), cosine), is_odd.select(cosine, sine)];
    let is_back = splat(0).subtract(quarters.and(splat(2)));
    [is_back.select(splat(0).subtract(along), along), is_back.select(splat(0).subtract(across), across)]
}

/// The result of [`cosine_and_sine`] for |angle| < [`EIGHTH`], bit for bit, without subtracting quarters.
#[inline(always)]
pub fn cosine_and_sine_of_small<V: Lanes>(angle: V) -> [V; 2] {
    let splat = V::splat;
    // |x| ≤ 2^15, also at an eighth of a turn itself.
    let x = angle.shift_left::<2>();
    let square = round_shift_positive::<V, 15>(x.multiply(x));
    let inner = splat(SINE[1]).subtract(round_shift_positive::<V, 15>(square.multiply(splat(SINE[2]))));
    let slope = splat(SINE[0]).subtract(round_shift_positive::<V, 15>(square.multiply(inner)));
    let sine = x.multiply(slope).round_shift::<16>();
    let fall = splat(COSINE[0]).subtract(round_shift_positive::<V, 15>(square.multiply(splat(COSINE[1]))));
    let cosine = splat(1 << 15).subtract(round_shift_positive::<V, 16>(square.multiply(fall)));
    [cosine, sine]
}

/// [`Lanes::round_shift`] of numbers that are not negative.
#[inline(always)]
fn round_shift_positive<V: Lanes, const BITS: u32>(number: V) -> V {
    number.add(V::splat(1 << (BITS - 1))).shift_right::<BITS>()
}
