//! The directions of neighbours, relative to the direction of motion.
//!
//! u is the unit vector from an individual to its n-th nearest neighbour, and M(n) = ⟨u uᵀ⟩ is a mean over individuals.
//! The eigenvector of the lowest eigenvalue of M(n) is the direction with the fewest n-th neighbours. γ(n) is the
//! squared cosine of the angle between this direction and the mean heading. For isotropic neighbours γ is 1/3 in a deep
//! world and 1/2 in a flat world (Ballerini et al. 2008, *Interaction ruling animal collective behavior depends on
//! topological rather than metric distance*).

use super::sample::Sample;
use crate::measures::{PAIRS, PlaceTree, eigenvectors};
use crate::numbers::each_axis;
use crate::parallel::*;
use crate::state::Individuals;
use crate::world::Space;
use serde::Serialize;

/// The number of nearest neighbours of each individual that the statistics use.
pub const NEIGHBOURS: usize = 20;
/// The number of parts into which the sample is divided, so that threads share the work.
const PARTS: usize = 64;

/// The directions of the nearest neighbours of a sample.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NeighbourDirections {
    /// γ(n) for n = 1, 2, … (see the module). `None`: no individual has n neighbours, or the mean heading is 0.
    pub gamma: Vec<Option<f64>>,
    /// The mean distance to the n-th neighbour for n = 1, 2, …, in cells. `None`: no individual has n neighbours.
    pub distances: Vec<Option<f64>>,
    /// The value of γ for isotropic neighbours: 1 / number of axes.
    pub isotropic: f64,
}

/// The sums over the n-th neighbours: their number, their distances, and the products of the unit vectors to them.
type Sums = [[f64; 8]; NEIGHBOURS];

impl NeighbourDirections {
    /// The n at which γ(n) falls to the isotropic value, interpolated between two neighbours. `None`: γ(1) is not above
    /// this value, or γ does not fall to it.
    pub fn isotropic_neighbour(&self) -> Option<f64> {
        let mut before: Option<(f64, f64)> = None;
        for (number, gamma) in (1..).zip(&self.gamma) {
            let gamma = (*gamma)? - self.isotropic;
            if gamma <= 0.0 {
                return before.map(|(number, before)| number + before / (before - gamma));
            }
            before = Some((f64::from(number), gamma));
        }
        None
    }

    /// Computes the directions from each individual of a sample to its nearest neighbours among all individuals.
    pub fn new(individuals: &Individuals, sample: &Sample, space: &Space) -> Self {
        let tree = PlaceTree::of_individuals(individuals, space);
        let parts: Vec<Sums> = (0..PARTS).into_par_iter().map(|part| sums_of(part, sample, &tree)).collect();
        let mut sums = [[0.0; 8]; NEIGHBOURS];
        for part in parts {
            for (sum, own) in sums.iter_mut().zip(part) {
                sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
        }
        let heading = each_axis(|axis| {
            let along = sample.boids.iter().map(|boid| {
                let v = boid.velocity.map(f64::from);
                let speed = v.iter().map(|along| along * along).sum::<f64>().sqrt();
                if speed > 0.0 { v[axis] / speed } else { 0.0 }
            });
            along.sum::<f64>()
        });
        let length = heading.iter().map(|along| along * along).sum::<f64>().sqrt();
        let gamma = |[count, _, products @ ..]: &[f64; 8]| {
            let mut tensor = products.map(|product| product / count);
            // In a flat world no neighbour is along z. Yet z must not be the direction with the fewest neighbours.
            if space.axes() == 2 {
                tensor[2] = 2.0;
            }
            let fewest = eigenvectors(tensor)[2];
            let cosine: f64 = (0..3).map(|axis| fewest[axis] * heading[axis] / length).sum();
            (*count > 0.0 && length > 0.0).then_some(cosine * cosine)
        };
        Self {
            gamma: sums.iter().map(gamma).collect(),
            distances: sums.iter().map(|sum| (sum[0] > 0.0).then(|| sum[1] / sum[0])).collect(),
            isotropic: 1.0 / space.axes() as f64,
        }
    }
}

fn sums_of(part: usize, sample: &Sample, tree: &PlaceTree) -> Sums {
    let count = sample.boids.len();
    let mut sums = [[0.0; 8]; NEIGHBOURS];
    let mut nearest = Vec::new();
    for boid in &sample.boids[part * count / PARTS..(part + 1) * count / PARTS] {
        tree.nearest(boid.place, NEIGHBOURS, boid.number, &mut nearest);
        for ((distance, _, place), sum) in nearest.iter().zip(&mut sums) {
            let length = (*distance as f64).sqrt();
            if length == 0.0 {
                continue;
            }
            let u = tree.offset(boid.place, *place).map(|d| f64::from(d) / length);
            sum[0] += 1.0;
            sum[1] += length / 65536.0;
            PAIRS.iter().zip(&mut sum[2..]).for_each(|([a, b], sum)| *sum += u[*a] * u[*b]);
        }
    }
    sums
}
