//! Steer: the control vector of the next movement.
//!
//! V' = limit( round(keep·V) + Σ w_i·v_i ) — the total control vector, the sum of those of the rules.

use super::parameters::Parameters;
use super::{RowKernel, Scene};
use crate::fields::LANES;
use crate::numbers::{Vector, limit, pack, round_shift, unpack};

/// V' (Q14) from V (Q14) and Σ w·v (Q20).
#[inline(always)]
pub fn steer(control: Vector, weighted_sum: Vector, parameters: &Parameters) -> Vector {
    let wanted = |axis: usize| round_shift(parameters.keep * control[axis], 10) + round_shift(weighted_sum[axis], 6);
    limit([wanted(0), wanted(1)], parameters.cruise, parameters.max)
}

/// Fills rows of V'. Reads the control vector and every vector that the chain lists after it.
pub struct Steer;

impl RowKernel for Steer {
    #[inline(always)]
    fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
        for x in scene.chunks() {
            let (mut sum_x, mut sum_y) = ([0i32; LANES], [0i32; LANES]);
            for (rule, weight) in scene.read[1..].iter().zip(scene.parameters.weights) {
                let vectors = rule.lanes(x, y);
                for i in 0..LANES {
                    let v = unpack(vectors[i]);
                    sum_x[i] += weight * v[0];
                    sum_y[i] += weight * v[1];
                }
            }
            let control = scene.read[0].lanes(x, y);
            let out = scene.lanes_mut(write[0], x);
            for i in 0..LANES {
                out[i] = pack(steer(unpack(control[i]), [sum_x[i], sum_y[i]], scene.parameters));
            }
        }
    }
}
