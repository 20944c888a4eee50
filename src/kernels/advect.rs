//! Advect: every cell takes what its neighbours give it, and their headings with it.
//!
//! D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
//! The weights are the shares >> k, k the least with D' >> k < 2^17, so that the sums fit in 32 bits.

use super::{RowKernel, Scene};
use crate::fields::LANES;
use crate::numbers::{if_negative, pack, quotient, unpack};

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

/// Fills rows of D' and of V''. Reads the density, the control vector and the three outflows.
pub struct Advect;

impl RowKernel for Advect {
    #[inline(always)]
    fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
        let [density, control, along_x, along_y, along_both] = scene.read else {
            unreachable!("advect reads five fields")
        };
        let [out_density, out_control] = write else { unreachable!("advect writes two fields") };
        let carry = scene.parameters.carry != 0;
        for x in scene.chunks() {
            let here = density.lanes(x, y);
            let given = [along_x.lanes(x, y), along_y.lanes(x, y), along_both.lanes(x, y)];
            let mut stayed = [0u32; LANES];
            for i in 0..LANES {
                stayed[i] = here[i] - given[0][i] - given[1][i] - given[2][i];
            }
            let mut now = stayed;
            let mut received = [[0u32; LANES]; 8];
            for (received, [dx, dy]) in received.iter_mut().zip(NEIGHBOURS) {
                let outflow = match (dx, dy) {
                    (_, 0) => along_x,
                    (0, _) => along_y,
                    _ => along_both,
                };
                let (amounts, vectors) = (outflow.lanes(x + dx, y + dy), control.lanes(x + dx, y + dy));
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
                let divisor = mean.weight[i].max(1);
                let v = pack([quotient(mean.x[i], divisor), quotient(mean.y[i], divisor)]);
                out[i] = if_negative(-i32::from(now[i] == 0), own[i], v);
            }
        }
    }
}
