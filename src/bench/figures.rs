//! What is measured of a row.

use super::timing::Spread;

/// The measured figures of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// The description of the engine.
    pub engine: String,
    pub chain: String,
    /// The number of cells or individuals; of rock, of voxels or triangles.
    pub many: u64,
    /// The steps of a repetition, and the number of repetitions.
    pub steps: u64,
    pub rounds: usize,
    /// Seconds per step.
    pub seconds: Spread,
    /// Bytes per cell and step by the plan; `None` for individuals, which have no plan.
    pub traffic: Option<u64>,
    /// The copy bandwidth of the same device with as many threads, in bytes read and written per second.
    pub copied: Option<Spread>,
    /// The pairs of an individual and a candidate that a step looks at; `None`: they were not counted.
    pub pairs: Option<u64>,
    /// Median seconds per step of each pass, by kernel.
    pub passes: Vec<(String, f64)>,
    /// Quanta lost by the ledger.
    pub lost: i64,
    /// Whether the state after some steps has the hash of the CPU; `None`: they were not compared.
    pub is_same_as_cpu: Option<bool>,
    /// Why they were not compared, if they should have been.
    pub not_compared: Option<String>,
}

impl Figures {
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
