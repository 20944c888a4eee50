//! Separation: away from boids that are near, the more so the nearer they are.
//!
//! v_s = - Σ p(x+s) · s/|s|² / crowd — the paper's equation 3, scaled by a reference density.

use super::{RowKernel, Scene, perceived};
use crate::lanes::Lanes;
use crate::numbers::RULE_LIMIT;
use crate::vector::{add, clamp_components, negate, pack, scale, zero};

/// v_s (Q10) from Σ p·s/|s|² (Q10). `crowd` is below 2^19.
#[inline(always)]
pub fn separation<L: Lanes>(pressure: [L; 2], crowd: i32) -> [L; 2] {
    // Held within four crowds before it is divided, so that the quotient is small.
    let held = clamp_components(pressure, RULE_LIMIT * crowd);
    let divisor = L::splat(crowd).divisor();
    negate([held[0].quotient(divisor), held[1].quotient(divisor)])
}

/// Fills rows of v_s. Reads the density.
pub struct Separation;

impl RowKernel for Separation {
    #[inline(always)]
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, sight) = (scene.read[0], scene.sight());
        for x in scene.chunks::<L>() {
            let mut pressure = zero();
            for (s, pull) in sight.vectors.iter().zip(&sight.pulls) {
                let p: L = perceived(density.lanes(x + s[0], y + s[1]), scene.parameters);
                pressure = add(pressure, scale([L::splat(pull[0]), L::splat(pull[1])], p));
            }
            pack(separation(pressure, scene.parameters.crowd)).store(scene.at(write[0], x));
        }
    }
}
