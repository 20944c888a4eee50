//! Advect: every cell takes what its neighbours give it, and their headings with it.
//!
//! D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
//! The weights are the shares >> k, k the least with D' >> k < 2^17, so that the sums fit in 32 bits.

use super::{RowKernel, Scene};
use crate::fields::{Around, Cells};
use crate::lanes::Lanes;
use crate::vector::{pack, select, unpack};

/// What cells give along x, along y and along both.
pub type Outflows<'a> = [Around<'a>; 3];

/// What comes to some cells: how much, and Σ w, Σ w·V_x and Σ w·V_y over it.
struct Arriving<L> {
    /// How far the weights are shifted; `None`: not at all.
    shift: Option<L>,
    now: L,
    weight: L,
    heading: [L; 2],
}

impl<L: Lanes> Arriving<L> {
    /// Adds boids that came with these headings.
    #[inline(always)]
    fn add(&mut self, amount: L, v: [L; 2]) {
        self.now = self.now.wrapping_add(amount);
        let Some(bits) = self.shift else {
            // What overflows here is worked out again with a shift.
            self.weight = self.now;
            self.heading[0] = self.heading[0].wrapping_add(amount.wrapping_multiply(v[0]));
            self.heading[1] = self.heading[1].wrapping_add(amount.wrapping_multiply(v[1]));
            return;
        };
        let part = amount.shift_right_unsigned_by(bits);
        self.weight = self.weight.add(part);
        self.heading[0] = self.heading[0].add(part.multiply(v[0]));
        self.heading[1] = self.heading[1].add(part.multiply(v[1]));
    }

    /// All that stays in the cells from x on and all that comes to them.
    #[inline(always)]
    fn gather(shift: Option<L>, density: Cells<'_, L>, control: Cells<'_, L>, outflows: [Cells<'_, L>; 3]) -> Self {
        let nothing = L::splat(0);
        let mut arriving = Self { shift, now: nothing, weight: nothing, heading: [nothing; 2] };
        let here = density.here();
        let mut stays = here;
        for along in 0..3 {
            stays = stays.wrapping_subtract(outflows[along].here());
        }
        let has_enough = here.min_unsigned(stays).equals(stays);
        debug_assert!(!L::splat(-1).wrapping_subtract(has_enough).any(), "a cell gives no more than it has");
        arriving.add(stays, unpack(control.here()));
        // Spelt out neighbour by neighbour, with the signs that V has where it points here.
        macro_rules! from {
            ($offset:expr, $along:literal, |$v_x:ident, $v_y:ident| $points_here:expr) => {
                let amount = outflows[$along].beside($offset);
                let [$v_x, $v_y]: [L; 2] = unpack(control.beside($offset));
                arriving.add($points_here.select(amount, nothing), [$v_x, $v_y]);
            };
        }
        from!([-1, -1], 2, |v_x, v_y| nothing.subtract(v_x).and(nothing.subtract(v_y)));
        from!([0, -1], 1, |v_x, v_y| nothing.subtract(v_y));
        from!([1, -1], 2, |v_x, v_y| v_x.and(nothing.subtract(v_y)));
        from!([-1, 0], 0, |v_x, v_y| nothing.subtract(v_x));
        from!([1, 0], 0, |v_x, v_y| v_x);
        from!([-1, 1], 2, |v_x, v_y| nothing.subtract(v_x).and(v_y));
        from!([0, 1], 1, |v_x, v_y| v_y);
        from!([1, 1], 2, |v_x, v_y| v_x.and(v_y));
        arriving
    }
}

/// Fills row y of D' and of V'', halos included, from D, V' and the outflows.
#[inline(always)]
pub fn take<L: Lanes>(
    scene: &Scene<'_>,
    density: &Around<'_>,
    control: &Around<'_>,
    outflows: &Outflows<'_>,
    out_density: &mut [i32],
    out_control: &mut [i32],
) {
    let carries = scene.parameters.carry != 0;
    for x in scene.chunks::<L>() {
        let (density, control) = (density.cells(x), control.cells(x));
        let outflows = [outflows[0].cells(x), outflows[1].cells(x), outflows[2].cells(x)];
        let mut arriving = Arriving::<L>::gather(None, density, control, outflows);
        arriving.now.store(scene.at(out_density, x));
        let own = control.here();
        if !carries {
            own.store(scene.at(out_control, x));
            continue;
        }
        // Where no cell holds two boids nothing is shifted; that was taken for granted so far.
        let shift = L::splat(15).subtract(arriving.now.leading_zeros().min(L::splat(15)));
        if L::splat(0).less_than(shift).any() {
            arriving = Arriving::gather(Some(shift), density, control, outflows);
        }
        let divisor = arriving.weight.divisor();
        let mean = [arriving.heading[0].quotient(divisor), arriving.heading[1].quotient(divisor)];
        pack(select(arriving.now.equals(L::splat(0)), unpack(own), mean)).store(scene.at(out_control, x));
    }
}

/// Fills rows of D' and of V''. Reads the density, the control vector and the three outflows.
pub struct Advect;

impl RowKernel for Advect {
    #[inline(always)]
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]) {
        let [density, control, along_x, along_y, along_both] = *scene.read else {
            unreachable!("advect reads five fields")
        };
        let [out_density, out_control] = write else { unreachable!("advect writes two fields") };
        let outflows = [along_x.around(y), along_y.around(y), along_both.around(y)];
        take::<L>(scene, &density.around(y), &control.around(y), &outflows, out_density, out_control);
    }
}
