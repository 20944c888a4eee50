//! Sums over the cells of a state, from which metrics are made.

use crate::parallel::*;
use crate::state::State;
use crate::ticket::reading;

/// The parts in which sums over all cells are divided over threads.
pub const PARTS: usize = 64;

/// The sums of a state.
#[derive(Debug, Clone, PartialEq)]
pub struct StateSums {
    /// From the first row of cells to the last, slice by slice.
    pub rows: Vec<RowSums>,
    /// The quanta of all cells with the same x.
    pub columns: Vec<u64>,
}

/// The sums of one row of cells. Integer sums are exact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowSums {
    /// The sum of the density, in quanta.
    pub quanta: u64,
    /// Cells with a perceived density above 0.
    pub occupied: u64,
    /// The greatest density, in quanta.
    pub greatest: u32,
    /// Σ D|V|, in quanta × Q14.
    pub speed: f64,
    /// Σ D·V/|V|, in quanta.
    pub directions: [f64; 3],
}

reading! {
    /// The sums of the present state, or of the deposit of individuals. Several species are summed as one.
    SumsReading {
        /// A cell is occupied where `density >> shift` is not 0.
        shift: u32,
    } -> StateSums
}

impl StateSums {
    /// The sums of a state; a cell is occupied where `density >> shift` is not 0.
    pub fn new(state: &State, shift: u32) -> Self {
        let width = state.extents.width as usize;
        let rows = state.density.par_chunks(width).enumerate();
        let rows = rows.map(|(row, density)| RowSums::new(state, row * width, density, shift)).collect();
        Self { rows, columns: columns_of(&state.density, width) }
    }
}

impl RowSums {
    /// The sums of a row; `first`: the index of its first cell.
    fn new(state: &State, first: usize, density: &[u32], shift: u32) -> Self {
        let mut sums = Self::default();
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
pub fn added(mut sums: Vec<u64>, values: impl IntoIterator<Item = u64>) -> Vec<u64> {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    sums
}
