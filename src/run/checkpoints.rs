//! Checkpoints during a run.

use super::{Moment, Observer, RunTime};
use crate::files::save_checkpoint;
use murmuration_core::error::Failure;
use std::path::PathBuf;

/// Saves a checkpoint at every step that is a multiple of a number. Each checkpoint replaces the checkpoint before. A
/// run that was lost can be resumed from the last checkpoint.
#[derive(Debug, Clone)]
pub struct Checkpoints {
    path: PathBuf,
    every: u64,
}

impl Checkpoints {
    /// Saves checkpoints into the file `path`, at every step that is a multiple of `every`. The first step of the run
    /// has no checkpoint.
    pub fn new(path: impl Into<PathBuf>, every: u64) -> Self {
        Self { path: path.into(), every: every.max(1) }
    }
}

impl Observer for Checkpoints {
    fn until_due(&self, time: RunTime) -> u64 {
        if time.played == 0 { self.every - time.step % self.every } else { time.until_step(self.every) }
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        save_checkpoint(moment.model, &self.path)
    }
}
