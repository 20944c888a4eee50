//! Sums over the cells of a state, from which metrics are made.

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
