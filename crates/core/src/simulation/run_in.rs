//! The run-in: steps before step 0, so that a swarm is in flight when it is first seen.

use super::checkpoint::Checkpoint;
use super::{STEPS_AT_ONCE, Simulation};
use crate::chain::Chain;
use crate::error::Failure;
use crate::preset::Preset;
use crate::state::Ledger;
use crate::swarm::Swarm;

impl Simulation {
    /// Brings a swarm that has just begun to where its run-in ends, and calls that step 0. A program may have that state of a
    /// built-in preset as it is written; any other is played, and `progress` is told how many steps were.
    pub(super) fn run_in(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), Failure> {
        let steps = self.preset.start_spec.run_in();
        if steps == 0 {
            return Ok(());
        }
        let swarm = match known_end(&self.preset, &self.chain) {
            Some(swarm) => swarm,
            None => self.play_run_in(steps, progress)?,
        };
        self.engine.set_swarm(&swarm)?;
        self.engine.set_step(0);
        // The engine goes on counting what it catches.
        let caught = self.engine.totals()?.caught;
        self.ledger = Ledger { start: swarm.total(), spawned: 0, caught: 0u64.wrapping_sub(caught) };
        if let Some(record) = &mut self.record {
            record.steps = 0;
        }
        Ok(())
    }

    fn play_run_in(&mut self, steps: u64, progress: &mut dyn FnMut(u64)) -> Result<Swarm, Failure> {
        while self.engine.step < steps {
            self.advance(STEPS_AT_ONCE.min(steps - self.engine.step))?;
            self.wait()?;
            progress(self.engine.step);
        }
        let lost = self.account()?.lost;
        if lost != 0 && self.chain.conserves {
            return Err(Failure::Broken(format!("{lost} quanta were lost before step 0")));
        }
        self.swarm()
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
