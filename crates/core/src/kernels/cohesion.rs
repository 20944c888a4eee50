//! Cohesion: towards the centre of the boids in sight.
//!
//! v_c = Σ s·p(x+s) / Σ p(x+s) / R — the paper's equation 2, scaled by the sight's reach R.

use super::context::{PassContext, RowKernel, perceive};
use crate::lanes::Lanes;
use crate::numbers::RULE_LIMIT;
use crate::vector::{add, clamp_components, pack, ratio, scale, zero};

/// v_c (Q10) from Σ s·p and Σ p; zero if nothing is seen, because then the first sum is zero too.
#[inline(always)]
pub fn control_of_cohesion<L: Lanes>(centre: [L; 2], seen: L, reach: i32) -> [L; 2] {
    clamp_components(ratio(centre, seen.multiply(L::splat(reach)).divisor()), RULE_LIMIT)
}

/// Fills rows of v_c. Reads the density.
pub struct Cohesion;

impl RowKernel for Cohesion {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, sight) = (context.read[0], context.sight());
        for x in context.chunks::<L>() {
            let (mut seen, mut centre) = (L::splat(0), zero());
            for s in &sight.vectors {
                let p: L = perceive(density.lanes(x + s[0], y + s[1]), context.parameters);
                seen = seen.add(p);
                centre = add(centre, scale([L::splat(s[0]), L::splat(s[1])], p));
            }
            pack(control_of_cohesion(centre, seen, sight.reach)).store(context.at(write[0], x));
        }
    }
}
