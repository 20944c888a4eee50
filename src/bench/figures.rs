//! The figures of a row, and the interface of rows that are measured.

use super::families::Row;
use super::timing::{Spread, Times};
use murmuration_core::error::Failure;

/// The measured figures of a row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures {
    /// The description of the engine.
    pub engine: String,
    pub chain: String,
    /// The number of cells or individuals, or for rock of voxels or triangles.
    pub many: u64,
    /// The steps of a repetition, and the number of repetitions.
    pub steps: u64,
    pub rounds: usize,
    /// Seconds per step.
    pub seconds: Spread,
    /// Bytes per cell and step by the plan; `None` for individuals, which have no plan.
    pub traffic: Option<u64>,
    /// The copy bandwidth of the same device with the same number of threads, in bytes read and written per second.
    pub copied: Option<Spread>,
    /// The pairs of an individual and a candidate neighbour that a step checks; `None`: they were not counted.
    pub pairs: Option<u64>,
    /// Median seconds per step of each pass, by kernel.
    pub passes: Vec<(String, f64)>,
    /// Quanta lost by the ledger.
    pub lost: i64,
    /// Whether the state after some steps has the hash of the CPU; `None`: the states were not compared.
    pub is_same_as_cpu: Option<bool>,
    /// The reason if the states should have been compared and were not.
    pub not_compared: Option<String>,
}

impl Figures {
    /// The figures of measured times. `many`: the number of cells, individuals, voxels or triangles. `None` without a
    /// repetition.
    pub fn of_times(times: &Times, many: u64, engine: String) -> Option<Self> {
        let (steps, rounds) = (times.steps, times.seconds.len());
        Some(Self { engine, many, steps, rounds, seconds: Spread::new(&times.seconds)?, ..Self::default() })
    }

    /// Cells, individuals, voxels or triangles per second.
    pub fn rate(&self) -> f64 {
        self.many as f64 / self.seconds.median
    }

    /// Pairs of an individual and a candidate per second.
    pub fn pairs_a_second(&self) -> Option<f64> {
        self.pairs.map(|pairs| pairs as f64 / self.seconds.median)
    }

    /// Bytes per second at this many bytes per cell, and their share of the copy bandwidth.
    pub fn bandwidth(&self, bytes_a_cell: u64) -> (f64, Option<f64>) {
        let reached = bytes_a_cell as f64 * self.rate();
        (reached, self.copied.map(|copied| reached / copied.median))
    }

    /// Whether the ledger is balanced, and no state differs from the CPU's.
    pub fn is_valid(&self) -> bool {
        self.lost == 0 && self.is_same_as_cpu != Some(false)
    }
}

/// A row that is measured.
pub trait TimedRow {
    /// The maximum number of steps of a repetition.
    fn most_steps(&self) -> u64 {
        u64::MAX
    }

    /// Plays `steps` steps, or repeats other work `steps` times, and waits for the end. Returns the seconds.
    ///
    /// # Errors
    /// If a device fails.
    fn play(&mut self, steps: u64) -> Result<f64, Failure>;

    /// The figures; `None` without a repetition. `go_on`: whether to compare the state with the CPU's.
    ///
    /// # Errors
    /// If a device fails.
    fn figures(&mut self, of: Timing<'_>, go_on: &mut dyn FnMut() -> bool) -> Result<Option<Figures>, Failure>;
}

/// The times of a row, and the copy bandwidth of its device.
pub struct Timing<'a> {
    pub row: &'a Row,
    pub times: &'a Times,
    pub copied: Option<Spread>,
}
