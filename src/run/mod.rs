//! Runs: a simulation plays to a step, and observers look at its steps.
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
    /// The time that was spent on steps.
    pub step_time: Duration,
    /// The time from [`Run::new`] to the end of the run.
    pub time: Duration,
    /// Messages of engines and pictures.
    pub remarks: Vec<String>,
    /// Results that were written to other places than their paths.
    pub elsewhere: Vec<Elsewhere>,
}

impl<'a, T: Stepper> Run<'a, T> {
    /// A run from the present step on. It plays no steps until [`Self::to`] sets its end.
    pub fn new(model: &'a mut T) -> Self {
        let first = model.step();
        Self { model, scheduler: Scheduler::new(0), first, begun: Instant::now() }
    }

    /// Sets the last step. A step that was passed already plays nothing.
    pub fn to(mut self, step: u64) -> Self {
        self.scheduler.set_steps(step.saturating_sub(self.first));
        self
    }

    /// Adds an observer. Observers are called in the order in which they are added. `&mut` an observer and an `Option`
    /// of one are observers too.
    pub fn with(mut self, observer: impl Observer<T> + 'a) -> Self {
        self.scheduler.add(observer);
        self
    }

    /// Sets a check that ends the run early, after a whole step.
    pub fn stop_when(self, stop: StopCheck) -> Self {
        self.model.stop_when(stop);
        self
    }

    /// Plays the run to its end. If the run fails, the results up to then are completed too.
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

    /// Sets a user's look, as a chain, for pictures; `None`: the built-in look.
    #[cfg(feature = "look")]
    pub fn look(mut self, look: Option<Chain>) -> Self {
        self.scheduler.record.painter = crate::painter::FramePainter::with_look(look);
        self
    }
}
