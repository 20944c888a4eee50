//! Random samples of the boids of a swarm.

use crate::measures::{Bodies, SlabBodies};
use crate::numbers::random::{generator, hash, word_of_seed};
use crate::numbers::{BOID, Vector3};
use crate::state::{Individuals, State};

/// The maximum number of boids of a sample. It is small because statistics use all pairs of a sample.
pub const MAX_SAMPLED: usize = 2048;
/// A number that is mixed into the seed, so that samples use other random numbers than the rest of the program.
const PURPOSE: u32 = 0x5a3b;

/// A boid of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boid {
    /// The place, from the corner of the world, in 1/2^[`Space::place_bits`](crate::world::Space::place_bits) cell. In
    /// a swarm of cells, the centre of the boid's cell.
    pub place: Vector3,
    /// The velocity (Q14 of a cell a step).
    pub velocity: Vector3,
    /// The number of the individual. In a swarm of cells, the index of the boid's cell.
    pub number: u32,
}

/// Random boids of a swarm. Their order is random, so each part of the list is a sample too.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The boids.
    pub boids: Vec<Boid>,
    /// The number of boids of the whole swarm.
    pub all: f64,
    /// Whether the sample is the whole swarm.
    pub is_whole: bool,
}

impl Sample {
    /// Draws at most [`MAX_SAMPLED`] individuals. The draw depends on the seed and the numbers of the individuals, not
    /// on their order in memory.
    pub fn from_individuals(individuals: &Individuals, seed: u64) -> Self {
        Self::with_most(individuals, seed, MAX_SAMPLED)
    }

    /// Draws at most `most` individuals, as [`Self::from_individuals`].
    pub fn with_most(individuals: &Individuals, seed: u64, most: usize) -> Self {
        let word = word_of_seed(seed, PURPOSE);
        let key = |index: usize| (hash(individuals.numbers[index] ^ word), individuals.numbers[index]);
        let mut keys: Vec<_> = (0..individuals.len()).map(|index| (key(index), index as u32)).collect();
        if keys.len() > most {
            keys.select_nth_unstable(most);
            keys.truncate(most);
        }
        keys.sort_unstable();
        let boid = |index: u32| {
            let body = individuals.body(index as usize);
            Boid { place: body.place, velocity: body.velocity, number: individuals.numbers[index as usize] }
        };
        let boids = keys.into_iter().map(|(_, index)| boid(index)).collect();
        Self { boids, all: individuals.len() as f64, is_whole: individuals.len() <= most }
    }

    /// Draws [`MAX_SAMPLED`] boids of the first layer of a state. Each boid is at the cell of a random quantum, so
    /// several boids may have one cell.
    pub fn from_state(state: &State, seed: u64) -> Self {
        let mut sum = 0u64;
        let ends: Vec<u64> = state.layers[0]
            .density
            .iter()
            .map(|quanta| {
                sum += u64::from(*quanta);
                sum
            })
            .collect();
        let mut random = generator(seed, PURPOSE.into());
        let count = if sum == 0 { 0 } else { MAX_SAMPLED };
        let boid = |quantum: u64| {
            let index = ends.partition_point(|end| *end <= quantum);
            let body = SlabBodies::whole(state).body(index);
            Boid { place: body.place, velocity: body.velocity, number: index as u32 }
        };
        let boids = (0..count).map(|_| boid(random.below(sum))).collect();
        Self { boids, all: sum as f64 / f64::from(BOID), is_whole: false }
    }
}
