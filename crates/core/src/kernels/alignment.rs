//! Alignment: towards the mean velocity of the boids in sight.
//!
//! v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x) — the paper's equation 4.

use super::context::{PassContext, RowKernel, perceive};
use crate::lanes::Lanes;
use crate::vector::{add, pack, quotient, round_shift, scale, select, subtract, unpack, zero};

/// A control vector (Q14) in the unit of sums and rules (Q10).
#[inline(always)]
pub fn to_q10<L: Lanes>(control: [L; 2]) -> [L; 2] {
    round_shift::<L, 2, 4>(control)
}

/// v_a (Q10) from Σ V·p (Q10), Σ p and the cell's own V (Q14); zero if nothing is seen.
#[inline(always)]
pub fn control_of_alignment<L: Lanes>(momentum: [L; 2], seen: L, own: [L; 2]) -> [L; 2] {
    let mean = quotient(momentum, seen.divisor());
    select(seen.equals(L::splat(0)), zero(), subtract(mean, to_q10(own)))
}

/// Fills rows of v_a. Reads the density and the control vector.
pub struct Alignment;

impl RowKernel for Alignment {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, control, sight) = (context.read[0], context.read[1], context.sight());
        for x in context.chunks::<L>() {
            let (mut seen, mut momentum) = (L::splat(0), zero());
            for s in &sight.vectors {
                let p: L = perceive(density.lanes(x + s[0], y + s[1]), context.parameters);
                seen = seen.add(p);
                momentum = add(momentum, scale(to_q10(unpack(control.lanes(x + s[0], y + s[1]))), p));
            }
            let v = control_of_alignment(momentum, seen, unpack(control.lanes(x, y)));
            pack(v).store(context.at(write[0], x));
        }
    }
}
