//! Sums of a state, which metrics are made of, and the centre of mass.

use murmuration_core::parallel::*;
use murmuration_core::state::State;
use murmuration_core::state_sums::{RowSums, StateSums};
use murmuration_core::world::Edges;
use std::f64::consts::TAU;

/// The parts in which sums over all cells are divided over threads.
pub(super) const PARTS: usize = 64;

/// The sums of a state; a cell is occupied where `density >> shift` is not 0.
pub fn sums_of(state: &State, shift: u32) -> StateSums {
    let width = state.extents.width as usize;
    let rows = state.density.par_chunks(width).enumerate();
    let rows = rows.map(|(row, density)| row_sums_of(state, row * width, density, shift)).collect();
    StateSums { rows, columns: columns_of(&state.density, width) }
}

/// The sums of a row; `first`: the index of its first cell.
fn row_sums_of(state: &State, first: usize, density: &[u32], shift: u32) -> RowSums {
    let mut sums = RowSums::default();
    for (index, density) in density.iter().enumerate().filter(|(_, density)| **density > 0) {
        sums.quanta += u64::from(*density);
        sums.occupied += u64::from(density >> shift > 0);
        sums.greatest = sums.greatest.max(*density);
        let v = state.velocity(first + index).map(f64::from);
        let speed = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        if speed > 0.0 {
            let density = f64::from(*density);
            sums.speed += density * speed;
            for (sum, component) in sums.directions.iter_mut().zip(v) {
                *sum += density * (component / speed);
            }
        }
    }
    sums
}

/// The sum of each column, in quanta.
fn columns_of(density: &[u32], width: usize) -> Vec<u64> {
    // Integer sums do not depend on the order.
    let rows_of_part = (density.len() / width).div_ceil(PARTS).max(1);
    let sums_of = |part: &[u32]| {
        let rows = part.chunks(width);
        rows.fold(vec![0; width], |columns, row| added(columns, row.iter().map(|density| u64::from(*density))))
    };
    let parts: Vec<_> = density.par_chunks(rows_of_part * width).map(sums_of).collect();
    parts.into_iter().fold(vec![0; width], added)
}

/// The sums, each increased by a value.
pub(super) fn added(mut sums: Vec<u64>, values: impl IntoIterator<Item = u64>) -> Vec<u64> {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    sums
}

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
