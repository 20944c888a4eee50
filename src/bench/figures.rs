//! The figures of a row, and the interface of rows that are measured.

use super::families::Row;
use super::timing::{Spread, Times};
use murmuration_core::error::Failure;

/// The measured figures of a row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures {
    /// The description of the engine, for the reader of a table.
    pub engine: String,
    pub chain: String,
    /// The number of items that a step updates: cells or individuals. For rock: voxels or triangles. For frames:
    /// pixels.
    pub many: u64,
    /// The number of steps of a repetition.
    pub steps: u64,
    /// The number of repetitions.
    pub rounds: usize,
    /// The seconds per step of the repetitions.
    pub seconds: Spread,
    /// The memory traffic by the plan, in bytes per cell and step; `None` for individuals, which have no plan.
    pub traffic: Option<u64>,
    /// The copy bandwidth of the same device with the same number of threads, in bytes read and written per second.
    pub copied: Option<Spread>,
    /// The number of pairs of an individual and a candidate neighbour that a step checks; `None`: the pairs were not
    /// counted.
    pub pairs: Option<u64>,
    /// The kernel of each pass, and the median of the seconds per step that the pass takes.
    pub passes: Vec<(String, f64)>,
    /// The number of quanta that are missing from the account.
    pub lost: i64,
    /// Whether the state after some steps has the hash of the CPU's state; `None`: the states were not compared.
    pub is_same_as_cpu: Option<bool>,
    /// The reason why the states were not compared although the row asks for a comparison.
    pub not_compared: Option<String>,
}

impl Figures {
    /// The figures of measured times; `None` if there was no repetition. `many`: the number of cells, individuals,
    /// voxels, triangles or pixels.
    pub fn of_times(times: &Times, many: u64, engine: String) -> Option<Self> {
        let (steps, rounds) = (times.steps, times.seconds.len());
        Some(Self { engine, many, steps, rounds, seconds: Spread::new(&times.seconds)?, ..Self::default() })
    }

    /// The number of cells, individuals, voxels, triangles or pixels per second.
    pub fn rate(&self) -> f64 {
        self.many as f64 / self.seconds.median
    }

    /// The number of checked pairs of an individual and a candidate neighbour per second; `None`: the pairs were not
    /// counted.
    pub fn pairs_a_second(&self) -> Option<f64> {
        self.pairs.map(|pairs| pairs as f64 / self.seconds.median)
    }

    /// The bytes per second if a cell takes `bytes_a_cell` bytes, and their share (0 to 1) of the copy bandwidth.
    pub fn bandwidth(&self, bytes_a_cell: u64) -> (f64, Option<f64>) {
        let reached = bytes_a_cell as f64 * self.rate();
        (reached, self.copied.map(|copied| reached / copied.median))
    }

    /// Whether no quanta are missing from the account, and the state does not differ from the CPU's state.
    pub fn is_valid(&self) -> bool {
        self.lost == 0 && self.is_same_as_cpu != Some(false)
    }
}

/// A row that can be measured.
pub trait TimedRow {
    /// The maximum number of steps of a repetition.
    fn most_steps(&self) -> u64 {
        u64::MAX
    }

    /// Plays `steps` steps, or repeats the other work of the row `steps` times, and waits for the end. Returns the time
    /// in seconds.
    ///
    /// # Errors
    /// If a device fails.
    fn play(&mut self, steps: u64) -> Result<f64, Failure>;

    /// The figures of the row; `None` if there was no repetition. The row calls `go_on` before it compares its state
    /// with the CPU's state, and compares only if the answer is `true`.
    ///
    /// # Errors
    /// If a device fails.
    fn figures(&mut self, of: Timing<'_>, go_on: &mut dyn FnMut() -> bool) -> Result<Option<Figures>, Failure>;
}

/// The times of the repetitions of a row, and the copy bandwidth of its device.
pub struct Timing<'a> {
    pub row: &'a Row,
    pub times: &'a Times,
    pub copied: Option<Spread>,
}
