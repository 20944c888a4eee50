//! Alignment: towards the mean heading of the boids in sight.
//!
//! v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x) — the paper's equation 4.

use super::neighbourhood::{Perceiving, Staged, Sums, rows, running_sums};
use super::{Band, PreparedSight, Scene, perceive};
use crate::fields::LANES;
use crate::numbers::{Divisor, Vector, pack, round_shift, unpack};

/// A control vector as it enters sums: Q14 to Q10.
#[inline(always)]
pub fn summed(control: Vector) -> Vector {
    [round_shift(control[0], 4), round_shift(control[1], 4)]
}

/// v_a (Q10) from Σ V·p (Q10), Σ p and the cell's own V (Q14); zero where nothing is seen.
#[inline(always)]
pub fn alignment(momentum: Vector, seen: i32, control: Vector) -> Vector {
    let own = summed(control);
    let divisor = Divisor::new(seen);
    let mean = [divisor.quotient(momentum[0]), divisor.quotient(momentum[1])];
    if seen == 0 { [0, 0] } else { [mean[0] - own[0], mean[1] - own[1]] }
}

/// Fills rows of v_a. Reads the density and the control vector.
#[inline(always)]
pub fn play(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    let sight = scene.sight();
    if sight.has_runs() { rows(ByRuns(sight), scene, band) } else { rows(ByVectors(sight), scene, band) }
}

/// Stages p, V_x·p and V_y·p.
struct ByVectors<'a>(&'a PreparedSight);

/// Stages their running sums.
struct ByRuns<'a>(&'a PreparedSight);

impl Perceiving for ByVectors<'_> {
    const QUANTITIES: usize = 3;

    #[inline(always)]
    fn stage(&self, scene: &Scene<'_>, y: i32, words: &mut [i32], width: usize) {
        stage(scene, y, words, width);
    }

    #[inline(always)]
    fn sums(&self, staged: &Staged<'_>, x: i32) -> Sums {
        staged.plain(&self.0.vectors, x)
    }

    #[inline(always)]
    fn finish(&self, scene: &Scene<'_>, x: i32, y: i32, sums: &Sums, out: &mut [u32; LANES]) {
        finish(scene, x, y, sums, out);
    }
}

impl Perceiving for ByRuns<'_> {
    const QUANTITIES: usize = 3;

    #[inline(always)]
    fn stage(&self, scene: &Scene<'_>, y: i32, words: &mut [i32], width: usize) {
        stage(scene, y, words, width);
        for row in words.chunks_mut(width) {
            running_sums(row);
        }
    }

    #[inline(always)]
    fn sums(&self, staged: &Staged<'_>, x: i32) -> Sums {
        staged.plain_over_runs(&self.0.runs, x)
    }

    #[inline(always)]
    fn finish(&self, scene: &Scene<'_>, x: i32, y: i32, sums: &Sums, out: &mut [u32; LANES]) {
        finish(scene, x, y, sums, out);
    }
}

#[inline(always)]
fn stage(scene: &Scene<'_>, y: i32, words: &mut [i32], width: usize) {
    let halo = -(scene.halo as i32);
    let density = scene.read[0].span(halo, y, scene.stride);
    let control = scene.read[1].span(halo, y, scene.stride);
    let (seen, momentum) = words.split_at_mut(width);
    let (of_x, of_y) = momentum.split_at_mut(width);
    let (seen, of_x, of_y) = (&mut seen[..scene.stride], &mut of_x[..scene.stride], &mut of_y[..scene.stride]);
    for i in 0..scene.stride {
        let (p, v) = (perceive(density[i], scene.parameters), summed(unpack(control[i])));
        seen[i] = p;
        of_x[i] = v[0] * p;
        of_y[i] = v[1] * p;
    }
}

#[inline(always)]
fn finish(scene: &Scene<'_>, x: i32, y: i32, sums: &Sums, out: &mut [u32; LANES]) {
    let own = scene.read[1].lanes(x, y);
    for i in 0..LANES {
        out[i] = pack(alignment([sums.x[i], sums.y[i]], sums.seen[i], unpack(own[i])));
    }
}
