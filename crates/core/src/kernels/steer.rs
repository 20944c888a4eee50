//! Steer: the control vector of the next movement, from the sum of the rules' vectors.
//!
//! V' = limit( round(keep·V) + Σ w_i·v_i )

use super::context::{PassContext, RowKernel};
use super::parameters::Parameters;
use crate::lanes::Lanes;
use crate::vector::{add, limit, pack, round_shift, scale, unpack, zero};

/// V' (Q14) from V (Q14) and Σ w·v (Q20).
#[inline(always)]
pub fn control_of_steering<L: Lanes>(own: [L; 2], weighted_sum: [L; 2], parameters: &Parameters) -> [L; 2] {
    let kept = round_shift::<L, 2, 10>(scale(own, L::splat(parameters.keep)));
    let wanted = add(kept, round_shift::<L, 2, 6>(weighted_sum));
    limit(wanted, parameters.cruise, parameters.max)
}

/// Fills rows of V'. Reads the control vector and every vector that the chain lists after it.
pub struct Steer;

impl RowKernel for Steer {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (control, rules) = (context.read[0], &context.read[1..]);
        for x in context.chunks::<L>() {
            let mut sum = zero();
            for (rule, weight) in rules.iter().zip(context.parameters.weights) {
                sum = add(sum, scale(unpack(rule.lanes(x, y)), L::splat(weight)));
            }
            let v = control_of_steering(unpack(control.lanes(x, y)), sum, context.parameters);
            pack(v).store(context.at(write[0], x));
        }
    }
}
