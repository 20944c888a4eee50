//! Turning angles: how far individuals have turned between two statistics.

use crate::individuals::Individuals;
use serde::Serialize;
use std::collections::HashMap;
use std::f64::consts::PI;

/// Parts of the range of angles.
pub const BINS: usize = 36;

/// The angles between the headings of the same individuals at two steps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurningAngles {
    /// The individuals that are in both and moved in both.
    pub count: u64,
    /// The mean angle in radians; `None` where nobody is.
    pub mean: Option<f64>,
    /// The root mean square of the angles in radians.
    pub root_mean_square: Option<f64>,
    /// How many angles are in each of 36 equal parts of 0 to π.
    pub histogram: Vec<u64>,
}

impl TurningAngles {
    /// The angles by which individuals have turned, by their numbers.
    pub fn new(before: &Individuals, now: &Individuals) -> Self {
        let indices: HashMap<u32, usize> = before.numbers.iter().copied().zip(0..).collect();
        let mut angles: Vec<(u32, f64)> = (0..now.len())
            .filter_map(|index| {
                let number = now.numbers[index];
                Some((number, angle(before.velocity(*indices.get(&number)?), now.velocity(index))?))
            })
            .collect();
        // The sums of floats are taken in the order of the numbers.
        angles.sort_unstable_by_key(|(number, _)| *number);
        let mut histogram = vec![0; BINS];
        for (_, angle) in &angles {
            histogram[((angle / PI * BINS as f64) as usize).min(BINS - 1)] += 1;
        }
        let count = angles.len() as f64;
        let mean =
            |of: fn(f64) -> f64| (count > 0.0).then(|| angles.iter().map(|(_, angle)| of(*angle)).sum::<f64>() / count);
        Self {
            count: angles.len() as u64,
            mean: mean(|angle| angle),
            root_mean_square: mean(|angle| angle * angle).map(f64::sqrt),
            histogram,
        }
    }
}

/// The angle between two velocities, 0 to π; `None` of one at rest.
fn angle(one: [i32; 3], other: [i32; 3]) -> Option<f64> {
    let [a, b] = [one, other].map(|v| v.map(f64::from));
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let sine = cross.iter().map(|along| along * along).sum::<f64>().sqrt();
    let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    // At rest both are 0. Along one line the sine alone is 0.
    (sine > 0.0 || cosine != 0.0).then(|| sine.atan2(cosine))
}
