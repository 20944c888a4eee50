//! Number fluctuations: the mean N and the standard deviation ΔN of the number of boids in boxes of equal size. In
//! equilibrium ΔN grows with the size of the boxes as N^½. Fluctuations that grow faster are called giant (Chaté et al.
//! 2008, *Collective motion of self-propelled particles interacting without cohesion*).

use crate::measures::{Batch, Bodies};
use crate::numbers::each_axis;
use crate::world::Space;
use serde::Serialize;

/// Boxes of a size are used only if the world has at least this multiple of their volume.
const MIN_BOXES: f64 = 64.0;
const MAX_BOXES: usize = 1 << 20;

/// The fluctuations of the number of boids in boxes, for several sizes of boxes. Boxes are squares, or cubes in a deep
/// world, side by side from the corner of the world. Boids beyond the last whole box of an axis are not counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NumberFluctuations {
    /// The side of the boxes of each size, in cells: powers of two. A box covers at most 1/64 of the world. (The number
    /// of boids in the whole world does not fluctuate.)
    pub sides: Vec<u32>,
    /// For each size, the mean number N of boids in a box.
    pub means: Vec<f64>,
    /// For each size, the standard deviation ΔN of the number of boids over all n boxes: √(Σ (N_i - N)² / (n - 1)). The
    /// divisor n - 1 makes up for the constant number of boids in the world: boids at independent random places have
    /// ΔN² = N in the mean.
    pub deviations: Vec<f64>,
    /// The slope of log ΔN over log N, by least squares over the sizes with N ≥ 1 and ΔN > 0. `None`: fewer than three
    /// sizes remain.
    pub exponent: Option<f64>,
}

impl NumberFluctuations {
    /// Computes the fluctuations from all boids of a swarm, without a sample.
    pub fn new(bodies: &impl Bodies, space: &Space) -> Self {
        let volume: f64 = space.extents.iter().map(|extent| f64::from(*extent)).product();
        let least = space.extents[..space.axes()].iter().copied().fold(u32::MAX, u32::min);
        let is_small = |side: u32| side <= least && f64::from(side).powi(space.axes() as i32) <= volume / MIN_BOXES;
        let (mut sides, mut means, mut deviations) = (Vec::new(), Vec::new(), Vec::new());
        let mut side = 1;
        while boxes_along(space, side).iter().product::<usize>() > MAX_BOXES {
            side *= 2;
        }
        let mut boxes = is_small(side).then(|| Boxes::new(bodies, space, side));
        while let Some(now) = boxes {
            let [mean, deviation] = now.fluctuation();
            sides.push(side);
            means.push(mean);
            deviations.push(deviation);
            side *= 2;
            boxes = is_small(side).then(|| now.doubled(space, side));
        }
        let exponent = slope(&means, &deviations);
        Self { sides, means, deviations, exponent }
    }
}

/// The number of whole boxes along each axis. `side`: the side of a box, in cells.
fn boxes_along(space: &Space, side: u32) -> [usize; 3] {
    [0, 1, 2].map(|axis| if axis < space.axes() { (space.extents[axis] / side) as usize } else { 1 })
}

/// The number of boids in each box of one size.
struct Boxes {
    /// The number of boxes along each axis.
    along: [usize; 3],
    /// The sum of the bodies' weights in each box, x fastest.
    sums: Vec<u64>,
    /// The weight of one boid.
    boid: f64,
}

impl Boxes {
    /// Adds the weight of each body to the box that contains the body. `side`: the side of a box, in cells.
    fn new<B: Bodies>(bodies: &B, space: &Space, side: u32) -> Self {
        let along = boxes_along(space, side);
        let mut boxes = Self { along, sums: vec![0; along.iter().product()], boid: f64::from(B::BOID) };
        let mut range = 0..bodies.count();
        let mut batch = Batch::empty();
        // The side is a power of two, so a shift converts a place to the number of its box.
        let bits = space.place_bits() + side.ilog2();
        while !range.is_empty() {
            bodies.take(&mut range, &mut batch);
            for index in 0..batch.count {
                boxes.add(each_axis(|axis| (batch.places[axis][index] >> bits) as usize), batch.weights[index].into());
            }
        }
        boxes
    }

    /// Joins two boxes along each axis to one. `side`: the side of the new boxes, in cells.
    fn doubled(&self, space: &Space, side: u32) -> Self {
        let along = boxes_along(space, side);
        let mut boxes = Self { along, sums: vec![0; along.iter().product()], boid: self.boid };
        let [width, height, _] = self.along;
        for (row, sums) in self.sums.chunks(width).enumerate() {
            let (y, z) = (row % height / 2, row / height / 2);
            for (x, sum) in sums.iter().enumerate() {
                boxes.add([x / 2, y, z], *sum);
            }
        }
        boxes
    }

    #[inline(always)]
    fn add(&mut self, at: [usize; 3], weight: u64) {
        if at[0] < self.along[0] && at[1] < self.along[1] && at[2] < self.along[2] {
            self.sums[(at[2] * self.along[1] + at[1]) * self.along[0] + at[0]] += weight;
        }
    }

    /// The mean and the standard deviation of the number of boids in a box. There are at least two boxes.
    fn fluctuation(&self) -> [f64; 2] {
        let count = self.sums.len() as f64;
        let boids = || self.sums.iter().map(|sum| *sum as f64 / self.boid);
        let mean = boids().sum::<f64>() / count;
        [mean, (boids().map(|boids| (boids - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt()]
    }
}

/// The fluctuations over the steps of a run: the mean variance ΔN² of each size of boxes. The exponent of these means
/// has less bias than the mean exponent of single steps, because the logarithm of a few boxes is too small in the mean.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeanFluctuations {
    /// The mean number of boids in a box of each size, at the last step.
    means: Vec<f64>,
    /// The sum of the variances over the steps, for each size.
    variances: Vec<f64>,
    steps: usize,
}

impl MeanFluctuations {
    /// Adds a step.
    pub fn add(&mut self, step: &NumberFluctuations) {
        self.means.clone_from(&step.means);
        self.variances.resize(step.deviations.len(), 0.0);
        for (sum, deviation) in self.variances.iter_mut().zip(&step.deviations) {
            *sum += deviation * deviation;
        }
        self.steps += 1;
    }

    /// The exponent: [`NumberFluctuations::exponent`] of the mean variances.
    pub fn exponent(&self) -> Option<f64> {
        let deviations: Vec<_> = self.variances.iter().map(|sum| (sum / self.steps as f64).sqrt()).collect();
        slope(&self.means, &deviations)
    }
}

/// The slope of log `deviations` over log `means`, by least squares.
fn slope(means: &[f64], deviations: &[f64]) -> Option<f64> {
    let points = means.iter().zip(deviations).filter(|(mean, deviation)| **mean >= 1.0 && **deviation > 0.0);
    let points: Vec<_> = points.map(|(mean, deviation)| [mean.ln(), deviation.ln()]).collect();
    if points.len() < 3 {
        return None;
    }
    let middle = [0, 1].map(|part| points.iter().map(|point| point[part]).sum::<f64>() / points.len() as f64);
    let sum = |of: fn(f64, f64) -> f64| points.iter().map(|[x, y]| of(x - middle[0], y - middle[1])).sum::<f64>();
    Some(sum(|x, y| x * y) / sum(|x, _| x * x))
}
