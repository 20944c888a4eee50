//! Separation: away from boids that are near, the more so the nearer they are.
//!
//! v_s = - Σ p(x+s) · s/|s|² / crowd — the paper's equation 3, scaled by a reference density.

use super::neighbourhood::{Perceiving, Staged, Sums, rows};
use super::{Band, PreparedSight, Scene};
use crate::fields::LANES;
use crate::numbers::{Divisor, RULE_LIMIT, Vector, pack};

/// v_s (Q10) from Σ p·s/|s|² (Q10). `crowd` is below 2^19.
#[inline(always)]
pub fn separation(pressure: Vector, crowd: i32) -> Vector {
    // Held within four crowds before it is divided, so that the quotient is small.
    let most = RULE_LIMIT * crowd;
    let divisor = Divisor::new(crowd);
    [-divisor.quotient(pressure[0].clamp(-most, most)), -divisor.quotient(pressure[1].clamp(-most, most))]
}

/// Fills rows of v_s. Reads the density.
#[inline(always)]
pub fn play(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    rows(ByVectors(scene.sight()), scene, band);
}

/// Stages p.
struct ByVectors<'a>(&'a PreparedSight);

impl Perceiving for ByVectors<'_> {
    const QUANTITIES: usize = 1;

    #[inline(always)]
    fn sums(&self, staged: &Staged<'_>, x: i32) -> Sums {
        staged.weighted(&self.0.vectors, &self.0.pulls, x)
    }

    #[inline(always)]
    fn finish(&self, scene: &Scene<'_>, _: i32, _: i32, sums: &Sums, out: &mut [u32; LANES]) {
        for i in 0..LANES {
            out[i] = pack(separation([sums.x[i], sums.y[i]], scene.parameters.crowd));
        }
    }
}
