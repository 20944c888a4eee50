//! Cosine and sine in exact arithmetic. The twin is `shaders/shared/noise.wgsl`.

use crate::lanes::Lanes;

/// Coefficients (Q16) of sin(x)/x and cos(x) in x², with x in units of an eighth of a turn.
const SINE: [i32; 3] = [51_471, 5_290, 160];
const COSINE: [i32; 2] = [20_205, 1_011];

/// Cosine and sine (Q15) of an angle in 2^-16 turn, within 1.3 units. |angle| < 2^30.
///
/// A turn by a quarter, and the other sign of the angle, change the results exactly as they should.
#[inline(always)]
pub fn cosine_and_sine<V: Lanes>(angle: V) -> [V; 2] {
    let splat = V::splat;
    // The nearest multiple of a quarter, and what is left: at most an eighth of a turn, 2^15 in this unit.
    let quarters = angle.add(splat(1 << 13)).shift_right::<14>();
    let x = angle.subtract(quarters.shift_left::<14>()).shift_left::<2>();
    let square = x.multiply(x).add(splat(1 << 14)).shift_right::<15>();
    let inner = splat(SINE[1]).subtract(square.multiply(splat(SINE[2])).round_shift::<15>());
    let slope = splat(SINE[0]).subtract(square.multiply(inner).round_shift::<15>());
    let sine = x.multiply(slope).round_shift::<16>();
    let fall = splat(COSINE[0]).subtract(square.multiply(splat(COSINE[1])).round_shift::<15>());
    let cosine = splat(1 << 15).subtract(square.multiply(fall).round_shift::<16>());
    // An odd number of quarters exchanges both, and half a turn reverses both.
    let is_odd = splat(0).subtract(quarters.and(splat(1)));
    let [along, across] = [is_odd.select(splat(0).subtract(sine), cosine), is_odd.select(cosine, sine)];
    let is_back = splat(0).subtract(quarters.and(splat(2)));
    [is_back.select(splat(0).subtract(along), along), is_back.select(splat(0).subtract(across), across)]
}
