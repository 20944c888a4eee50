//! Cohesion: the way to the centre of the boids in sight.
//!
//! v_c = Σ s·p(x+s) / Σ p(x+s) / R — the paper's equation 2, scaled by the sight's reach R.

use super::{RowKernel, Scene, perceived};
use crate::lanes::Lanes;
use crate::numbers::RULE_LIMIT;
use crate::vector::{add, clamp_components, pack, scale, zero};

/// v_c (Q10) from Σ s·p and Σ p.
#[inline(always)]
pub fn cohesion<L: Lanes>(centre: [L; 2], seen: L, reach: i32) -> [L; 2] {
    // Where nothing is seen the sum is zero too, and so is the rule.
    let divisor = seen.multiply(L::splat(reach)).divisor();
    clamp_components([centre[0].ratio(divisor), centre[1].ratio(divisor)], RULE_LIMIT)
}

/// Fills rows of v_c. Reads the density.
pub struct Cohesion;

impl RowKernel for Cohesion {
    #[inline(always)]
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, sight) = (scene.read[0], scene.sight());
        for x in scene.chunks::<L>() {
            let (mut seen, mut centre) = (L::splat(0), zero());
            for s in &sight.vectors {
                let p: L = perceived(density.lanes(x + s[0], y + s[1]), scene.parameters);
                seen = seen.add(p);
                centre = add(centre, scale([L::splat(s[0]), L::splat(s[1])], p));
            }
            pack(cohesion(centre, seen, sight.reach)).store(scene.at(write[0], x));
        }
    }
}
