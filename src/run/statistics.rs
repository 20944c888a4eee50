//! Measures the statistics of a run.

use super::{Moment, Observer, RunTime};
use crate::observe::StatisticsRecord;
use murmuration_core::error::Failure;
use std::path::PathBuf;

/// An observer of a run that stores the statistics of every few steps, and writes them as JSON at the end
/// (`docs/formats.md`, Statistics).
#[derive(Debug)]
pub struct Statistics {
    every: u64,
    path: PathBuf,
    record: StatisticsRecord,
}

impl Statistics {
    /// Measures the first step of a run and every `every`-th step after it. The results are written to the file `path`.
    pub fn new(path: impl Into<PathBuf>, every: u64) -> Self {
        Self { every: every.max(1), path: path.into(), record: StatisticsRecord::default() }
    }
}

impl Observer for Statistics {
    fn until_due(&self, time: RunTime) -> u64 {
        time.until(self.every)
    }

    fn takes_last(&self, is_stopped: bool) -> bool {
        is_stopped
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        if let Some(reading) = moment.swarm()? {
            self.record.add(moment.model, &reading.swarm);
        }
        Ok(())
    }

    fn finish(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        moment.write_text(&self.path, self.record.describe())
    }
}
