//! Sums over the cells of a state, for metrics.

use crate::parallel::*;
use crate::state::State;
use crate::ticket::reading;

/// The number of parts into which sums over all cells are divided, so that threads share the work.
pub const PARTS: usize = 64;

/// The sums of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateSums {
    /// The sums of each row of cells along x. y is fastest, then z.
    pub rows: Vec<RowSums>,
}

/// The sums of one row of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowSums {
    /// The sum of the density, in quanta.
    pub quanta: u64,
    /// The number of occupied cells: cells with `density >> shift` above 0.
    pub occupied: u64,
    /// The highest density of a cell, in quanta.
    pub greatest: u32,
}

reading! {
    engine
    /// The sums of the densities of the present state. The densities of all species are added up first. For
    /// individuals: the sums of the quanta that they deposit in the cells.
    SumsReading {
        /// The shift that makes a density a perceived density. A cell is occupied if `density >> shift` is above 0.
        shift: u32,
    } -> StateSums
}

impl StateSums {
    /// The sums of the first layer of a state. A cell is occupied if `density >> shift` is above 0.
    pub fn new(state: &State, shift: u32) -> Self {
        let width = state.extents.width as usize;
        Self { rows: state.layers[0].density.par_chunks(width).map(|density| RowSums::new(density, shift)).collect() }
    }
}

impl StateSums {
    /// The number of occupied cells in all rows.
    pub fn occupied(&self) -> u64 {
        self.rows.iter().map(|row| row.occupied).sum()
    }

    /// The highest density of a cell in all rows, in quanta.
    pub fn greatest(&self) -> u32 {
        self.rows.iter().map(|row| row.greatest).max().unwrap_or(0)
    }
}

impl RowSums {
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

/// Adds the values to the sums, element by element.
pub fn added(mut sums: Vec<u64>, values: impl IntoIterator<Item = u64>) -> Vec<u64> {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    sums
}
