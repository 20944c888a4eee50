//! Cohesion: the way to the centre of the boids in sight.
//!
//! v_c = Σ s·p(x+s) / Σ p(x+s) / R — the paper's equation 2, scaled by the sight's reach R.

use super::neighbourhood::{Perceiving, Staged, Sums, rows, running_sums};
use super::{Band, PreparedSight, Scene, stage_perceived};
use crate::fields::LANES;
use crate::numbers::{Divisor, RULE_LIMIT, Vector, clamp_components, pack};

/// v_c (Q10) from Σ s·p and Σ p.
#[inline(always)]
pub fn cohesion(centre: Vector, seen: i32, reach: i32) -> Vector {
    // Where nothing is seen the sum is zero too, and so is the rule.
    let divisor = Divisor::new(seen * reach);
    clamp_components([divisor.ratio(centre[0]), divisor.ratio(centre[1])], RULE_LIMIT)
}

/// Fills rows of v_c. Reads the density.
#[inline(always)]
pub fn play(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    let sight = scene.sight();
    if sight.has_runs() { rows(ByRuns(sight), scene, band) } else { rows(ByVectors(sight), scene, band) }
}

/// Stages p.
struct ByVectors<'a>(&'a PreparedSight);

/// Stages the running sums of p and of column·p.
struct ByRuns<'a>(&'a PreparedSight);

impl Perceiving for ByVectors<'_> {
    const QUANTITIES: usize = 1;

    #[inline(always)]
    fn sums(&self, staged: &Staged<'_>, x: i32) -> Sums {
        staged.weighted(&self.0.vectors, &self.0.vectors, x)
    }

    #[inline(always)]
    fn finish(&self, _: &Scene<'_>, _: i32, _: i32, sums: &Sums, out: &mut [u32; LANES]) {
        finish(sums, self.0.reach, out);
    }
}

impl Perceiving for ByRuns<'_> {
    const QUANTITIES: usize = 2;

    #[inline(always)]
    fn stage(&self, scene: &Scene<'_>, y: i32, words: &mut [i32], width: usize) {
        let (seen, of_column) = words.split_at_mut(width);
        stage_perceived(scene, y, seen);
        for (column, (out, p)) in of_column.iter_mut().zip(&*seen).enumerate() {
            *out = (column as i32).wrapping_mul(*p);
        }
        running_sums(seen);
        running_sums(of_column);
    }

    #[inline(always)]
    fn sums(&self, staged: &Staged<'_>, x: i32) -> Sums {
        staged.weighted_over_runs(&self.0.runs, x)
    }

    #[inline(always)]
    fn finish(&self, _: &Scene<'_>, _: i32, _: i32, sums: &Sums, out: &mut [u32; LANES]) {
        finish(sums, self.0.reach, out);
    }
}

#[inline(always)]
fn finish(sums: &Sums, reach: i32, out: &mut [u32; LANES]) {
    for i in 0..LANES {
        out[i] = pack(cohesion([sums.x[i], sums.y[i]], sums.seen[i], reach));
    }
}
