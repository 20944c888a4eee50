//! What takes the whole swarm: a copy, its hash, a checkpoint, a replay.
//!
//! Each can be asked for and taken while the swarm goes on: what comes is of the step at which it was asked for, whatever is done to the swarm
//! meanwhile, and if its device is lost as well. A ticket that is polled waits for the next engine then; who waits for a ticket calls
//! [`Simulation::settle`] before. Beside each request stands its form that waits.

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;

use super::Simulation;
use super::checkpoint::Checkpoint;
use super::engine_host::Scope;
use super::replay::Replay;
use crate::error::Failure;
use crate::individuals::deposit::deposit;
use crate::state::State;
use crate::swarm::Swarm;
use crate::ticket::{Patience, Ticket};

impl Simulation {
    /// Asks for the whole swarm.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request_swarm(&mut self) -> Result<Ticket<Swarm>, Failure> {
        Ok(self.engine.request_copy(Scope::Swarm)?.map(|copy| copy.swarm))
    }

    /// The whole swarm, waited for.
    ///
    /// # Errors
    /// As [`Self::request_swarm`].
    pub fn swarm(&mut self) -> Result<Swarm, Failure> {
        self.engine.swarm()
    }

    /// Asks for the state of the lattice; of individuals for what the lattice sees of them.
    ///
    /// # Errors
    /// As [`Self::request_swarm`].
    pub fn request_state(&mut self) -> Result<Ticket<State>, Failure> {
        let space = self.preset.space();
        Ok(self.request_swarm()?.map(move |swarm| match swarm {
            Swarm::Cells(state) => state,
            Swarm::Individuals(individuals) => deposit(&individuals, &space),
        }))
    }

    /// The same, waited for.
    ///
    /// # Errors
    /// As [`Self::request_swarm`].
    pub fn state(&mut self) -> Result<State, Failure> {
        let state = self.request_state()?;
        self.wait_for(state)
    }

    /// Asks for the hash of the swarm (`docs/formats.md, State hash`).
    ///
    /// # Errors
    /// As [`Self::request_swarm`].
    pub fn request_state_hash(&mut self) -> Result<Ticket<String>, Failure> {
        Ok(self.request_swarm()?.map(|swarm| swarm.hash()))
    }

    /// The hash of the swarm, waited for.
    ///
    /// # Errors
    /// As [`Self::request_swarm`].
    pub fn state_hash(&mut self) -> Result<String, Failure> {
        let hash = self.request_state_hash()?;
        self.wait_for(hash)
    }

    /// Asks for a checkpoint.
    ///
    /// # Errors
    /// As [`Self::request_swarm`].
    pub fn request_checkpoint(&mut self) -> Result<Ticket<Checkpoint>, Failure> {
        let make = self.checkpoint_at(self.engine.step);
        Ok(self.engine.request_copy(Scope::Whole)?.map(make))
    }

    /// A checkpoint, waited for.
    ///
    /// # Errors
    /// As [`Self::request_swarm`].
    pub fn checkpoint(&mut self) -> Result<Checkpoint, Failure> {
        let checkpoint = self.request_checkpoint()?;
        self.wait_for(checkpoint)
    }

    /// Asks for the run so far, with the hash at its end.
    ///
    /// # Errors
    /// If the run was resumed from a checkpoint, or as [`Self::request_swarm`].
    pub fn request_replay(&mut self) -> Result<Ticket<Replay>, Failure> {
        let mut run = self.run_so_far()?;
        Ok(self.request_state_hash()?.map(move |state_hash| {
            run.state_hash = state_hash;
            run
        }))
    }

    /// The run so far, waited for.
    ///
    /// # Errors
    /// As [`Self::request_replay`].
    pub fn replay(&mut self) -> Result<Replay, Failure> {
        let replay = self.request_replay()?;
        self.wait_for(replay)
    }

    /// How often the whole swarm was read back from the device of the engine: for a hash, a checkpoint or an undo, and
    /// every few thousand steps in case the device is lost. A picture on that device reads nothing back.
    pub fn state_readbacks(&self) -> u64 {
        self.engine.readbacks
    }

    /// Goes on with another engine if a device is lost from which an answer has not come yet.
    ///
    /// # Errors
    /// If no engine can go on; then what was asked for fails as well.
    pub fn collect(&mut self) -> Result<(), Failure> {
        self.engine.collect(Patience::Poll)
    }

    /// Waits until all has come that was asked for.
    ///
    /// # Errors
    /// As [`Self::collect`].
    pub fn settle(&mut self) -> Result<(), Failure> {
        self.engine.settle()
    }

    fn wait_for<T: Send + 'static>(&mut self, ticket: Ticket<T>) -> Result<T, Failure> {
        self.settle()?;
        ticket.wait()
    }
}
