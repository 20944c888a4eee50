//! Tests with swarms of known statistics, and samples compared with all pairs.

use super::fluctuations::{MeanFluctuations, NumberFluctuations};
use super::neighbours::NeighbourDirections;
use super::pairs::{MeanCorrelation, PairStatistics};
use super::*;
use crate::numbers::random::{Random, generator};
use crate::numbers::{BOID, ONE, Vector3};
use crate::parallel::ThreadPool;
use crate::state::State;
use crate::world::{Edges, Extents, PLACE_BITS};
use std::f64::consts::{PI, TAU};

const CELL: i32 = 1 << PLACE_BITS;

/// Individuals at random places. `velocity` gives the velocity at a place.
fn anywhere(count: u32, space: &Space, seed: u64, velocity: impl Fn(Vector3, &mut Random) -> Vector3) -> Individuals {
    let mut random = generator(seed, 3);
    let mut all = Individuals::default();
    for number in 0..count {
        let place = [0, 1, 2].map(|axis| {
            if axis < space.axes() { random.below(u64::from(space.extents[axis]) << PLACE_BITS) as i32 } else { 0 }
        });
        let velocity = velocity(place, &mut random);
        all.push(number, place, velocity);
    }
    all
}

fn flat(edges: Edges) -> Space {
    Space { extents: [80, 60, 1], edges }
}

fn deep(edges: Edges) -> Space {
    Space { extents: [60, 50, 40], edges }
}

fn still(_: Vector3, _: &mut Random) -> Vector3 {
    [0; 3]
}

/// For independent boids, g(r) is 1 within its standard error in every bin of every world.
#[test]
fn independent_boids_have_a_pair_distribution_of_1() {
    for space in [flat(Edges::Torus), flat(Edges::Walls), deep(Edges::Torus), deep(Edges::Walls)] {
        let sample = Sample::from_individuals(&anywhere(2000, &space, 5, still), 1);
        let PairStatistics { distribution, distribution_error, pairs, width, .. } =
            PairStatistics::new(&sample, &space);
        let mut far = 0;
        let mut bins = 0;
        for (bin, value) in distribution.iter().enumerate() {
            let Some(value) = value.filter(|_| pairs[bin] > 400) else { continue };
            far += usize::from((value - 1.0).abs() > 4.0 * distribution_error[bin].unwrap());
            bins += 1;
        }
        assert!(bins > 30 && far <= bins / 20, "{space:?}: {far} of {bins}");
        let last = distribution.iter().rposition(Option::is_some).unwrap();
        let least = f64::from(space.extents[..space.axes()].iter().copied().min().unwrap());
        assert!(((last + 1) as f64 * width - least / 2.0).abs() <= width, "{space:?}: {last}");
    }
}

/// If the velocities along x are a wave of wavelength L, C(r) = J₀(2πr/L) in the plane, with the first zero at 2.405 L
/// / 2π.
#[test]
fn a_wave_has_the_correlation_length_of_theory() {
    let space = Space { extents: [64, 64, 1], edges: Edges::Torus };
    let wave = |[x, ..]: Vector3, _: &mut Random| {
        let phase = f64::from(x) / f64::from(CELL) / 64.0 * TAU;
        [(phase.sin() * 8000.0) as i32 + 3000, 100, 0]
    };
    let sample = Sample::from_individuals(&anywhere(2000, &space, 9, wave), 1);
    let PairStatistics { correlation, correlation_length, correlation_length_error, greatest_distance, .. } =
        PairStatistics::new(&sample, &space);
    // The bins end at half of the side.
    assert!((greatest_distance.unwrap() - 32.0).abs() < 0.1, "{greatest_distance:?}");
    let expected = 2.404_825_557_695_773 * 64.0 / TAU;
    let (length, error) = (correlation_length.unwrap(), correlation_length_error.unwrap());
    assert!((length - expected).abs() < (4.0 * error).min(1.0), "{length} ± {error}, and not {expected}");
    assert!((correlation[3].unwrap() - 1.0).abs() < 0.1, "{:?}", correlation[3]);
}

