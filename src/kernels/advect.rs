//! Advect: every cell takes what its neighbours give it, and their headings with it.
//!
//! D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
//! The weights are the shares >> k, k the least with D' >> k < 2^17, so that the sums fit in 32 bits.

use super::{RowKernel, Scene};
use crate::fields::{FieldView, LANES};
use crate::numbers::{Divisor, if_negative, pack, unpack};

/// The eight neighbours.
const NEIGHBOURS: [[i32; 2]; 8] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// How far the shares of a cell are shifted to weigh its mean heading.
#[inline(always)]
fn weight_shift(now: u32) -> u32 {
    15 - now.leading_zeros().min(15)
}

/// Negative where V at the offset `from` points here on an axis; an axis on which the giver is level does not matter.
#[inline(always)]
fn points_here(from: i32, component: i32) -> i32 {
    match from {
        0 => -1,
        1 => component,
        _ => -component,
    }
}

/// A weighted mean of headings under way: Σ w, Σ w·V_x and Σ w·V_y.
struct Mean {
    weight: [i32; LANES],
    x: [i32; LANES],
    y: [i32; LANES],
}

impl Mean {
    /// Adds the boids that came with these headings, their weights shifted by `shift`.
    #[inline(always)]
    fn add(&mut self, amounts: &[u32; LANES], shift: &[u32; LANES], headings: &[u32; LANES]) {
        // Where no cell of the chunk holds two boids nothing is shifted, which spares SSE2 what it cannot do at once.
        let mut shares = *amounts;
        if *shift != [0; LANES] {
            for i in 0..LANES {
                shares[i] >>= shift[i];
            }
        }
        for i in 0..LANES {
            let share = shares[i] as i32;
            let v = unpack(headings[i]);
            self.weight[i] += share;
            self.x[i] += share * v[0];
            self.y[i] += share * v[1];
        }
    }
}

/// What cells give: along x, along y and along both.
pub trait Outflows {
    /// What a chunk of cells of row y gives, from x on; `along`: 0 for x, 1 for y, 2 for both.
    fn lanes(&self, along: usize, x: i32, y: i32) -> &[u32; LANES];
}

impl Outflows for [FieldView<'_>; 3] {
    #[inline(always)]
    fn lanes(&self, along: usize, x: i32, y: i32) -> &[u32; LANES] {
        self[along].lanes(x, y)
    }
}

/// Fills rows of D' and of V''. Reads the density, the control vector and the three outflows.
pub struct Advect;

impl RowKernel for Advect {
    #[inline(always)]
    fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
        let [density, control, along_x, along_y, along_both] = *scene.read else {
            unreachable!("advect reads five fields")
        };
        let [out_density, out_control] = write else { unreachable!("advect writes two fields") };
        let outflows = [along_x, along_y, along_both];
        advect(scene, density, control, &outflows, y, out_density, out_control);
    }
}

/// Fills row y of D' and of V''.
#[inline(always)]
pub fn advect<O: Outflows>(
    scene: &Scene<'_>,
    density: FieldView<'_>,
    control: FieldView<'_>,
    outflows: &O,
    y: i32,
    out_density: &mut [u32],
    out_control: &mut [u32],
) {
    let carry = scene.parameters.carry != 0;
    for x in scene.chunks() {
        let here = density.lanes(x, y);
        let given = [outflows.lanes(0, x, y), outflows.lanes(1, x, y), outflows.lanes(2, x, y)];
        let mut stayed = [0u32; LANES];
        for i in 0..LANES {
            stayed[i] = here[i] - given[0][i] - given[1][i] - given[2][i];
        }
        let mut now = stayed;
        let mut received = [[0u32; LANES]; 8];
        for (received, [dx, dy]) in received.iter_mut().zip(NEIGHBOURS) {
            let along = match (dx, dy) {
                (_, 0) => 0,
                (0, _) => 1,
                _ => 2,
            };
            let (amounts, vectors) = (outflows.lanes(along, x + dx, y + dy), control.lanes(x + dx, y + dy));
            for i in 0..LANES {
                let v = unpack(vectors[i]);
                received[i] = if_negative(points_here(dx, v[0]) & points_here(dy, v[1]), amounts[i], 0);
                now[i] += received[i];
            }
        }
        scene.lanes_mut(out_density, x).copy_from_slice(&now);

        let own = control.lanes(x, y);
        let out = scene.lanes_mut(out_control, x);
        if !carry {
            out.copy_from_slice(own);
            continue;
        }
        let mut mean = Mean { weight: [0; LANES], x: [0; LANES], y: [0; LANES] };
        let mut shift = [0; LANES];
        for i in 0..LANES {
            shift[i] = weight_shift(now[i]);
        }
        mean.add(&stayed, &shift, own);
        for (received, [dx, dy]) in received.iter().zip(NEIGHBOURS) {
            mean.add(received, &shift, control.lanes(x + dx, y + dy));
        }
        for i in 0..LANES {
            let divisor = Divisor::new(mean.weight[i]);
            let v = pack([divisor.quotient(mean.x[i]), divisor.quotient(mean.y[i])]);
            out[i] = if_negative(-i32::from(now[i] == 0), own[i], v);
        }
    }
}
