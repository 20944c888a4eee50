//! Advect: every cell receives what its neighbours give it, together with their control vectors.
//!
//! D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
//!
//! The weights are the amounts >> k, with k the least for which D' >> k < 2^17, so that the sums fit in 32 bits.

use super::context::{PassContext, RowKernel};
use crate::fields::{Neighbourhood, ThreeRows};
use crate::lanes::Lanes;
use crate::vector::{pack, quotient, select, unpack};

/// The amounts that cells give along x, along y and along both.
pub type Outflows<'a> = [ThreeRows<'a>; 3];

/// What cells receive, from themselves and their neighbours: the amount, the sum of the weights w and Σ w·V.
struct Received<L> {
    /// The shift k of the weights; `None`: 0 everywhere.
    shift: Option<L>,
    amount: L,
    weight: L,
    momentum: [L; 2],
}

impl<L: Lanes> Received<L> {
    /// Adds an amount that comes with a control vector.
    #[inline(always)]
    fn add(&mut self, amount: L, v: [L; 2]) {
        self.amount = self.amount.wrapping_add(amount);
        let Some(shift) = self.shift else {
            // Where this overflows, the sums are made again with a shift.
            self.weight = self.amount;
            self.momentum[0] = self.momentum[0].wrapping_add(amount.wrapping_multiply(v[0]));
            self.momentum[1] = self.momentum[1].wrapping_add(amount.wrapping_multiply(v[1]));
            return;
        };
        let weight = amount.shift_right_unsigned_by(shift);
        self.weight = self.weight.add(weight);
        self.momentum[0] = self.momentum[0].add(weight.multiply(v[0]));
        self.momentum[1] = self.momentum[1].add(weight.multiply(v[1]));
    }

    /// All that stays in the cells and all that comes to them.
    #[inline(always)]
    fn gather(
        shift: Option<L>,
        density: Neighbourhood<'_, L>,
        control: Neighbourhood<'_, L>,
        outflows: [Neighbourhood<'_, L>; 3],
    ) -> Self {
        let zero = L::splat(0);
        let mut received = Self { shift, amount: zero, weight: zero, momentum: [zero; 2] };
        let here = density.centre();
        let mut stays = here;
        for direction in 0..3 {
            stays = stays.wrapping_subtract(outflows[direction].centre());
        }
        let has_enough = here.min_unsigned(stays).equals(stays);
        debug_assert!(!L::splat(-1).wrapping_subtract(has_enough).any(), "a cell gives no more than it has");
        received.add(stays, unpack(control.centre()));
        // Neighbour by neighbour: its outflow in this direction, if the signs of its V point here.
        macro_rules! from {
            ($offset:expr, $direction:literal, |$v_x:ident, $v_y:ident| $points_here:expr) => {
                let amount = outflows[$direction].neighbour($offset);
                let [$v_x, $v_y]: [L; 2] = unpack(control.neighbour($offset));
                received.add($points_here.select(amount, zero), [$v_x, $v_y]);
            };
        }
        from!([-1, -1], 2, |v_x, v_y| zero.subtract(v_x).and(zero.subtract(v_y)));
        from!([0, -1], 1, |v_x, v_y| zero.subtract(v_y));
        from!([1, -1], 2, |v_x, v_y| v_x.and(zero.subtract(v_y)));
        from!([-1, 0], 0, |v_x, v_y| zero.subtract(v_x));
        from!([1, 0], 0, |v_x, v_y| v_x);
        from!([-1, 1], 2, |v_x, v_y| zero.subtract(v_x).and(v_y));
        from!([0, 1], 1, |v_x, v_y| v_y);
        from!([1, 1], 2, |v_x, v_y| v_x.and(v_y));
        received
    }
}

/// Fills row y of D' and of V'' from D, V' and the outflows.
#[inline(always)]
pub fn receive<L: Lanes>(
    context: &PassContext<'_>,
    density: &ThreeRows<'_>,
    control: &ThreeRows<'_>,
    outflows: &Outflows<'_>,
    out_density: &mut [i32],
    out_control: &mut [i32],
) {
    let carries = context.parameters.carry != 0;
    for x in context.chunks::<L>() {
        let (density, control) = (density.at(x), control.at(x));
        let outflows = [outflows[0].at(x), outflows[1].at(x), outflows[2].at(x)];
        let mut received = Received::<L>::gather(None, density, control, outflows);
        received.amount.store(context.at(out_density, x));
        let own = control.centre();
        if !carries {
            own.store(context.at(out_control, x));
            continue;
        }
        // If no cell holds more than 2^17 quanta, the shift is 0, as assumed in the first pass.
        let shift = L::splat(15).subtract(received.amount.leading_zeros().min(L::splat(15)));
        if L::splat(0).less_than(shift).any() {
            received = Received::gather(Some(shift), density, control, outflows);
        }
        let mean = quotient(received.momentum, received.weight.divisor());
        pack(select(received.amount.equals(L::splat(0)), unpack(own), mean)).store(context.at(out_control, x));
    }
}

/// Fills rows of D' and of V''. Reads the density, the control vector and the three outflows.
pub struct Advect;

impl RowKernel for Advect {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let [density, control, along_x, along_y, along_both] = *context.read else {
            unreachable!("advect reads five fields")
        };
        let [out_density, out_control] = write else { unreachable!("advect writes two fields") };
        let outflows = [along_x.three_rows(y), along_y.three_rows(y), along_both.three_rows(y)];
        let (density, control) = (density.three_rows(y), control.three_rows(y));
        receive::<L>(context, &density, &control, &outflows, out_density, out_control);
    }
}
