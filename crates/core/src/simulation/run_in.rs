//! The run-in: steps before step 0, so that the swarm already moves at step 0.

use super::checkpoint::Checkpoint;
use super::{EngineChoice, STEPS_AT_ONCE, Simulation, StopCheck};
use crate::chain::Chain;
use crate::engine::TotalsReading;
use crate::error::Failure;
use crate::preset::Preset;
use crate::state::{Ledger, Swarm};
use crate::ticket::Patience;

/// The progress of a run-in, in steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunIn {
    /// The number of steps that were played.
    pub played: u64,
    /// The number of steps of the run-in.
    pub steps: u64,
}

impl Simulation {
    /// Starts a simulation like [`Simulation::new`]. `progress` is called many times during the run-in with the number
    /// of its steps that were played.
    ///
    /// # Errors
    /// The errors of [`Simulation::new`].
    pub fn new_with(
        preset: Preset,
        chain: &Chain,
        choice: EngineChoice,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, Failure> {
        let mut simulation = Self::before_run_in(preset, chain, choice)?;
        simulation.finish_run_in(progress)?;
        Ok(simulation)
    }

    /// Starts a simulation like [`Simulation::new`]. Returns `None` if `stop` returns true before the run-in ends. The
    /// work before the run-in is not interrupted.
    ///
    /// # Errors
    /// The errors of [`Simulation::new`].
    pub fn new_until(
        preset: Preset,
        chain: &Chain,
        choice: EngineChoice,
        stop: StopCheck,
    ) -> Result<Option<Self>, Failure> {
        let mut simulation = Self::before_run_in(preset, chain, choice)?;
        simulation.stop_when(stop.clone());
        while simulation.run_in().is_some() {
            if stop() {
                return Ok(None);
            }
            simulation.play_run_in(STEPS_AT_ONCE, Patience::Wait)?;
        }
        simulation.stop = None;
        Ok(Some(simulation))
    }

    /// Plays the rest of the run-in. The state at its end is step 0. `progress` is called many times with the number of
    /// steps of the run-in that were played.
    ///
    /// # Errors
    /// The errors of [`Self::play_run_in`].
    pub fn finish_run_in(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), Failure> {
        while let Some(RunIn { played, steps }) = self.run_in() {
            self.play_run_in(STEPS_AT_ONCE, Patience::Wait)?;
            progress(steps.min(played + STEPS_AT_ONCE));
        }
        Ok(())
    }

    /// Starts a preset at the beginning of its run-in. [`Self::play_run_in`] then plays the run-in in parts. The run-in
    /// is skipped if the program contains the state at its end, as for unchanged built-in presets.
    ///
    /// # Errors
    /// The errors of [`Simulation::new`].
    pub fn before_run_in(preset: Preset, chain: &Chain, choice: EngineChoice) -> Result<Self, Failure> {
        let mut simulation = Self::begin(preset, chain, choice, None)?;
        let steps = simulation.preset.start_spec.run_in();
        let known = if steps > 0 { known_end(&simulation.preset, chain) } else { None };
        match known {
            Some(swarm) => simulation.begin_with(&swarm)?,
            None => simulation.run_in = steps,
        }
        Ok(simulation)
    }

    /// The progress of the run-in; `None`: step 0 is reached.
    pub fn run_in(&self) -> Option<RunIn> {
        (self.run_in > 0).then_some(RunIn { played: self.engine.step, steps: self.run_in })
    }

    /// Plays at most `most` steps of the run-in. With [`Patience::Poll`] it plays fewer steps if the device's queue is
    /// full, and waits only for the last step of the run-in. The state at the end becomes step 0. Until then, nothing
    /// else may change the swarm.
    ///
    /// # Errors
    /// If the device fails, or boids are lost although the chain conserves them.
    pub fn play_run_in(&mut self, most: u64, patience: Patience) -> Result<(), Failure> {
        let Some(RunIn { played, steps }) = self.run_in() else { return Ok(()) };
        self.advance_patiently(most.min(steps - played), patience)?;
        if self.engine.step < steps {
            return Ok(());
        }
        let lost = self.account()?.lost;
        if lost != 0 && self.chain.conserves {
            return Err(Failure::Broken(format!("{lost} quanta were lost before step 0")));
        }
        let swarm = self.swarm()?;
        self.begin_with(&swarm)
    }

    /// Makes the engine's present swarm the start of the ledger.
    pub(super) fn begin_ledger(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        // The engine does not reset its counts, so the ledger begins with their negative.
        let turnover = self.engine.read(TotalsReading)?.turnover();
        self.numbers_before = self.numbers_given();
        self.ledger = Ledger::begin(&swarm.present()).minus(&turnover);
        Ok(())
    }

    /// Makes the swarm the state of step 0 and ends the run-in.
    fn begin_with(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        self.run_in = 0;
        self.put(swarm)?;
        self.engine.set_step(0);
        self.begin_ledger(swarm)?;
        if let Some(record) = &mut self.record {
            record.steps = 0;
        }
        // Points of the picture are seeded again from the state of step 0.
        if self.engine.point_parameters().is_some() {
            self.engine.set_points(None)?;
        }
        self.adjust_points()
    }
}

/// The swarm at the end of a preset's run-in; `None` if the program does not contain it for exactly this preset.
fn known_end(preset: &Preset, chain: &Chain) -> Option<Swarm> {
    // The stored swarm is valid for every built-in chain that conserves boids, because these compute equal results.
    if !chain.files.is_empty() || !chain.conserves {
        return None;
    }
    let bytes = preset.host().end_of_run_in(&preset.name)?;
    Checkpoint::from_bytes(&bytes).ok()?.swarm_at_step_0_of(preset)
}
