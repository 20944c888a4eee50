//! Advect: every cell takes what its neighbours give it, and their headings with it.
//!
//! D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
//! The weights are the shares >> k, k the least with D' >> k < 2^17, so that the sums fit in 32 bits.

use super::Scene;
use crate::fields::LANES;
use crate::numbers::{pack, quotient, unpack};

/// The eight neighbours.
const NEIGHBOURS: [[i32; 2]; 8] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// How far the shares of a cell are shifted to weigh its mean heading.
#[inline(always)]
fn weight_shift(now: u32) -> u32 {
    15 - now.leading_zeros().min(15)
}

/// Whether V at the offset `from` points here on an axis; an axis on which the giver is level does not matter.
#[inline(always)]
fn points_here(from: i32, component: i32) -> bool {
    from == 0 || component * from < 0
}

/// Fills a row of D' and of V''. Reads the density, the control vector and the three outflows.
#[inline(always)]
pub fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
    let [density, control, along_x, along_y, along_both] = scene.read else { unreachable!("advect reads five fields") };
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
                let comes = points_here(dx, v[0]) && points_here(dy, v[1]);
                received[i] = if comes { amounts[i] } else { 0 };
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
        let (mut weight, mut sum_x, mut sum_y) = ([0i32; LANES], [0i32; LANES], [0i32; LANES]);
        let mut add = |amounts: &[u32; LANES], vectors: &[u32; LANES]| {
            for i in 0..LANES {
                let share = (amounts[i] >> weight_shift(now[i])) as i32;
                let v = unpack(vectors[i]);
                weight[i] += share;
                sum_x[i] += share * v[0];
                sum_y[i] += share * v[1];
            }
        };
        add(&stayed, own);
        for (received, [dx, dy]) in received.iter().zip(NEIGHBOURS) {
            add(received, control.lanes(x + dx, y + dy));
        }
        for i in 0..LANES {
            let divisor = weight[i].max(1);
            let mean = pack([quotient(sum_x[i], divisor), quotient(sum_y[i], divisor)]);
            out[i] = if now[i] == 0 { own[i] } else { mean };
        }
    }
}
