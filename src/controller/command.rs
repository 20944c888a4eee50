//! What a person asks of a simulation, and what they are told.

use super::pace::Pace;
use super::scene::{Scene, SceneChange};
use super::storage::SaveKind;
use crate::numbers::Cell;
use crate::simulation::{EngineChoice, Input};

/// A request to the controller.
#[derive(Debug)]
pub enum Command {
    /// An input to the simulation. Ignored while a replay plays.
    Input(Input),
    /// Pauses the run, or continues it.
    Pause(bool),
    /// Plays this many steps, in a pause too.
    Steps(u64),
    Pace(Pace),
    /// Another scene from its first step, on the current engine.
    Begin(Scene),
    /// The same scene with a change from its first step.
    Restart(SceneChange),
    /// A round: the same scene from its first step, and a pause after this many steps.
    Round(u64),
    /// Ends a round: the run no longer pauses by itself.
    EndRound,
    /// Replays the run so far from its first step.
    WatchReplay,
    /// Ends a replay; the person plays on from the current state.
    TakeOver,
    /// Probes this cell with every snapshot; `None` ends that.
    Probe(Option<Cell>),
    /// Films every n-th state from now on; `None` ends that.
    Film(Option<u64>),
    /// Restarts the scene with the individuals next to its cells; `false` removes them.
    Compare(bool),
    /// Moves the swarm to another engine.
    Engine(EngineChoice),
    Save(SaveKind),
}

impl Command {
    /// Whether the next command makes this one pointless: a pointer that moves on, a slider that is dragged.
    pub fn is_superseded_by(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Input(Input::Hunter(_)), Self::Input(Input::Hunter(_))) => true,
            (Self::Input(Input::Set { key, .. }), Self::Input(Input::Set { key: next, .. })) => key == next,
            _ => false,
        }
    }
}

/// A message to the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Info(String),
    Error(String),
    /// The error with this text no longer holds.
    Resolved(String),
}
