//! Stores the trajectories of a run.

use super::{Moment, Observer, RunTime};
use crate::files::folder_of;
use crate::observe::{Trajectories, TrajectoryFormat, features};
use crate::ranks::is_first_rank;
use murmuration_core::error::Failure;
use murmuration_core::preset::Preset;
use murmuration_core::state::Swarm;
use std::path::PathBuf;

/// An observer of a run that stores the places and velocities of all individuals at every few steps. At the end of the
/// run they are written as a table or as NumPy arrays (`docs/formats.md`, Trajectories).
pub struct TrajectoryWriter {
    every: u64,
    path: PathBuf,
    format: TrajectoryFormat,
    /// The stored trajectories; `None`: another rank writes the trajectories.
    trajectories: Option<Trajectories>,
}

impl TrajectoryWriter {
    /// Stores the individuals of a preset at the first step of a run and at every `every`-th step after it. The ending
    /// of `path` gives the format: `.csv` or `.npz`.
    ///
    /// # Errors
    /// If the ending is neither `.csv` nor `.npz`, or no temporary file can be created in the folder of `path`.
    pub fn new(path: impl Into<PathBuf>, every: u64, preset: &Preset) -> Result<Self, Failure> {
        let path = path.into();
        let format = TrajectoryFormat::from_path(&path)?;
        let begin = || Trajectories::begin(&path, preset.size().axes(), features::columns_of_individuals(preset));
        let trajectories = is_first_rank().then(begin).transpose()?;
        Ok(Self { every: every.max(1), path, format, trajectories })
    }
}

impl Observer for TrajectoryWriter {
    fn until_due(&self, time: RunTime) -> u64 {
        time.until(self.every)
    }

    fn takes_last(&self, is_stopped: bool) -> bool {
        is_stopped
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        let reading = moment.swarm()?;
        let swarm = reading.as_ref().map(|reading| &reading.swarm);
        if let (Some(trajectories), Some(Swarm::Individuals(individuals, columns))) = (&mut self.trajectories, swarm) {
            let path = || self.path.display().to_string();
            let failed = |source| Failure::File { action: "cannot store a step of", path: path(), source };
            trajectories.add(moment.time.step, individuals, columns.origin()).map_err(failed)?;
        }
        Ok(())
    }

    fn finish(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        let Some(mut trajectories) = self.trajectories.take().filter(|trajectories| !trajectories.is_empty()) else {
            return Ok(());
        };
        let (format, folder) = (self.format, folder_of(&self.path));
        moment.write_result(&self.path, trajectories.describe(), |to| trajectories.write(format, folder, to))
    }
}
