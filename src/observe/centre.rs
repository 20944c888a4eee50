//! The centre of mass.

use murmuration_core::world::Edges;
use std::f64::consts::TAU;

/// The centre of mass of weights at 0, 1, 2, … along an axis, and the root mean square of their distance from it.
pub(super) fn place(weights: &[u64], edges: Edges) -> Option<[f64; 2]> {
    let centre = centre(weights, edges)?;
    let (extent, total) = (weights.len() as f64, weights.iter().sum::<u64>() as f64);
    let square = |(place, weight): (usize, &u64)| {
        let straight = (place as f64 - centre).abs();
        let away = if edges == Edges::Torus { straight.min(extent - straight) } else { straight };
        *weight as f64 * away * away
    };
    let squares: f64 = weights.iter().enumerate().map(square).sum();
    Some([centre, (squares / total).sqrt()])
}

/// The centre of mass of weights at 0, 1, 2, … along an axis, in 0..extent.
fn centre(weights: &[u64], edges: Edges) -> Option<f64> {
    let total: u64 = weights.iter().sum();
    if total == 0 {
        return None;
    }
    let extent = weights.len() as f64;
    let mean_of = |value: &dyn Fn(f64) -> f64| -> f64 {
        let sum: f64 = weights.iter().enumerate().map(|(place, weight)| *weight as f64 * value(place as f64)).sum();
        sum / total as f64
    };
    match edges {
        Edges::Walls => Some(mean_of(&|place| place)),
        Edges::Torus => {
            let sine = mean_of(&|place| (place * TAU / extent).sin());
            let cosine = mean_of(&|place| (place * TAU / extent).cos());
            // A shorter mean is rounding error, and its direction means nothing.
            // A tiny negative angle wraps to the extent itself, which is position 0.
            (sine.hypot(cosine) > 1e-9).then(|| (sine.atan2(cosine) / TAU * extent).rem_euclid(extent) % extent)
        }
    }
}
