//! Snapshots: a swarm between two steps, kept in memory, to which a simulation can return.

use super::travel::Travel;
use super::undo::UndoPoint;
use super::{Pointer, Simulation};
use crate::chain::Chain;
use crate::error::{BadInput, Failure};
use crate::preset::Preset;
use crate::world::targets::Targets;
use std::sync::Arc;

/// A swarm between two steps, with its rules, its ledger, the player's hunter and the brush strokes that
/// [`Input::Undo`](super::Input::Undo) can undo. A snapshot is only valid for the simulation that made it.
pub struct Snapshot {
    past: UndoPoint,
    preset: Preset,
    chain: Chain,
    pointer: Option<Pointer>,
    jaws: u32,
    targets: Targets,
    inputs: u64,
    undo: Vec<Arc<UndoPoint>>,
    travel: Option<Travel>,
    /// The number of events of the run's record, and the steps after the last event; `None`: the run has no record.
    record: Option<(usize, u64)>,
}

impl Snapshot {
    /// The number of steps before the snapshot.
    pub fn step(&self) -> u64 {
        self.past.step()
    }
}

impl Simulation {
    /// Makes a snapshot. The swarm is read back from the device, and the call waits for it.
    ///
    /// # Errors
    /// If the device fails, or the run-in is unfinished.
    pub fn snapshot(&mut self) -> Result<Snapshot, Failure> {
        if self.run_in > 0 {
            return Err(BadInput::new("snapshot", "a run-in is under way", "play it to its end first").into());
        }
        Ok(Snapshot {
            past: self.undo_point()?,
            preset: self.preset.clone(),
            chain: self.chain.clone(),
            pointer: self.pointer,
            jaws: self.jaws,
            targets: self.targets.clone(),
            inputs: self.inputs,
            undo: self.undo.clone(),
            travel: self.travel,
            record: self.record.as_ref().map(|record| (record.events.len(), record.steps)),
        })
    }

    /// Returns to a snapshot of this simulation. The next steps give the same states as after the snapshot was made.
    ///
    /// # Errors
    /// If the device fails, or the present step is before the snapshot's step.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        if snapshot.step() > self.step() || snapshot.inputs > self.inputs {
            let problem = format!("is of step {}, and the swarm is at step {}", snapshot.step(), self.step());
            return Err(BadInput::new("snapshot", problem, "go back only").into());
        }
        // The chain itself is compared, because a reloaded chain can have an equal name.
        if self.preset.source() != snapshot.preset.source() || self.chain != snapshot.chain {
            // The targets of the snapshot are restored first. The present targets and the hunters of the snapshot
            // together may be more than a world allows.
            let targets = std::mem::replace(&mut self.targets, snapshot.targets.clone());
            let taken = self.take_over(snapshot.preset.clone(), Some(snapshot.chain.clone()));
            taken.inspect_err(|_| self.targets = targets)?;
        }
        self.go_to(&snapshot.past)?;
        (self.pointer, self.jaws, self.inputs) = (snapshot.pointer, snapshot.jaws, snapshot.inputs);
        self.targets.clone_from(&snapshot.targets);
        self.undo.clone_from(&snapshot.undo);
        self.travel = snapshot.travel;
        if let (Some(record), Some((events, steps))) = (&mut self.record, snapshot.record) {
            record.events.truncate(events);
            record.steps = steps;
        }
        Ok(())
    }
}
