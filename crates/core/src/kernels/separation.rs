//! Separation: away from near boids, the more so the nearer they are.
//!
//! v_s = - Σ p(x+s) · s/|s|² / crowd — the paper's equation 3, scaled by a reference density.

use super::context::{PassContext, RowKernel, perceive};
use crate::lanes::Lanes;
use crate::numbers::RULE_LIMIT;
use crate::vector::{add, clamp_components, negate, pack, quotient, scale, zero};

/// v_s (Q10) from Σ p·s/|s|² (Q10). `crowd` is below 2^19.
#[inline(always)]
pub fn control_of_separation<L: Lanes>(pressure: [L; 2], crowd: i32) -> [L; 2] {
    // Clamped to four crowds before the division, so that the quotient is within its domain.
    let held = clamp_components(pressure, RULE_LIMIT * crowd);
    negate(quotient(held, L::splat(crowd).divisor()))
}

/// Fills rows of v_s. Reads the density.
pub struct Separation;

impl RowKernel for Separation {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, sight) = (context.read[0], context.sight());
        for x in context.chunks::<L>() {
            let mut pressure = zero();
            for (s, pull) in sight.vectors.iter().zip(&sight.pulls) {
                let p: L = perceive(density.lanes(x + s[0], y + s[1]), context.parameters);
                pressure = add(pressure, scale([L::splat(pull[0]), L::splat(pull[1])], p));
            }
            pack(control_of_separation(pressure, context.parameters.crowd)).store(context.at(write[0], x));
        }
    }
}