#[test]
fn the_greatest_distance_is_that_of_the_farthest_pair() {
    let space = Space { extents: [100, 100, 1], edges: Edges::Walls };
    let greatest = |places: &[Vector3]| {
        let mut all = Individuals::default();
        places.iter().enumerate().for_each(|(number, place)| {
            all.push(number as u32, place.map(|cells| cells * CELL), [ONE / 2, 0, 0]);
        });
        PairStatistics::new(&Sample::from_individuals(&all, 1), &space).greatest_distance
    };
    assert_eq!(greatest(&[[10, 10, 0]]), None);
    let found = greatest(&[[10, 10, 0], [40, 50, 0], [20, 20, 0]]).unwrap();
    assert!((found - 50.0).abs() < 0.2, "{found}");
    // Pairs beyond the last bin are left out.
    let found = greatest(&[[0, 0, 0], [99, 99, 0], [3, 4, 0]]).unwrap();
    assert!((found - 5.0).abs() < 0.2, "{found}");
}

/// 400 boids have noisy velocities with a weak wave. Their correlation length is near the theory. Narrower bins would
/// find a zero that is only noise.
#[test]
fn the_correlation_length_of_a_small_swarm_is_no_zero_of_noise() {
    let space = Space { extents: [64, 64, 1], edges: Edges::Torus };
    let noisy_wave = |[x, ..]: Vector3, random: &mut Random| {
        let phase = f64::from(x) / f64::from(CELL) / 64.0 * TAU;
        [(phase.sin() * 6000.0) as i32 + random.around(9000) as i32, random.around(3000) as i32, 0]
    };
    let expected = 2.404_825_557_695_773 * 64.0 / TAU;
    let mut mean = MeanCorrelation::default();
    let mut lengths = Vec::new();
    for seed in 0..40 {
        let sample = Sample::from_individuals(&anywhere(400, &space, seed, noisy_wave), 1);
        let pairs = PairStatistics::new(&sample, &space);
        lengths.push(pairs.correlation_length.unwrap());
        mean.add(&pairs);
    }
    let of_samples = lengths.iter().sum::<f64>() / lengths.len() as f64;
    assert!((of_samples - expected).abs() < 0.15 * expected, "{of_samples}, and not {expected}: {lengths:?}");
    let of_mean = mean.length().unwrap();
    assert!((of_mean - expected).abs() < 0.05 * expected, "{of_mean}, and not {expected}");
    assert_eq!(MeanCorrelation::default().length(), None);
}

/// A correlation that is shorter than a joined bin is found in bins with fewer pairs. A swarm whose nearest pairs are
/// not correlated has no correlation length, whatever the noise at large distances.
#[test]
fn a_short_correlation_is_not_taken_for_a_long_one() {
    // 30 pairs in each bin. C is positive in the nearest bins, negative up to bin 100, and noise of both signs beyond.
    let length_of = |nearest: usize| {
        let correlation = |bin: usize| match bin {
            _ if bin < nearest => 1.0,
            _ if bin < 100 => -0.5,
            _ => [0.4, -0.4][bin / 40 % 2],
        };
        let mut mean = MeanCorrelation::default();
        mean.add(&PairStatistics {
            width: 1.0,
            pairs: vec![30; pairs::BINS],
            correlation: (0..pairs::BINS).map(|bin| Some(correlation(bin))).collect(),
            correlation_error: Vec::new(),
            correlation_length: None,
            correlation_length_error: None,
            greatest_distance: None,
            distribution: Vec::new(),
            distribution_error: Vec::new(),
        });
        mean.length()
    };
    assert_eq!(length_of(0), None);
    for nearest in [2, 4, 8] {
        let length = length_of(nearest).unwrap();
        assert!((length - nearest as f64).abs() < nearest as f64, "{length} and {nearest}");
    }
    assert!(length_of(40).unwrap() > 32.0);
}

