//! Number fluctuations: the deviation ΔN of the number of boids in boxes against its mean N. In equilibrium ΔN grows as N^½; giant
//! fluctuations grow faster (Chaté et al. 2008, *Collective motion of self-propelled particles interacting without cohesion*).

use crate::individuals::{PLACE_BITS, Space};
use crate::measures::Bodies;
use serde::Serialize;

/// The boxes of a size that the world has room for at least.
const LEAST_BOXES: f64 = 16.0;
/// The most boxes.
const MOST_BOXES: usize = 1 << 20;

/// The number of boids in boxes of each size. Boxes are cubes, in space, or squares, side by side from the corner of the world; what is left over
/// at its end is not counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NumberFluctuations {
    /// The sides of the boxes in cells: powers of two. A box is at most a sixteenth of the world, whose number of boids does not fluctuate.
    pub sides: Vec<u32>,
    /// N: the mean number of boids in a box.
    pub means: Vec<f64>,
    /// ΔN: the standard deviation of the number over the boxes.
    pub deviations: Vec<f64>,
    /// The slope of log ΔN over log N, by least squares over the sizes whose mean is 1 or more; `None` with fewer than three.
    pub exponent: Option<f64>,
}

impl NumberFluctuations {
    /// The fluctuations of all boids of a swarm.
    pub fn new(bodies: &impl Bodies, space: &Space) -> Self {
        let least = space.extents[..space.axes()].iter().copied().fold(u32::MAX, u32::min);
        let (mut sides, mut means, mut deviations) = (Vec::new(), Vec::new(), Vec::new());
        let volume: f64 = space.extents.iter().map(|extent| f64::from(*extent)).product();
        let is_small = |side: u32| f64::from(side).powi(space.axes() as i32) <= volume / LEAST_BOXES;
        let mut side = 1;
        while side <= least && is_small(side) {
            if let Some([mean, deviation]) = fluctuation(bodies, space, side) {
                sides.push(side);
                means.push(mean);
                deviations.push(deviation);
            }
            side *= 2;
        }
        let exponent = slope(&means, &deviations);
        Self { sides, means, deviations, exponent }
    }
}

/// The mean and the standard deviation over the boxes of a size; `None` where they are too many.
fn fluctuation<B: Bodies>(bodies: &B, space: &Space, side: u32) -> Option<[f64; 2]> {
    let is_axis = |axis: usize| axis < space.axes();
    let boxes: [usize; 3] = [0, 1, 2].map(|axis| if is_axis(axis) { (space.extents[axis] / side) as usize } else { 1 });
    let count = boxes.iter().product::<usize>();
    if count > MOST_BOXES {
        return None;
    }
    let mut sums = vec![0u64; count];
    for body in (0..bodies.count()).map(|index| bodies.body(index)).filter(|body| body.weight > 0) {
        let at = [0, 1, 2].map(|axis| (body.place[axis] >> PLACE_BITS) as usize / side as usize);
        if (0..3).all(|axis| at[axis] < boxes[axis]) {
            sums[(at[2] * boxes[1] + at[1]) * boxes[0] + at[0]] += u64::from(body.weight);
        }
    }
    let boid = f64::from(B::BOID);
    let mean = sums.iter().map(|sum| *sum as f64 / boid).sum::<f64>() / count as f64;
    let squares: f64 = sums.iter().map(|sum| (*sum as f64 / boid - mean).powi(2)).sum();
    Some([mean, (squares / count as f64).sqrt()])
}

/// The slope of the logarithms of deviations over those of means.
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
