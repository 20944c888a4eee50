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

/// A run: a model that plays steps, with observers of these steps. The model is a [`Simulation`], or a pair of
/// simulations that are compared.
pub struct Run<'a, T = Simulation> {
    model: &'a mut T,
    scheduler: Scheduler<'a, T>,
    first: u64,
    begun: Instant,
}

/// Facts about a run that has ended.
#[derive(Debug)]
pub struct Played {
    /// The number of steps that were played.
    pub steps: u64,
    /// Whether the run was stopped before its last step.
    pub is_stopped: bool,
    /// The wall-clock time that was spent on playing steps.
    pub step_time: Duration,
    /// The wall-clock time from [`Run::new`] to the end of the run.
    pub time: Duration,
    /// Messages of engines, pictures and observers for the user.
    pub remarks: Vec<String>,
    /// Results that could not be written to their paths: for each the path that was written instead, and the error.
    pub elsewhere: Vec<Elsewhere>,
}

impl<'a, T: Stepper> Run<'a, T> {
    /// A run of a model from its present step on. Without [`Self::to`] the run plays no steps.
    pub fn new(model: &'a mut T) -> Self {
        let first = model.step();
        Self { model, scheduler: Scheduler::new(0), first, begun: Instant::now() }
    }

    /// Sets the last step of the run. If the model has already passed this step, the run plays no steps.
    pub fn to(mut self, step: u64) -> Self {
        self.scheduler.set_steps(step.saturating_sub(self.first));
        self
    }

    /// Adds an observer. Observers are called in the order in which they are added. `&mut O` and `Option<O>` are
    /// observers too if `O` is an observer.
    pub fn with(mut self, observer: impl Observer<T> + 'a) -> Self {
        self.scheduler.add(observer);
        self
    }

    /// Sets a function that is called often during the run. Once the function returns true, the run ends after the
    /// present step.
    pub fn stop_when(self, stop: StopCheck) -> Self {
        self.model.stop_when(stop);
        self
    }

    /// Plays the run to its end. If the run fails, observers still complete their results of the steps before.
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
    /// Plays the steps of a replay with its inputs. The number of steps of the replay replaces [`Self::to`].
    pub fn replay(mut self, replay: &'a Replay) -> Self {
        self.scheduler.replay(replay);
        self
    }

    /// Sets a look chain of the user that draws all pictures of the run; `None`: the built-in look.
    #[cfg(feature = "look")]
    pub fn look(mut self, look: Option<Chain>) -> Self {
        self.scheduler.record.painter = crate::painter::FramePainter::with_look(look);
        self
    }
}
