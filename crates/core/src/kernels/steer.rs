//! Steer: the control vector of the next movement.
//!
//! V' = limit( round(keep·V) + Σ w_i·v_i ) — the total control vector, the sum of those of the rules.

use super::parameters::Parameters;
use super::{RowKernel, Scene};
use crate::lanes::Lanes;
use crate::vector::{add, limit, pack, round_shift, scale, unpack, zero};

/// V' (Q14) from V (Q14) and Σ w·v (Q20).
#[inline(always)]
pub fn steer<L: Lanes>(control: [L; 2], weighted_sum: [L; 2], parameters: &Parameters) -> [L; 2] {
    let kept = round_shift::<L, 2, 10>(scale(control, L::splat(parameters.keep)));
    let wanted = add(kept, round_shift::<L, 2, 6>(weighted_sum));
    limit(wanted, parameters.cruise, parameters.max)
}

/// Fills rows of V'. Reads the control vector and every vector that the chain lists after it.
pub struct Steer;

impl RowKernel for Steer {
    #[inline(always)]
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (control, rules) = (scene.read[0], &scene.read[1..]);
        for x in scene.chunks::<L>() {
            let mut sum = zero();
            for (rule, weight) in rules.iter().zip(scene.parameters.weights) {
                sum = add(sum, scale(unpack(rule.lanes(x, y)), L::splat(weight)));
            }
            let v = steer(unpack(control.lanes(x, y)), sum, scene.parameters);
            pack(v).store(scene.at(write[0], x));
        }
    }
}
