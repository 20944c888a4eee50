//! The agreement of two swarms, and the greatest agreement that chance leaves between points and a density.

use super::grain::CoarseDensity;
use crate::numbers::BOID;
use crate::random::generator;
use crate::state::State;

/// The purpose of the random numbers here, plus the step. Starts and brushes have smaller ones.
const PURPOSE: u64 = 1 << 40;

/// The share of both swarms that is in the same places: 2·Σ min(a, b) / Σ (a + b) over the mean densities, 0 to 1. For equal
/// numbers of boids it is the share that need not move to make the swarms equal. `None` without boids.
pub fn overlap(one: &CoarseDensity, other: &CoarseDensity) -> Option<f64> {
    let (mut common, mut all) = (0.0, 0.0);
    for index in 0..one.extents.cells() {
        if let (Some(a), Some(b)) = (one.density(index), other.density(index)) {
            common += a.min(b);
            all += a + b;
        }
    }
    (all > 0.0).then(|| (2.0 * common / all).min(1.0))
}

/// A random sample of a density: as many individuals as the state has whole boids, each drawn independently with the density
/// as its distribution. A model of points can agree with a density at most this well on average. Control vectors are 0.
pub fn sampled(state: &State, seed: u64, step: u64) -> State {
    let mut random = generator(seed, PURPOSE + step);
    let mut total = 0;
    let sum = |quanta: &u32| {
        total += u64::from(*quanta);
        total
    };
    let up_to: Vec<u64> = state.density.iter().map(sum).collect();
    let mut sample = State::empty(state.extents);
    for _ in 0..total / u64::from(BOID) {
        let quantum = random.below(total);
        let cell = up_to.partition_point(|up_to| *up_to <= quantum);
        // A cell holds at most 65 535 boids.
        sample.density[cell] = sample.density[cell].saturating_add(BOID);
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, Extents, World};

    const EXTENTS: Extents = Extents { width: 12, height: 10 };

    fn coarse(cells: &[(usize, u32)]) -> CoarseDensity {
        let world = World {
            extents: EXTENTS,
            edges: Edges::Torus,
            margin: 0,
            capacity: u32::MAX,
            solids: Default::default(),
            hunter: None,
        };
        let mut state = State::empty(EXTENTS);
        cells.iter().for_each(|(index, quanta)| state.density[*index] = *quanta);
        CoarseDensity::new(&state, &world, 1)
    }

    #[test]
    fn an_overlap_is_the_share_that_need_not_move() {
        let one = coarse(&[(0, BOID), (7, 3 * BOID)]);
        assert_eq!(overlap(&one, &one), Some(1.0));
        assert_eq!(overlap(&one, &coarse(&[(1, 4 * BOID)])), Some(0.0));
        assert_eq!(overlap(&one, &coarse(&[(7, 4 * BOID)])), Some(0.75));
        assert_eq!(overlap(&coarse(&[]), &coarse(&[])), None);
        assert_eq!(overlap(&coarse(&[]), &one), Some(0.0));
    }

    #[test]
    fn a_sample_has_as_many_boids_in_the_same_places() {
        let mut state = State::empty(EXTENTS);
        (state.density[5], state.density[6], state.density[99]) = (40 * BOID, BOID / 2, 59 * BOID + BOID / 2);
        let sample = sampled(&state, 1, 0);
        assert_eq!(sample.total(), 100 * u64::from(BOID));
        let elsewhere = sample.density.iter().enumerate().filter(|(cell, _)| ![5, 6, 99].contains(cell));
        assert!(elsewhere.into_iter().all(|(_, quanta)| *quanta == 0));
        // 40 ± 4.9 by the binomial law.
        assert!((25..=55).contains(&(sample.density[5] / BOID)), "{}", sample.density[5] / BOID);
        assert_eq!(sampled(&state, 1, 0), sample);
        assert_ne!(sampled(&state, 1, 1), sample);
        assert_eq!(sampled(&State::empty(EXTENTS), 1, 0).total(), 0);
    }
}
