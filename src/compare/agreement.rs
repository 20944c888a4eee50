//! The agreement of two swarms: the distance of the histograms of their densities, and their overlap. A random sample
//! of a density shows the agreement that is expected by chance.

use super::grain::CoarseDensity;
use murmuration_core::numbers::BOID;
use murmuration_core::numbers::random::generator;
use murmuration_core::state::State;

/// The purpose of the random numbers of a sample is this number plus the step. Starts and brushes have smaller
/// purposes.
const PURPOSE: u64 = 1 << 40;

/// The overlap of two swarms, from 0 to 1: 2·Σ min(a, b) / Σ (a + b), with the mean densities a and b of both swarms
/// around each cell. For equal numbers of boids it is the share of boids that need not move to make the swarms equal.
/// `None` without boids.
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

/// A random sample of a density. It has one individual for each whole boid of the state. Their cells are drawn
/// independently, with the density as the distribution. Control vectors are 0.
pub fn sampled(state: &State, seed: u64, step: u64) -> State {
    let mut random = generator(seed, PURPOSE + step);
    let mut total = 0;
    let sum = |quanta: &u32| {
        total += u64::from(*quanta);
        total
    };
    let up_to: Vec<u64> = state.layers[0].density.iter().map(sum).collect();
    let mut sample = State::empty(state.extents);
    for _ in 0..total / u64::from(BOID) {
        let quantum = random.below(total);
        let cell = up_to.partition_point(|up_to| *up_to <= quantum);
        // A cell holds at most 65 535 boids.
        sample.layers[0].density[cell] = sample.layers[0].density[cell].saturating_add(BOID);
    }
    sample
}

/// The number of bins of a histogram. The bins count grains with 0, 1, 2 to 3, 4 to 7, … boids. A grain has less than
/// 2^28 boids.
pub const BINS: usize = 30;

/// The share of the free cells in each bin. A cell is in the bin of the number of boids in its grain, rounded to
/// nearest.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram(pub [f64; BINS]);

impl Histogram {
    /// The histogram of a density. Bins of doubling width are equally fine for thin swarms and for crowds. Whole
    /// numbers of boids allow a comparison of densities with individuals.
    pub fn new(coarse: &CoarseDensity) -> Self {
        let mut counts = [0u64; BINS];
        for boids in (0..coarse.extents.cells()).filter_map(|index| coarse.boids(index)) {
            counts[bin(boids)] += 1;
        }
        let all = counts.iter().sum::<u64>().max(1) as f64;
        Self(counts.map(|count| count as f64 / all))
    }

    /// The Jensen–Shannon distance of two histograms, from 0 (equal) to 1 (disjoint):
    /// √(½·Σ p·log₂(p/m) + ½·Σ q·log₂(q/m)). The sums run over the bins, p and q are the shares of a bin in both
    /// histograms, and m = (p + q)/2. The distance is a metric and is defined for empty bins.
    pub fn distance(&self, other: &Self) -> f64 {
        let towards = |p: f64, m: f64| if p > 0.0 { p * (p / m).log2() } else { 0.0 };
        let both = self.0.iter().zip(&other.0);
        let divergence: f64 = both
            .map(|(p, q)| {
                let mean = (p + q) / 2.0;
                (towards(*p, mean) + towards(*q, mean)) / 2.0
            })
            .sum();
        divergence.clamp(0.0, 1.0).sqrt()
    }

    /// The number of bins up to the last bin that is not empty.
    pub fn used(&self) -> usize {
        self.0.iter().rposition(|share| *share > 0.0).map_or(1, |last| last + 1)
    }
}

fn bin(boids: u64) -> usize {
    ((u64::BITS - boids.leading_zeros()) as usize).min(BINS - 1)
}

/// The minimum number of boids in a grain of this bin.
pub fn least(bin: usize) -> u64 {
    if bin == 0 { 0 } else { 1 << (bin - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::world::{Edges, Extents, World};

    const EXTENTS: Extents = Extents::flat(12, 10);

    fn coarse(cells: &[(usize, u32)]) -> CoarseDensity {
        let world = World::empty(EXTENTS, Edges::Torus);
        let mut state = State::empty(EXTENTS);
        cells.iter().for_each(|(index, quanta)| state.layers[0].density[*index] = *quanta);
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
        (state.layers[0].density[5], state.layers[0].density[6], state.layers[0].density[99]) =
            (40 * BOID, BOID / 2, 59 * BOID + BOID / 2);
        let sample = sampled(&state, 1, 0);
        assert_eq!(sample.total(), 100 * u64::from(BOID));
        let elsewhere = sample.layers[0].density.iter().enumerate().filter(|(cell, _)| ![5, 6, 99].contains(cell));
        assert!(elsewhere.into_iter().all(|(_, quanta)| *quanta == 0));
        // The expected number is 40 boids, with a standard deviation of 4.9 by the binomial law.
        assert!((25..=55).contains(&(sample.layers[0].density[5] / BOID)), "{}", sample.layers[0].density[5] / BOID);
        assert_eq!(sampled(&state, 1, 0), sample);
        assert_ne!(sampled(&state, 1, 1), sample);
        assert_eq!(sampled(&State::empty(EXTENTS), 1, 0).total(), 0);
    }

    fn shares(first: &[f64]) -> Histogram {
        let mut bins = [0.0; BINS];
        bins[..first.len()].copy_from_slice(first);
        Histogram(bins)
    }

    #[test]
    fn bins_double() {
        assert_eq!([0, 1, 2, 3, 4, 7, 8].map(bin), [0, 1, 2, 2, 3, 3, 4]);
        assert_eq!(bin(u64::MAX), BINS - 1);
        assert!((1..BINS - 1).all(|number| bin(least(number)) == number && bin(2 * least(number) - 1) == number));
    }

    #[test]
    fn the_distance_is_0_for_equal_and_1_for_disjoint_histograms() {
        let [half, first, second] = [shares(&[0.5, 0.5]), shares(&[1.0]), shares(&[0.0, 1.0])];
        assert_eq!(half.distance(&half), 0.0);
        assert_eq!(first.distance(&second), 1.0);
        // ½·(½·log₂(½/¾) + ½·log₂(½/¼)) + ½·log₂(1/¾), by hand.
        let by_hand: f64 = 0.5 * (0.5 * (2.0f64 / 3.0).log2() + 0.5) + 0.5 * (4.0f64 / 3.0).log2();
        assert!((half.distance(&first) - by_hand.sqrt()).abs() < 1e-12);
        assert_eq!(half.distance(&first), first.distance(&half));
    }
}
