//! Measures of individuals that need their neighbours: the nearest distance, and clusters.

use super::tree::{PlaceTree, PlacesLeft};
use crate::parallel::*;
use crate::state::Individuals;
use crate::state::sums::PARTS;
use crate::world::{PLACE_BITS, Space};

/// Distances in 1/65536 cell are multiplied by this factor and rounded down, so that they are summed as integers.
const UNIT: f64 = (1u64 << 20) as f64;

/// Distances between individuals, and clusters of individuals.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NeighbourMeasures {
    /// The mean distance of an individual from its nearest neighbour, in cells; `None` with fewer than two individuals.
    pub nearest_distance: Option<f64>,
    /// The number of clusters. Two individuals within the link length of each other are in one cluster. Chains of such
    /// pairs are also in one cluster.
    pub clusters: u64,
    /// The individuals in the largest cluster as a share of all; `None` without individuals.
    pub greatest_part: Option<f64>,
}

impl NeighbourMeasures {
    /// Measures individuals. `link`: the max distance of two linked individuals (Q16 of a cell). On a torus the
    /// distance is the shorter way.
    pub fn new(individuals: &Individuals, space: &Space, link: u32) -> Self {
        let tree = PlaceTree::of_individuals(individuals, space);
        let sizes = PlacesLeft::new(&tree).linked(u64::from(link).pow(2));
        let count = individuals.len();
        Self {
            nearest_distance: (count > 1).then(|| nearest_sum(&tree, individuals) / count as f64),
            clusters: sizes.len() as u64,
            greatest_part: sizes.first().map(|greatest| *greatest as f64 / count as f64),
        }
    }
}

/// The sum over individuals of the distance from the nearest neighbour, in cells. Terms are summed as integers, so
/// their order does not matter.
fn nearest_sum(tree: &PlaceTree, individuals: &Individuals) -> f64 {
    let of_part = individuals.len().div_ceil(PARTS).max(1);
    let sum_of = |part: usize| {
        let (mut sum, mut nearest) = (0, Vec::new());
        for index in part * of_part..individuals.len().min((part + 1) * of_part) {
            tree.nearest(individuals.position(index), 1, individuals.numbers[index], &mut nearest);
            sum += ((nearest[0].0 as f64).sqrt() * UNIT) as i128;
        }
        sum
    };
    let parts: Vec<i128> = (0..PARTS).into_par_iter().map(sum_of).collect();
    parts.into_iter().sum::<i128>() as f64 / UNIT / f64::from(1 << PLACE_BITS)
}
