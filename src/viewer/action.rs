//! Requests of the keys and the panel to the window.

use super::sides::Models;
use crate::controller::{SaveKind, SceneChange};
use murmuration_core::preset::keys::Value;
use murmuration_core::simulation::EngineChoice;

/// The use of the left button.
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
    /// Shows details of the thing under the mouse, and changes nothing.
    Probe,
}

impl Tool {
    /// Whether it paints while the button is held.
    pub fn is_brush(self) -> bool {
        !matches!(self, Self::Hunter | Self::Probe)
    }
}

/// The form of exported curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveForm {
    /// All measures as CSV.
    Table,
    /// Each curve in view as SVG.
    Pictures,
}

/// Parts of the page around the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageRequest {
    /// The gallery of runs that can be verified.
    Gallery,
    /// The editor of the scene's files.
    Editor,
}

/// A request of a key or of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Sets a key of the preset.
    Set(String, Value),
    /// Resets every number to the value in the preset.
    ResetAll,
    /// Starts the built-in preset with this index.
    Preset(usize),
    /// Plays the run of a link.
    Play(String),
    /// Starts the scene again. A replay starts again as a replay.
    BeginAgain,
    /// Restarts the scene with a change.
    Restart(SceneChange),
    /// Moves the swarm to another engine.
    Engine(EngineChoice),
    /// Moves the swarm from the CPU to the GPU, or back.
    NextEngine,
    Save(SaveKind),
    /// Pauses the run, or continues it.
    Pause,
    Step,
    /// Multiplies the pace by 2 to the power of this number.
    Faster(i32),
    /// Starts a round.
    Round,
    /// Replays the run so far.
    WatchReplay,
    /// Plays the run of the link to its end, and compares the hash of the state.
    Verify,
    /// Asks the page around the window to show a part of it.
    Page(PageRequest),
    /// Ends the replay. The person plays on from there.
    TakeOver,
    /// Opens or closes the jaws.
    Catch,
    SelectTool(Tool),
    /// Enlarges the brush for 1, shrinks it for -1.
    Brush(i8),
    Undo,
    Models(Models),
    /// Shows the main swarm, both models and the individuals in turn.
    NextModels,
    /// Moves the divider between the models, relative to the width that they share.
    Divide(f32),
    /// Draws the swarm in the next style.
    NextStyle,
    /// Shows the plane of values across the next axis.
    NextAxis,
    /// Moves the slice by this number of layers.
    Layer(i8),
    /// Starts or ends the flight through a deep world.
    Fly,
    /// Follows the next falcon, fish or individual, or stops following.
    Follow,
    /// Shows a deep world from around or from above.
    Depth,
    Fit,
    /// Moves the view by pixels.
    Pan([i8; 2]),
    /// Zooms in for 1, out for -1.
    Zoom(i8),
    Still,
    /// Starts or ends a film.
    Film,
    /// Shows or hides the window with curves.
    Curves,
    SaveCurves(CurveForm),
    /// Shows or hides the built-in atlas.
    Atlas,
    /// Shows or hides the panel.
    Panel,
    /// Moves the keyboard focus to the next control of the panel.
    Focus,
    /// Shows or hides the list of keys.
    Help,
    Cancel,
    Fullscreen,
    Quit,
}

impl Action {
    /// Whether it changes the swarm or its rules. It is not possible during a replay.
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

    /// Whether a held key repeats the action.
    pub fn is_gradual(&self) -> bool {
        matches!(
            self,
            Self::Step | Self::Layer(_) | Self::Pan(_) | Self::Zoom(_) | Self::Faster(_) | Self::Brush(_) | Self::Undo
        )
    }
}
