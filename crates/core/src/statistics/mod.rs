//! Statistics of collective motion: correlations, pair distribution, number fluctuations, directions of neighbours and
//! turning angles (`docs/formats.md, Statistics`). The statistics are 64-bit floats. Equal swarms and seeds give equal
//! bits on every engine.

pub mod fluctuations;
pub mod neighbours;
pub mod pairs;
mod sample;
pub mod turning;

pub use sample::{Boid, MAX_SAMPLED, Sample};

use crate::measures::SlabBodies;
use crate::state::{Individuals, Swarm};
use crate::world::Space;
use fluctuations::NumberFluctuations;
use neighbours::NeighbourDirections;
use pairs::PairStatistics;
use serde::Serialize;
use turning::TurningAngles;

/// The statistics of a swarm at one step. Most are computed from a random sample of its boids.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// The number of completed steps.
    pub step: u64,
    /// The number of boids in the sample.
    pub sample: usize,
    /// Whether the sample is the whole swarm.
    pub is_whole: bool,
    /// The correlation of velocity fluctuations and the pair distribution.
    pub pairs: PairStatistics,
    /// The fluctuations of the number of boids in boxes, from the whole swarm.
    pub number_fluctuations: NumberFluctuations,
    /// The directions of the nearest neighbours; `None`: the swarm is of cells.
    pub neighbours: Option<NeighbourDirections>,
    /// The angles by which individuals have turned since the previous statistics; `None` for the first statistics and
    /// for cells.
    pub turning: Option<TurningAngles>,
}

/// The name of the correlation length ξ in tables.
pub const CORRELATION_LENGTH: &str = "correlation_length";
/// The name of the exponent of number fluctuations in tables.
pub const FLUCTUATION_EXPONENT: &str = "fluctuation_exponent";

/// The names of the statistics that are one number: [`PairStatistics::correlation_length`] in cells,
/// [`PairStatistics::greatest_distance`] in cells, [`NumberFluctuations::exponent`],
/// [`NeighbourDirections::isotropic_neighbour`], and
/// [`TurningAngles::root_mean_square`] in radians.
pub const SCALARS: [&str; 5] =
    [CORRELATION_LENGTH, "greatest_distance", FLUCTUATION_EXPONENT, "isotropic_neighbour", "turning_angle"];

impl Statistics {
    /// The statistics that are one number, in the order of [`SCALARS`]. `None`: the statistic is not defined for this
    /// swarm.
    pub fn scalars(&self) -> [Option<f64>; SCALARS.len()] {
        [
            self.pairs.correlation_length,
            self.pairs.greatest_distance,
            self.number_fluctuations.exponent,
            self.neighbours.as_ref().and_then(NeighbourDirections::isotropic_neighbour),
            self.turning.as_ref().and_then(|turning| turning.root_mean_square),
        ]
    }

    /// Computes the statistics of a swarm after `step` steps. `seed`: the seed of the random sample. `before`: the
    /// individuals at the previous statistics, for the turning angles.
    pub fn new(step: u64, swarm: &Swarm, space: &Space, seed: u64, before: Option<&Individuals>) -> Self {
        let (sample, number_fluctuations) = match swarm {
            Swarm::Cells(state) => {
                let state = state.merged();
                (Sample::from_state(&state, seed), NumberFluctuations::new(&SlabBodies::whole(&state), space))
            }
            Swarm::Individuals(all, _) => (Sample::from_individuals(all, seed), NumberFluctuations::new(all, space)),
        };
        let of_individuals = swarm.individuals();
        Self {
            step,
            sample: sample.boids.len(),
            is_whole: sample.is_whole,
            pairs: PairStatistics::new(&sample, space),
            number_fluctuations,
            neighbours: of_individuals.map(|all| NeighbourDirections::new(all, &sample, space)),
            turning: of_individuals.zip(before).map(|(now, before)| TurningAngles::new(before, now)),
        }
    }
}

#[cfg(test)]
mod tests;