/// The values of a sample agree with the values of all boids within a few standard errors. The number of threads and
/// the order of individuals change no bit.
#[test]
fn a_sample_is_near_all_pairs() {
    let space = flat(Edges::Torus);
    let turning = |[x, y, _]: Vector3, random: &mut Random| {
        let phase = f64::from(x + y) / f64::from(CELL) / 40.0;
        let noise = random.around(3000) as i32;
        [(phase.sin() * 9000.0) as i32 + noise, (phase.cos() * 4000.0) as i32, 0]
    };
    let all = anywhere(6000, &space, 21, turning);
    let whole = PairStatistics::new(&Sample::with_most(&all, 1, 6000), &space);
    let sample = Sample::from_individuals(&all, 1);
    assert!(sample.boids.len() == MAX_SAMPLED && !sample.is_whole);
    let drawn = PairStatistics::new(&sample, &space);
    let (mut far, mut bins) = (0, 0);
    for bin in (0..pairs::BINS).filter(|bin| drawn.pairs[*bin] > 400) {
        let apart = (drawn.correlation[bin].unwrap() - whole.correlation[bin].unwrap()).abs();
        far += usize::from(apart > 4.0 * drawn.correlation_error[bin].unwrap());
        bins += 1;
    }
    assert!(bins > 200 && far <= bins / 20, "{far} of {bins}");
    let apart = (drawn.correlation_length.unwrap() - whole.correlation_length.unwrap()).abs();
    assert!(apart < 4.0 * drawn.correlation_length_error.unwrap() + drawn.width, "{apart}");
    let mut backwards = Individuals::default();
    for index in (0..all.len()).rev() {
        backwards.push(all.numbers[index], all.position(index), all.velocity(index));
    }
    let with = |individuals: &Individuals, threads| {
        let pool = ThreadPool::new(Some(threads), "test").unwrap();
        let swarm = Swarm::Individuals(individuals.clone(), Default::default());
        pool.install(|| Statistics::new(0, &swarm, &space, 1, Some(&all)))
    };
    assert_eq!(with(&all, 1), with(&backwards, 3));
}

/// Independent boids have ΔN = √N. A lattice with equal numbers of boids in all cells has ΔN = 0.
#[test]
fn independent_boids_have_fluctuations_of_the_root() {
    for space in [flat(Edges::Torus), deep(Edges::Walls)] {
        let all = anywhere(20_000, &space, 33, still);
        let NumberFluctuations { means, deviations, exponent, sides } = NumberFluctuations::new(&all, &space);
        assert!((exponent.unwrap() - 0.5).abs() < 0.1, "{space:?}: {exponent:?} {means:?} {deviations:?}");
        assert_eq!((sides[0], sides[1]), (1, 2));
        let cells: f64 = space.extents.iter().map(|extent| f64::from(*extent)).product();
        assert!((means[0] - 20_000.0 / cells).abs() < 1e-9);
    }
    let mut state = State::empty(Extents::flat(32, 32));
    state.layers[0].density.fill(2 * BOID);
    let space = Space { extents: [32, 32, 1], edges: Edges::Torus };
    let NumberFluctuations { means, deviations, .. } =
        NumberFluctuations::new(&crate::measures::SlabBodies::whole(&state), &space);
    assert_eq!((means, deviations), (vec![2.0, 8.0, 32.0], vec![0.0; 3]));
}

