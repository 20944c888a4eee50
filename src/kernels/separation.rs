//! Separation: away from boids that are near, the more so the nearer they are.
//!
//! v_s = - Σ p(x+s) · s/|s|² / crowd — the paper's equation 3, scaled by a reference density.

use super::neighbourhood::{Sums, fill};
use super::{Band, Scene, perceive};
use crate::fields::LANES;
use crate::numbers::{RULE_LIMIT, Vector, pack, quotient};

/// v_s (Q10) from Σ p·s/|s|² (Q10). `crowd` is below 2^19.
#[inline(always)]
pub fn separation(pressure: Vector, crowd: i32) -> Vector {
    // Held within four crowds before it is divided, so that the quotient is small.
    let most = RULE_LIMIT * crowd;
    [-quotient(pressure[0].clamp(-most, most), crowd), -quotient(pressure[1].clamp(-most, most), crowd)]
}

/// Fills rows of v_s. Reads the density.
#[inline(always)]
pub fn rows(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    let sight = scene.sight.expect("separation looks through a sight");
    let density = scene.read[0];
    let stage = |y: i32, words: &mut [i32], _: usize| {
        let row = density.span(-(scene.halo as i32), y, scene.stride);
        for (staged, density) in words.iter_mut().zip(row) {
            *staged = perceive(*density, scene.parameters);
        }
    };
    let finish = |_: i32, _: i32, sums: &Sums, out: &mut [u32; LANES]| {
        for i in 0..LANES {
            out[i] = pack(separation([sums.x[i], sums.y[i]], scene.parameters.crowd));
        }
    };
    fill(scene, band, 1, stage, |staged, x| staged.weighted(&sight.vectors, &sight.pulls, x), finish);
}
