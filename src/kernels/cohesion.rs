//! Cohesion: the way to the centre of the boids in sight.
//!
//! v_c = Σ s·p(x+s) / Σ p(x+s) / R — the paper's equation 2, scaled by the sight's reach R.

use super::neighbourhood::{fill, running_sums};
use super::{Band, Scene, perceive};
use crate::fields::LANES;
use crate::numbers::{RULE_LIMIT, Vector, clamp_components, pack, ratio};

/// v_c (Q10) from Σ s·p and Σ p.
#[inline(always)]
pub fn cohesion(centre: Vector, seen: i32, reach: i32) -> Vector {
    // Where nothing is seen the sum is zero too, and so is the rule.
    let seen = (seen * reach).max(1);
    clamp_components([ratio(centre[0], seen), ratio(centre[1], seen)], RULE_LIMIT)
}

/// Fills rows of v_c. Reads the density.
#[inline(always)]
pub fn rows(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    let sight = scene.sight.expect("cohesion looks through a sight");
    let density = scene.read[0];
    let stage = |y: i32, words: &mut [i32], _: usize| {
        let row = density.span(-(scene.halo as i32), y, scene.stride);
        for (staged, density) in words.iter_mut().zip(row) {
            *staged = perceive(*density, scene.parameters);
        }
    };
    let finish = |_: i32, _: i32, sums: &super::neighbourhood::Sums, out: &mut [u32; LANES]| {
        for i in 0..LANES {
            out[i] = pack(cohesion([sums.x[i], sums.y[i]], sums.seen[i], sight.reach));
        }
    };
    if !sight.is_dense() {
        return fill(scene, band, 1, stage, |staged, x| staged.weighted(&sight.vectors, &sight.vectors, x), finish);
    }
    let stage_sums = |y: i32, words: &mut [i32], width: usize| {
        stage(y, words, width);
        let (seen, of_column) = words.split_at_mut(width);
        seen[scene.stride..].fill(0);
        for (column, (out, p)) in of_column.iter_mut().zip(&*seen).enumerate() {
            *out = (column as i32).wrapping_mul(*p);
        }
        running_sums(seen);
        running_sums(of_column);
    };
    fill(scene, band, 2, stage_sums, |staged, x| staged.weighted_over_runs(&sight.runs, x), finish);
}
