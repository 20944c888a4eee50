//! The run-in: steps before step 0, so that a swarm is in flight when it is first seen.

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
    /// Steps played so far.
    pub played: u64,
    /// All steps of the run-in.
    pub steps: u64,
}

impl Simulation {
    /// As [`Simulation::new`]. `progress` is told now and then how many steps of the preset's run-in were played.
    ///
    /// # Errors
    /// As [`Simulation::new`].
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

    /// As [`Simulation::new`]. Returns `None` if a stop is wanted before the run-in ends. The start itself is not
    /// interrupted.
    ///
    /// # Errors
    /// As [`Simulation::new`].
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

    /// Plays the run-in to step 0. `progress` is told now and then how many steps of the run-in were played.
    ///
    /// # Errors
    /// As [`Self::play_run_in`].
    pub fn finish_run_in(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), Failure> {
        while let Some(RunIn { played, steps }) = self.run_in() {
            self.play_run_in(STEPS_AT_ONCE, Patience::Wait)?;
            progress(steps.min(played + STEPS_AT_ONCE));
        }
        Ok(())
    }

    /// Begins a preset where its run-in begins, which [`Self::play_run_in`] plays piece by piece. A program may have the state in which
    /// the run-in of a built-in preset as it is written ends; then there is nothing to play.
    ///
    /// # Errors
    /// As [`Simulation::new`].
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

    /// How far the run-in is; `None`: step 0 is reached.
    pub fn run_in(&self) -> Option<RunIn> {
        (self.run_in > 0).then_some(RunIn { played: self.engine.step, steps: self.run_in })
    }

    /// Plays at most this many steps of the run-in. With [`Patience::Poll`] it plays fewer where a device has enough to do, and none is waited
    /// for but the last. The state in which it ends is called step 0. Until then nothing else may be done to the swarm.
    ///
    /// # Errors
    /// If the device fails, or boids are lost.
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

    /// Begins the ledger anew with a swarm that the engine has.
    pub(super) fn begin_ledger(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        // The engine goes on counting what it catches.
        let turnover = self.engine.read(TotalsReading)?.turnover();
        self.numbers_before = self.numbers_given();
        self.ledger = Ledger::begin(&swarm.present()).minus(&turnover);
        Ok(())
    }

    /// Makes a swarm the swarm of step 0.
    fn begin_with(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        self.run_in = 0;
        self.put(swarm)?;
        self.engine.set_step(0);
        self.begin_ledger(swarm)?;
        if let Some(record) = &mut self.record {
            record.steps = 0;
        }
        // What pictures draw for each boid is seeded from the state of step 0, whether or not the run-in was drawn.
        if self.engine.point_parameters().is_some() {
            self.engine.set_points(None)?;
        }
        self.adjust_points()
    }
}

/// The swarm in which the run-in of a preset ends, if the program has it for just this preset.
fn known_end(preset: &Preset, chain: &Chain) -> Option<Swarm> {
    // All built-in chains of a model that conserve are the same system.
    if !chain.files.is_empty() || !chain.conserves {
        return None;
    }
    let bytes = preset.host().end_of_run_in(&preset.name)?;
    Checkpoint::from_bytes(&bytes).ok()?.swarm_at_step_0_of(preset)
}
