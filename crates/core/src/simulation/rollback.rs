//! Rollback: a simulation goes back to the step of a late input, applies the input and repeats the steps since. The
//! peers of a game therefore have equal swarms if they exchange only inputs, even over a slow network.

pub use super::snapshot::Snapshot;
use super::{Input, Simulation};
use crate::error::{BadInput, Failure};
use std::collections::{BTreeMap, VecDeque};

/// The time of an input. The input is applied after `step` steps and before the next step. Inputs of one step are
/// ordered by player, then by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputTime {
    /// The number of steps before the input.
    pub step: u64,
    /// The player who made the input.
    pub player: u32,
    /// The number of the input among the inputs of this player at this step.
    pub number: u32,
}

/// A simulation that goes back to apply late inputs.
///
/// Peers with equal inputs have equal swarms, whatever the order in which the inputs arrived. An input that the
/// simulation refuses changes nothing on any peer.
pub struct Rollback {
    simulation: Simulation,
    /// The number of steps between two snapshots.
    every: u64,
    /// The maximum number of steps by which an input may be late.
    farthest: u64,
    /// The snapshots, the oldest first. Each is of the swarm before the inputs of its step.
    snapshots: VecDeque<Snapshot>,
    /// The inputs since the oldest snapshot.
    inputs: BTreeMap<InputTime, Input>,
    /// The step of the earliest late input that has not been applied.
    late: Option<u64>,
    /// The number of steps that were repeated because of late inputs.
    replayed: u64,
}

impl Rollback {
    /// Makes a simulation that accepts inputs up to `farthest` steps late. It makes a snapshot every `every` steps.
    ///
    /// # Errors
    /// If `every` or `farthest` is 0, or the device fails.
    pub fn new(mut simulation: Simulation, every: u64, farthest: u64) -> Result<Self, Failure> {
        if every == 0 || farthest == 0 {
            return Err(BadInput::new("rollback", "goes back by 0 steps", "give 1 step or more").into());
        }
        let snapshots = VecDeque::from([simulation.snapshot()?]);
        Ok(Self { simulation, every, farthest, snapshots, inputs: BTreeMap::new(), late: None, replayed: 0 })
    }

    /// The simulation at the step of the last [`Self::advance_to`]. Inputs since that call are not applied.
    pub fn simulation(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// The earliest step at which an input is still accepted: the step of the oldest snapshot.
    pub fn earliest(&self) -> u64 {
        self.snapshots.front().map_or(0, Snapshot::step)
    }

    /// The number of steps that were repeated because of late inputs.
    pub fn replayed(&self) -> u64 {
        self.replayed
    }

    /// Takes an input, early, in time or late. The next [`Self::advance_to`] applies the input.
    ///
    /// # Errors
    /// `BadInput` if the input is an undo, its step is before [`Self::earliest`], or another input has the time `time`.
    pub fn insert(&mut self, time: InputTime, input: Input) -> Result<(), BadInput> {
        if input == Input::Undo {
            return Err(BadInput::new("an input", "an undo goes back in time by itself", "leave it out of a game"));
        }
        if time.step < self.earliest() {
            let problem = format!("is of step {}, and the oldest snapshot is of step {}", time.step, self.earliest());
            return Err(BadInput::new("an input", problem, "keep more steps, or wait for the other players"));
        }
        match self.inputs.get(&time) {
            Some(known) if *known == input => return Ok(()),
            Some(_) => {
                return Err(BadInput::new("an input", "has the time of another one", "number the inputs of a step"));
            }
            None => {}
        }
        self.inputs.insert(time, input);
        if time.step < self.simulation.step() {
            self.late = Some(self.late.map_or(time.step, |late| late.min(time.step)));
        }
        Ok(())
    }

    /// Runs to a step and applies the inputs on the way. If inputs arrived late, first goes back to a snapshot before
    /// them and repeats the steps since.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn advance_to(&mut self, step: u64) -> Result<(), Failure> {
        if let Some(late) = self.late.take() {
            let last = self.simulation.step();
            self.go_back(late)?;
            self.replayed += last - self.simulation.step();
            self.play_to(last)?;
        }
        self.play_to(step)
    }

    /// Returns to the last snapshot at or before a step, and drops all later snapshots.
    fn go_back(&mut self, step: u64) -> Result<(), Failure> {
        while self.snapshots.len() > 1 && self.snapshots.back().is_some_and(|last| last.step() > step) {
            self.snapshots.pop_back();
        }
        let Some(last) = self.snapshots.back() else { unreachable!("there is always a snapshot") };
        self.simulation.restore(last)
    }

    fn play_to(&mut self, last: u64) -> Result<(), Failure> {
        while self.simulation.step() < last {
            let step = self.simulation.step();
            let newest = self.snapshots.back().map_or(0, Snapshot::step);
            if step >= newest + self.every {
                self.snapshots.push_back(self.simulation.snapshot()?);
                self.forget(step);
            }
            let of_step = |step| InputTime { step, player: 0, number: 0 };
            for input in self.inputs.range(of_step(step)..of_step(step + 1)).map(|(_, input)| input.clone()) {
                match self.simulation.apply(input) {
                    // Every peer refuses this input, so the swarms stay equal.
                    Ok(()) | Err(Failure::BadInput(_)) => {}
                    Err(other) => return Err(other),
                }
            }
            // Runs to the next step with inputs or a snapshot.
            let next = self.inputs.range(of_step(step + 1)..).next().map_or(last, |(time, _)| time.step);
            let newest = self.snapshots.back().map_or(0, Snapshot::step);
            let end = next.min(newest + self.every).clamp(step + 1, last);
            self.simulation.advance(end - step)?;
            if self.simulation.step() < end {
                // The run was stopped.
                break;
            }
        }
        Ok(())
    }

    /// Drops the snapshots and inputs that are too old for inputs at most `farthest` steps late. `step`: the present
    /// step.
    fn forget(&mut self, step: u64) {
        let is_enough = |snapshot: &Snapshot| snapshot.step() + self.farthest <= step;
        while self.snapshots.get(1).is_some_and(is_enough) {
            self.snapshots.pop_front();
        }
        let first = InputTime { step: self.earliest(), player: 0, number: 0 };
        self.inputs = self.inputs.split_off(&first);
    }
}
