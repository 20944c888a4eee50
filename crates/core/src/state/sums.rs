//! Sums over the cells of a state, from which metrics are made.

use crate::parallel::*;
use crate::state::State;
use crate::ticket::reading;

/// The parts in which sums over all cells are divided over threads.
pub const PARTS: usize = 64;

/// The sums of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateSums {
    /// From the first row of cells to the last, slice by slice.
    pub rows: Vec<RowSums>,
}

/// The sums of one row of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowSums {
    /// The sum of the density, in quanta.
    pub quanta: u64,
    /// Cells with a perceived density above 0.
    pub occupied: u64,
    /// The greatest density, in quanta.
    pub greatest: u32,
}

reading! {
    engine
    /// The sums of the densities of the present state, or of the deposit of individuals. Several species are summed as one.
    SumsReading {
        /// A cell is occupied where `density >> shift` is not 0.
        shift: u32,
    } -> StateSums
}

impl StateSums {
    /// The sums of a state; a cell is occupied where `density >> shift` is not 0.
    pub fn new(state: &State, shift: u32) -> Self {
        let width = state.extents.width as usize;
        Self { rows: state.layers[0].density.par_chunks(width).map(|density| RowSums::new(density, shift)).collect() }
    }
}

impl StateSums {
    /// Cells with a perceived density above 0.
    pub fn occupied(&self) -> u64 {
        self.rows.iter().map(|row| row.occupied).sum()
    }

    /// The greatest density of a cell, in quanta.
    pub fn greatest(&self) -> u32 {
        self.rows.iter().map(|row| row.greatest).max().unwrap_or(0)
    }
}

impl RowSums {
    /// The sums of a row.
    fn new(density: &[u32], shift: u32) -> Self {
        let mut sums = Self::default();
        for density in density.iter() {
            sums.quanta += u64::from(*density);
            sums.occupied += u64::from(density >> shift > 0);
            sums.greatest = sums.greatest.max(*density);
        }
        sums
    }
}

/// The sums, each increased by a value.
pub fn added(mut sums: Vec<u64>, values: impl IntoIterator<Item = u64>) -> Vec<u64> {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    sums
}
