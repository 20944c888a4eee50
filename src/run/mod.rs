//! Runs: a simulation that plays to a step, and observers of it.
//!
//! ```no_run
//! use murmuration::run::{Metrics, Run};
//! use murmuration::{FilmRecorder, open};
//!
//! let mut swarm = open("droplets").start()?;
//! let mut metrics = Metrics::every(10, &swarm);
//! let film = FilmRecorder::new("droplets.apng", 30, None, &swarm)?.every(2);
//! Run::new(&mut swarm).to(600).with(film).with(&mut metrics).play()?;
//! println!("polarisation {:.3}", metrics.rows()[60].polarisation);
//! # Ok::<(), murmuration::Failure>(())
//! ```

mod checkpoints;
#[cfg(feature = "look")]
mod frames;
mod metrics;
mod moment;
mod scheduler;
mod statistics;
#[cfg(test)]
mod tests;
#[cfg(feature = "data")]
mod trajectories;

pub use checkpoints::Checkpoints;
#[cfg(feature = "look")]
pub use frames::FrameWriter;
pub use metrics::Metrics;
pub use moment::{Elsewhere, Moment, SwarmReading};
pub use scheduler::{Every, Observer, PieceLength, RunTime, SLICE, Scheduler, Stepper, every};
pub use statistics::Statistics;
#[cfg(feature = "data")]
pub use trajectories::TrajectoryWriter;

use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::simulation::replay::Replay;
use murmuration_core::simulation::{Simulation, StopCheck};
use std::time::Duration;
use web_time::Instant;

/// A run of a model with observers.
pub struct Run<'a, T = Simulation> {
    model: &'a mut T,
    scheduler: Scheduler<'a, T>,
    first: u64,
    begun: Instant,
}

/// The result of a run.
#[derive(Debug)]
pub struct Played {
    /// Steps that were played.
    pub steps: u64,
    /// Whether the run was stopped before its last step.
    pub is_stopped: bool,
    /// The time that steps took.
    pub step_time: Duration,
    /// The time from the making of the run to its end.
    pub time: Duration,
    /// Messages of engines and pictures.
    pub remarks: Vec<String>,
    /// Results that are not at their paths.
    pub elsewhere: Vec<Elsewhere>,
}

impl<'a, T: Stepper> Run<'a, T> {
    /// A run from the present step on, of no steps until [`Self::to`] gives it an end.
    pub fn new(model: &'a mut T) -> Self {
        let first = model.step();
        Self { model, scheduler: Scheduler::new(0), first, begun: Instant::now() }
    }

    /// Ends at a step. A step that was passed already plays nothing.
    pub fn to(mut self, step: u64) -> Self {
        self.scheduler.set_steps(step.saturating_sub(self.first));
        self
    }

    /// Adds an observer, which is called after those before it. `&mut` an observer, and `Option`s of observers, are observers too.
    pub fn with(mut self, observer: impl Observer<T> + 'a) -> Self {
        self.scheduler.add(observer);
        self
    }

    /// Ends after the last whole step when a check says so.
    pub fn stop_when(self, stop: StopCheck) -> Self {
        self.model.stop_when(stop);
        self
    }

    /// Plays the run to its end. Results so far are completed also if it fails.
    ///
    /// # Errors
    /// If the engine or an observer fails.
    pub fn play(self) -> Result<Played, Failure> {
        let Self { model, mut scheduler, begun, .. } = self;
        let played = loop {
            match scheduler.poll(model) {
                Ok(true) => {}
                ended => break ended.map(drop),
            }
        };
        scheduler.finish(model, played)?;
        let (steps, is_stopped) = (scheduler.played(), scheduler.is_stopped());
        let record = std::mem::take(&mut scheduler.record);
        Ok(Played {
            steps,
            is_stopped,
            step_time: record.step_time,
            time: begun.elapsed(),
            remarks: record.said,
            elsewhere: record.elsewhere,
        })
    }
}

impl<'a> Run<'a> {
    /// Plays the steps of a replay with its inputs.
    pub fn replay(mut self, replay: &'a Replay) -> Self {
        self.scheduler.replay(replay);
        self
    }

    /// Pictures are drawn by a chain of the look; `None`: by the built-in one.
    #[cfg(feature = "look")]
    pub fn look(mut self, look: Option<Chain>) -> Self {
        self.scheduler.record.painter = crate::painter::FramePainter::with_look(look);
        self
    }
}
