//! Histograms of the density over the lattice, and their distance.

use super::grain::CoarseDensity;

/// The number of bins: a grain without a boid, with 1, with 2 to 3, with 4 to 7, and so on. A grain has less than 2^28 boids.
pub const BINS: usize = 30;

/// The share of the free cells in each bin, by the boids in their grains rounded to nearest.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram(pub [f64; BINS]);

impl Histogram {
    /// The histogram of a density. Bins of doubling width have the same relative width for thin swarms and for crowds. Rounding
    /// to whole boids lets densities and individuals share bins.
    pub fn of(coarse: &CoarseDensity) -> Self {
        let mut counts = [0u64; BINS];
        for boids in (0..coarse.extents.cells()).filter_map(|index| coarse.boids(index)) {
            counts[bin(boids)] += 1;
        }
        let all = counts.iter().sum::<u64>().max(1) as f64;
        Self(counts.map(|count| count as f64 / all))
    }

    /// The Jensen–Shannon distance, 0 (equal) to 1 (disjoint): the root of ½·Σ p·log₂(p/m) + ½·Σ q·log₂(q/m) with
    /// m = (p + q)/2. It is a metric and is defined for empty bins.
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

    /// The number of bins up to the last that is not empty.
    pub fn used(&self) -> usize {
        self.0.iter().rposition(|share| *share > 0.0).map_or(1, |last| last + 1)
    }
}

fn bin(boids: u64) -> usize {
    ((u64::BITS - boids.leading_zeros()) as usize).min(BINS - 1)
}

/// The least number of boids in the grains of a bin.
pub fn least(bin: usize) -> u64 {
    if bin == 0 { 0 } else { 1 << (bin - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