/// The exponent of independent boids is ½ without bias, for worlds that boxes fill and for worlds that they do not.
#[test]
fn the_exponent_of_independent_boids_has_no_bias() {
    for extents in [[64, 64, 1], [75, 61, 1], [32, 32, 32]] {
        let space = Space { extents, edges: Edges::Torus };
        let exponents = (0..12).map(|run| {
            let mut mean = MeanFluctuations::default();
            for seed in 0..8 {
                mean.add(&NumberFluctuations::new(&anywhere(6000, &space, 8 * run + seed, still), &space));
            }
            mean.exponent().unwrap()
        });
        let exponents: Vec<_> = exponents.collect();
        let count = exponents.len() as f64;
        let mean = exponents.iter().sum::<f64>() / count;
        let variance = exponents.iter().map(|exponent| (exponent - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let error = (variance / count).sqrt();
        assert!((mean - 0.5).abs() < 3.5 * error && error < 0.005, "{extents:?}: {mean} ± {error}");
    }
    assert_eq!(MeanFluctuations::default().exponent(), None);
}

/// For isotropic neighbours γ is 1 / axes. On a lattice that is denser across the direction of motion, the nearest
/// neighbours are at the sides, and γ is 1.
#[test]
fn neighbours_beside_those_who_fly_raise_gamma() {
    for space in [flat(Edges::Torus), deep(Edges::Torus)] {
        let all = anywhere(6000, &space, 41, |_, _| [ONE / 2, 0, 0]);
        let sample = Sample::from_individuals(&all, 2);
        let NeighbourDirections { gamma, isotropic, distances } = NeighbourDirections::new(&all, &sample, &space);
        assert_eq!(isotropic, 1.0 / space.axes() as f64);
        assert!(distances.windows(2).all(|pair| pair[0] < pair[1]), "{distances:?}");
        assert!(gamma.iter().all(Option::is_some));
    }
    let space = Space { extents: [60, 60, 1], edges: Edges::Torus };
    let mut all = Individuals::default();
    for number in 0..600 {
        // Three cells apart along x, the direction of motion, and two cells along y.
        let place = [number % 20 * 3 * CELL, number / 20 * 2 * CELL, 0];
        all.push(number as u32, place, [ONE / 2, 0, 0]);
    }
    let sample = Sample::from_individuals(&all, 2);
    let NeighbourDirections { gamma, distances, .. } = NeighbourDirections::new(&all, &sample, &space);
    assert!((gamma[0].unwrap() - 1.0).abs() < 1e-12 && (gamma[1].unwrap() - 1.0).abs() < 1e-12, "{gamma:?}");
    assert_eq!(distances[0], Some(2.0));
    // The third and the fourth nearest neighbour are ahead and behind, three cells away.
    assert!(gamma[2].unwrap() < 1e-12 && distances[2] == Some(3.0), "{gamma:?}");
}

#[test]
fn turning_angles_are_those_between_headings() {
    let mut before = Individuals::default();
    let mut now = Individuals::default();
    for (number, (one, other)) in
        [([100, 0, 0], [0, 50, 0]), ([0, 0, 7], [0, 0, -9]), ([5, 5, 0], [9, 9, 0]), ([0; 3], [1, 0, 0])]
            .into_iter()
            .enumerate()
    {
        before.push(number as u32, [0; 3], one);
        now.push(number as u32, [0; 3], other);
    }
    // An individual that was not there before has no turning angle.
    now.push(9, [0; 3], [1, 1, 1]);
    let TurningAngles { count, mean, root_mean_square, histogram } = TurningAngles::new(&before, &now);
    assert_eq!(count, 3);
    assert!((mean.unwrap() - (PI / 2.0 + PI) / 3.0).abs() < 1e-12);
    assert!((root_mean_square.unwrap() - ((PI * PI / 4.0 + PI * PI) / 3.0).sqrt()).abs() < 1e-12);
    assert_eq!((histogram[0], histogram[18], histogram[35], histogram.iter().sum()), (1, 1, 1, 3));
}

/// In a swarm of cells, the sample has only cells with boids, in proportion to their densities.
#[test]
fn cells_are_sampled_by_their_density() {
    let mut state = State::empty(Extents::flat(16, 8));
    (state.layers[0].density[3], state.layers[0].density[77]) = (3 * BOID, BOID);
    let sample = Sample::from_state(&state, 4);
    let first = sample.boids.iter().filter(|boid| boid.number == 3).count();
    assert_eq!((sample.boids.len(), sample.all, sample.is_whole), (MAX_SAMPLED, 4.0, false));
    assert!(sample.boids.iter().all(|boid| boid.number == 3 || boid.number == 77));
    assert!((first as f64 / MAX_SAMPLED as f64 - 0.75).abs() < 0.04, "{first}");
    assert!(Sample::from_state(&State::empty(Extents::flat(4, 4)), 4).boids.is_empty());
    let space = Space { extents: [4, 4, 1], edges: Edges::Torus };
    let nobody = Statistics::new(0, &Swarm::Cells(State::empty(Extents::flat(4, 4))), &space, 1, None);
    assert!(nobody.pairs.correlation.iter().all(Option::is_none) && nobody.pairs.correlation_length.is_none());
    let nobody = Statistics::new(0, &Swarm::Individuals(Individuals::default(), Default::default()), &space, 1, None);
    assert!(nobody.neighbours.unwrap().gamma.iter().all(Option::is_none));
}
