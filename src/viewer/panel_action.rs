//! What the panel shows, and what it asks for.

use super::comparison_panel::ComparisonPanel;
use super::plot::History;
use super::sides::{Arrangement, Models};
use crate::controller::{Pace, SaveKind, Snapshot};
use crate::preset::keys::Value;
use crate::simulation::EngineChoice;

/// A request of the panel or of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum PanelAction {
    /// Sets a key of the preset.
    Set(String, Value),
    /// Begins a built-in preset.
    Preset(&'static str),
    /// Restarts the scene, with another seed if one is given.
    Restart(Option<u64>),
    /// Restarts the scene with this many cells along x and y.
    Size(u32, u32),
    /// Restarts the scene with other values of its start.
    Start(Vec<(String, Value)>),
    /// Sets every number to the value that the preset has.
    ResetAll,
    /// Moves the swarm to another engine.
    Engine(EngineChoice),
    Save(SaveKind),
    Pause(bool),
    Step,
    Pace(Pace),
    Catch(bool),
    Undo,
    /// Begins a film, or ends the current one.
    Film,
    /// Shows these models.
    Models(Models),
    /// Moves the divider between the models, in parts of the width that they share.
    Divide(f32),
    /// Shows a deep world from around, or from above.
    Around(bool),
    /// Shows or hides the keys.
    Help,
    /// Begins a round.
    Round,
    /// Replays the run so far.
    WatchReplay,
}

impl PanelAction {
    /// Whether it changes the swarm or its rules; not possible while a replay plays.
    pub fn touches_swarm(&self) -> bool {
        matches!(self, Self::Set(..) | Self::ResetAll | Self::Undo | Self::Catch(_))
    }

    /// Whether it ends a round without a score.
    pub fn ends_round(&self) -> bool {
        matches!(
            self,
            Self::Set(..)
                | Self::Preset(_)
                | Self::Restart(_)
                | Self::Size(..)
                | Self::Start(_)
                | Self::ResetAll
                | Self::Step
                | Self::Pace(_)
                | Self::Undo
                | Self::WatchReplay
        )
    }
}

/// What the panel shows.
pub struct PanelInput<'a> {
    pub snapshot: &'a Snapshot,
    pub history: &'a History,
    pub comparison_panel: &'a ComparisonPanel,
    pub is_paused: bool,
    pub arrangement: &'a Arrangement,
    pub pace: Pace,
    pub adapter: &'a str,
}
