//! Turns a velocity by random numbers. `shaders/shared/noise.wgsl` computes the same bits.
//!
//! No direction is preferred: if a velocity and its random numbers are turned or mirrored together, so is the result.

use super::circle::{EIGHTH, cosine_and_sine, cosine_and_sine_of_small};
use super::draw::Draws;
use super::numbers::{DEVIATION_BITS, NoiseNumbers};
use crate::lanes::Lanes;
use crate::lanes::vector::{
    add, length, nearest_length, normalise, round_shift, scale, stretch, subtract, with_length,
};
use crate::numbers::ONE;

/// A velocity (Q14) after noise. First a random vector is added, then the sum turns by random angles. The speed does
/// not change, apart from rounding. A velocity of 0 stays 0. The length of `v` is at most 2^15.
#[inline(always)]
pub fn with_noise<V: Lanes, const AXES: usize>(
    v: [V; AXES],
    noise: &NoiseNumbers,
    draws: &Draws<V, AXES>,
) -> [V; AXES] {
    let v = if noise.vector != 0 { with_vector(v, nearest_length(v), noise.vector, draws.vector) } else { v };
    turned_by_angles(v, noise, draws)
}

/// A velocity of length `speed` ≤ 2^15 in the direction of `v`, after noise. `v` (Q14) may have any length up to 2^29.
/// The random vector is added to `v` before the sum is brought to the length `speed`.
#[inline(always)]
pub fn at_speed<V: Lanes, const AXES: usize>(
    v: [V; AXES],
    speed: V,
    noise: &NoiseNumbers,
    draws: &Draws<V, AXES>,
) -> [V; AXES] {
    let v = with_vector(v, speed, noise.vector, draws.vector);
    turned_by_angles(v, noise, draws)
}

/// Turns a velocity by the uniform angle, and then by the normal angle.
#[inline(always)]
fn turned_by_angles<V: Lanes, const AXES: usize>(
    v: [V; AXES],
    noise: &NoiseNumbers,
    draws: &Draws<V, AXES>,
) -> [V; AXES] {
    let v = if noise.angle != 0 { turned(v, noise, draws.angle) } else { v };
    if noise.deviation != 0 { turned_by_normal(v, noise.deviation, draws) } else { v }
}

/// Adds a vector to v and brings the sum to the length `speed` ≤ 2^15. The added vector has the length part·speed.
/// `part` (Q14) is at most 2. `direction` has the length [`ONE`].
///
/// v' = speed · (v + part·speed·n) / |v + part·speed·n|, and v if the sum is 0. n: `direction` as a unit vector
#[inline(always)]
pub fn with_vector<V: Lanes, const AXES: usize>(v: [V; AXES], speed: V, part: i32, direction: [V; AXES]) -> [V; AXES] {
    let size = speed.multiply(V::splat(part)).round_shift::<14>();
    with_length(add(v, round_shift::<V, AXES, 14>(scale(direction, size))), speed, v)
}

/// Turns a velocity by a random angle. η is twice [`NoiseNumbers::angle`], the angle from one side to the other.
///
/// In a flat world the velocity turns by φ = n·η/2. n is uniform within ±1.
///
/// In a deep world the new direction is uniform in the cap of directions within η/2 of the old one. n is a direction,
/// uniform on the sphere, at an angle θ from v. v turns towards n by φ with sin(φ/2) = sin(η/4)·sin(θ/2). cos θ is
/// uniform from -1 to 1, so cos φ is uniform from cos(η/2) to 1.
#[inline(always)]
fn turned<V: Lanes, const AXES: usize>(v: [V; AXES], noise: &NoiseNumbers, n: [V; AXES]) -> [V; AXES] {
    if AXES == 3 {
        return turned_deep(v, noise.chord, n);
    }
    let angle = n[0].multiply(V::splat(noise.angle)).round_shift::<14>();
    // A random angle that is not interpolated is at most `noise.angle`.
    let is_small = noise.angle < EIGHTH && !noise.is_interpolated();
    let [cosine, sine] = if is_small { cosine_and_sine_of_small(angle) } else { cosine_and_sine(angle) };
    rotated(v, [cosine, sine])
}

/// A vector of a flat world, turned by the angle with this cosine and sine (Q15).
#[inline(always)]
fn rotated<V: Lanes, const AXES: usize>(mut v: [V; AXES], [cosine, sine]: [V; 2]) -> [V; AXES] {
    let x = v[0].multiply(cosine).subtract(v[1].multiply(sine));
    let y = v[0].multiply(sine).add(v[1].multiply(cosine));
    v[0] = x.round_shift::<15>();
    v[1] = y.round_shift::<15>();
    v
}

/// Turns a velocity by a normal random angle φ = n·σ. `deviation`: σ ([`NoiseNumbers::deviation`]). In a deep world it
/// turns by |φ| towards a random side: a wrapped normal distribution, as in Couzin and others 2002.
///
/// v' = cos φ·v + sin φ·|v|·e,  with e the direction of s - (s·v̂)v̂ for the random direction s
#[inline(always)]
fn turned_by_normal<V: Lanes, const AXES: usize>(v: [V; AXES], deviation: i32, draws: &Draws<V, AXES>) -> [V; AXES] {
    let angle = draws.normal.multiply(V::splat(deviation)).round_shift::<DEVIATION_BITS>();
    if AXES == 2 {
        return rotated(v, cosine_and_sine(angle));
    }
    // The side is uniform around v, so the sign of the sine does not matter.
    let [cosine, sine] = cosine_and_sine(angle);
    let way = normalise(v);
    let mut along = V::splat(0);
    for axis in 0..AXES {
        along = along.add(draws.side[axis].multiply(way[axis]));
    }
    let across = subtract(draws.side, round_shift::<V, AXES, 14>(scale(way, along.round_shift::<14>())));
    let aside = stretch(across, length(across), sine.abs().round_shift::<1>());
    with_length(add(round_shift::<V, AXES, 15>(scale(way, cosine)), aside), nearest_length(v), v)
}

/// [`turned`] in a deep world. `chord`: sin(η/4) (Q15). n: the random direction, at an angle θ from v. φ: the angle of
/// the turn.
///
/// cos φ = 1 - D²/2,  sin φ = D·√(1 - D²/4),  with D = 2 sin(φ/2) = sin(η/4)·d,  d = |n - v/|v|| = 2 sin(θ/2)
#[inline(always)]
fn turned_deep<V: Lanes, const AXES: usize>(v: [V; AXES], chord: i32, n: [V; AXES]) -> [V; AXES] {
    let splat = V::splat;
    let way = normalise(v);
    let mut along = splat(0);
    for axis in 0..AXES {
        along = along.add(n[axis].multiply(way[axis]));
    }
    let across = subtract(n, round_shift::<V, AXES, 14>(scale(way, along.round_shift::<14>())));
    let own = length(subtract(n, way)).multiply(splat(chord)).round_shift::<15>().min(splat(2 * ONE));
    let cosine = splat(ONE).subtract(own.multiply(own).round_shift::<15>());
    let root = splat(4 * ONE * ONE).subtract(own.multiply(own)).square_root();
    let sine = own.multiply(root).round_shift::<15>();
    let aside = stretch(across, length(across), sine);
    with_length(add(round_shift::<V, AXES, 14>(scale(way, cosine)), aside), nearest_length(v), v)
}
