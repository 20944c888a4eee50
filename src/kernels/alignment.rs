//! Alignment: towards the mean heading of the boids in sight.
//!
//! v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x) — the paper's equation 4.

use super::neighbourhood::{Sums, fill, running_sums};
use super::{Band, Scene, perceive};
use crate::fields::LANES;
use crate::numbers::{Vector, pack, quotient, round_shift, unpack};

/// A control vector as it enters sums: Q14 to Q10.
#[inline(always)]
pub fn summed(control: Vector) -> Vector {
    [round_shift(control[0], 4), round_shift(control[1], 4)]
}

/// v_a (Q10) from Σ V·p (Q10), Σ p and the cell's own V (Q14); zero where nothing is seen.
#[inline(always)]
pub fn alignment(momentum: Vector, seen: i32, control: Vector) -> Vector {
    let own = summed(control);
    let divisor = seen.max(1);
    let mean = [quotient(momentum[0], divisor), quotient(momentum[1], divisor)];
    if seen == 0 { [0, 0] } else { [mean[0] - own[0], mean[1] - own[1]] }
}

/// Fills rows of v_a. Reads the density and the control vector.
#[inline(always)]
pub fn rows(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    let sight = scene.sight.expect("alignment looks through a sight");
    let (density, control) = (scene.read[0], scene.read[1]);
    let stage = |y: i32, words: &mut [i32], width: usize| {
        let halo = -(scene.halo as i32);
        let (density, control) = (density.span(halo, y, scene.stride), control.span(halo, y, scene.stride));
        let (seen, momentum) = words.split_at_mut(width);
        let (of_x, of_y) = momentum.split_at_mut(width);
        let staged = seen.iter_mut().zip(of_x).zip(of_y);
        for (((seen, of_x), of_y), (density, control)) in staged.zip(density.iter().zip(control)) {
            let v = summed(unpack(*control));
            *seen = perceive(*density, scene.parameters);
            *of_x = v[0] * *seen;
            *of_y = v[1] * *seen;
        }
    };
    let finish = |x: i32, y: i32, sums: &Sums, out: &mut [u32; LANES]| {
        let own = control.lanes(x, y);
        for i in 0..LANES {
            out[i] = pack(alignment([sums.x[i], sums.y[i]], sums.seen[i], unpack(own[i])));
        }
    };
    if !sight.is_dense() {
        return fill(scene, band, 3, stage, |staged, x| staged.plain(&sight.vectors, x), finish);
    }
    let stage_sums = |y: i32, words: &mut [i32], width: usize| {
        stage(y, words, width);
        for row in words.chunks_mut(width) {
            row[scene.stride..].fill(0);
            running_sums(row);
        }
    };
    fill(scene, band, 3, stage_sums, |staged, x| staged.plain_over_runs(&sight.runs, x), finish);
}
