//! What keys and the panel ask of the window.

use super::sides::Models;
use crate::controller::{SaveKind, SceneChange};
use murmuration_core::preset::keys::Value;
use murmuration_core::simulation::EngineChoice;

/// What the left button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tool {
    #[default]
    Hunter,
    Spawn,
    Lift,
    Solid,
    Erase,
    Feed,
    RemoveFood,
    /// Shows what is under the mouse, and touches nothing.
    Probe,
}

impl Tool {
    /// Whether it paints while it is pressed.
    pub fn is_brush(self) -> bool {
        !matches!(self, Self::Hunter | Self::Probe)
    }
}

/// The form of a file of curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveForm {
    /// All measures as CSV.
    Table,
    /// Each curve that is shown as SVG.
    Pictures,
}

/// What the page around the window shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageRequest {
    /// Runs that can be verified.
    Gallery,
    /// The files of the scene, to be edited.
    Editor,
}

/// A request of a key or of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Sets a key of the preset.
    Set(String, Value),
    /// Sets every number to the value that the preset has.
    ResetAll,
    /// Begins the built-in preset with this index.
    Preset(usize),
    /// Plays the run of a link.
    Play(String),
    /// Begins the scene again; a replay begins again as a replay.
    BeginAgain,
    /// Begins the scene again with a change.
    Restart(SceneChange),
    /// Moves the swarm to another engine.
    Engine(EngineChoice),
    /// Moves the swarm from the CPU to the GPU, or back.
    NextEngine,
    Save(SaveKind),
    /// Pauses the run, or continues it.
    Pause,
    Step,
    /// Multiplies the pace by 2 to this power.
    Faster(i32),
    /// Begins a round.
    Round,
    /// Replays the run so far.
    WatchReplay,
    /// Plays the run of the link to its end, and compares the hashes.
    Verify,
    /// Asks the page around the window for something.
    Page(PageRequest),
    /// Ends a replay; the person plays on.
    TakeOver,
    /// Opens the jaws, or shuts them.
    Catch,
    SelectTool(Tool),
    /// The brush grows for 1, and shrinks for -1.
    Brush(i8),
    Undo,
    /// Shows these models.
    Models(Models),
    /// Shows in turn the cells, both models and the individuals.
    NextModels,
    /// Moves the divider between the models, in parts of the width that they share.
    Divide(f32),
    /// Draws the swarm in the next style.
    NextStyle,
    /// Reads the values across, or along, the next axis.
    NextAxis,
    /// Moves the slice by layers.
    Layer(i8),
    /// Flies through the depth of a world, or ends it.
    Fly,
    /// Follows the next single one, which flies or swims in a deep world, or ends it.
    Follow,
    /// Shows a deep world from around, or from above.
    Depth,
    Fit,
    /// Moves the view by pixels.
    Pan([i8; 2]),
    /// Zooms in for 1, out for -1.
    Zoom(i8),
    Still,
    /// Begins a film, or ends the current one.
    Film,
    /// Shows or hides the window with curves.
    Curves,
    SaveCurves(CurveForm),
    /// Shows or hides the built-in atlas.
    Atlas,
    /// Shows or hides the panel.
    Panel,
    /// Leads the keys to the next control of the panel.
    Focus,
    /// Shows or hides the keys.
    Help,
    Cancel,
    Fullscreen,
    Quit,
}

impl Action {
    /// Whether it changes the swarm or its rules; not possible while a replay plays.
    pub fn touches_swarm(&self) -> bool {
        matches!(
            self,
            Self::Set(..)
                | Self::ResetAll
                | Self::NextStyle
                | Self::NextAxis
                | Self::Layer(_)
                | Self::Undo
                | Self::Catch
        )
    }

    /// Whether it ends a round without a score.
    pub fn ends_round(&self) -> bool {
        use Action::*;
        matches!(
            self,
            Set(..)
                | ResetAll
                | Preset(_)
                | Play(_)
                | BeginAgain
                | Restart(_)
                | Step
                | Faster(_)
                | Undo
                | WatchReplay
                | Verify
        ) || matches!(self, SelectTool(tool) if !matches!(tool, Tool::Hunter | Tool::Probe))
    }

    /// Whether a held key repeats it.
    pub fn is_gradual(&self) -> bool {
        matches!(
            self,
            Self::Step | Self::Layer(_) | Self::Pan(_) | Self::Zoom(_) | Self::Faster(_) | Self::Brush(_) | Self::Undo
        )
    }
}
