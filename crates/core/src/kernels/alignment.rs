//! Alignment: towards the mean heading of the boids in sight.
//!
//! v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x) — the paper's equation 4.

use super::{RowKernel, Scene, perceived};
use crate::lanes::Lanes;
use crate::vector::{add, pack, round_shift, scale, select, subtract, unpack, zero};

/// A control vector as it enters sums: Q14 to Q10.
#[inline(always)]
pub fn summed<L: Lanes>(control: [L; 2]) -> [L; 2] {
    round_shift::<L, 2, 4>(control)
}

/// v_a (Q10) from Σ V·p (Q10), Σ p and the cell's own V (Q14); zero where nothing is seen.
#[inline(always)]
pub fn alignment<L: Lanes>(momentum: [L; 2], seen: L, control: [L; 2]) -> [L; 2] {
    let (divisor, sees_none) = (seen.divisor(), seen.equals(L::splat(0)));
    let mean = [momentum[0].quotient(divisor), momentum[1].quotient(divisor)];
    select(sees_none, zero(), subtract(mean, summed(control)))
}

/// Fills rows of v_a. Reads the density and the control vector.
pub struct Alignment;

impl RowKernel for Alignment {
    #[inline(always)]
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, control, sight) = (scene.read[0], scene.read[1], scene.sight());
        for x in scene.chunks::<L>() {
            let (mut seen, mut momentum) = (L::splat(0), zero());
            for s in &sight.vectors {
                let p: L = perceived(density.lanes(x + s[0], y + s[1]), scene.parameters);
                seen = seen.add(p);
                momentum = add(momentum, scale(summed(unpack(control.lanes(x + s[0], y + s[1]))), p));
            }
            let v = alignment(momentum, seen, unpack(control.lanes(x, y)));
            pack(v).store(scene.at(write[0], x));
        }
    }
}
