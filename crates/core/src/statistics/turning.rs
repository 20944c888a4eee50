//! Turning angles: the angles between the headings of each individual at two steps.

use crate::state::Individuals;
use serde::Serialize;
use std::f64::consts::PI;

/// The number of bins of the histogram of angles.
pub const BINS: usize = 36;

/// The distribution of the angles between the headings of individuals at two steps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurningAngles {
    /// The number of angles. An individual has an angle if it exists and moves at both steps.
    pub count: u64,
    /// The mean angle in radians; `None` without an angle.
    pub mean: Option<f64>,
    /// The root mean square of the angles in radians; `None` without an angle.
    pub root_mean_square: Option<f64>,
    /// The number of angles in each of 36 equal bins from 0 to π.
    pub histogram: Vec<u64>,
}

impl TurningAngles {
    /// Computes the angles from the individuals at the earlier step `before` and the later step `now`.
    pub fn new(before: &Individuals, now: &Individuals) -> Self {
        // Both are sorted by number, so that the sums of floats have a fixed order.
        let [earlier, later] = [before, now].map(by_number);
        let mut earlier = earlier.into_iter().peekable();
        let mut angles = Vec::with_capacity(later.len());
        for (number, index) in later {
            while earlier.next_if(|(other, _)| *other < number).is_some() {}
            if let Some((_, own)) = earlier.next_if(|(other, _)| *other == number) {
                angles.extend(angle(before.velocity(own as usize), now.velocity(index as usize)));
            }
        }
        let mut histogram = vec![0; BINS];
        for angle in &angles {
            histogram[((angle / PI * BINS as f64) as usize).min(BINS - 1)] += 1;
        }
        let count = angles.len() as f64;
        let mean =
            |of: fn(f64) -> f64| (count > 0.0).then(|| angles.iter().map(|angle| of(*angle)).sum::<f64>() / count);
        Self {
            count: angles.len() as u64,
            mean: mean(|angle| angle),
            root_mean_square: mean(|angle| angle * angle).map(f64::sqrt),
            histogram,
        }
    }
}

/// The number of each individual and its index, in ascending order of numbers.
fn by_number(individuals: &Individuals) -> Vec<(u32, u32)> {
    let mut numbers: Vec<(u32, u32)> = individuals.numbers.iter().copied().zip(0..).collect();
    numbers.sort_unstable();
    numbers
}

/// The angle between two velocities, 0 to π; `None`: a velocity is zero.
fn angle(one: [i32; 3], other: [i32; 3]) -> Option<f64> {
    let [a, b] = [one, other].map(|v| v.map(f64::from));
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let sine = cross.iter().map(|along| along * along).sum::<f64>().sqrt();
    let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    // If a velocity is zero, sine and cosine are 0. If the velocities are parallel, only the sine is 0.
    (sine > 0.0 || cosine != 0.0).then(|| sine.atan2(cosine))
}
