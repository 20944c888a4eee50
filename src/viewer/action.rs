//! Actions: the requests that keys and the panel send to the window.

use super::sides::Models;
use crate::controller::{SaveKind, SceneChange};
use murmuration_core::preset::keys::Value;
use murmuration_core::simulation::EngineChoice;

/// The use of the left mouse button.
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
    /// Shows details of the cell or the individual under the mouse, and changes nothing.
    Probe,
}

impl Tool {
    /// Whether the tool is a brush, which paints while the left button is held.
    pub fn is_brush(self) -> bool {
        !matches!(self, Self::Hunter | Self::Probe)
    }
}

/// The file format of exported curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveForm {
    /// All measures as CSV.
    Table,
    /// Each curve in view as SVG.
    Pictures,
}

/// Parts of the web page around the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageRequest {
    /// The gallery of runs that can be verified.
    Gallery,
    /// The editor of the scene's files.
    Editor,
}

/// A request that a key or the panel sends to the window.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Sets a key of the preset, with this name, to a value.
    Set(String, Value),
    /// Resets every number that the user has changed to its value in the preset.
    ResetAll,
    /// Starts the built-in preset with this index.
    Preset(usize),
    /// Plays the run of a link.
    Play(String),
    /// Starts the scene again from its first step. A replay starts again as a replay.
    BeginAgain,
    /// Restarts the scene with a change, such as another size.
    Restart(SceneChange),
    /// Moves the swarm to another engine.
    Engine(EngineChoice),
    /// Moves the swarm from the CPU to the GPU, or back.
    NextEngine,
    Save(SaveKind),
    /// Pauses the run, or continues it.
    Pause,
    Step,
    /// Doubles the number of steps a second this number of times. A negative number halves it.
    Faster(i32),
    /// Starts a round: a game of a minute in which the user catches boids.
    Round,
    /// Replays the run from its start to the present step.
    WatchReplay,
    /// Plays the run of the link to its end, and compares the hash of the last state with the hash in the link.
    Verify,
    /// Asks the web page around the window to show a part of the page.
    Page(PageRequest),
    /// Ends the replay. The user continues from the present step.
    TakeOver,
    /// Opens or closes the jaws of the hunter, which catch boids.
    Catch,
    SelectTool(Tool),
    /// Enlarges the brush for 1, shrinks the brush for -1.
    Brush(i8),
    Undo,
    Models(Models),
    /// Shows the next of three views: the main swarm alone, both models, the individuals alone.
    NextModels,
    /// Moves the divider between the pictures of the two models by this part of their common width.
    Divide(f32),
    /// Draws the swarm in the next style of pictures.
    NextStyle,
    /// Turns the plane of values: the plane is then across the next of the axes x, y and z.
    NextAxis,
    /// Moves the shown slice of a deep world by this number of layers.
    Layer(i8),
    /// Starts or ends the flight through a deep world.
    Fly,
    /// Follows the next falcon, fish or individual, or stops following.
    Follow,
    /// Switches the view of a deep world between perspective and from above.
    Depth,
    Fit,
    /// Moves the picture in the window by these numbers of pixels, to the right and down.
    Pan([i8; 2]),
    /// Zooms in for 1, zooms out for -1.
    Zoom(i8),
    Still,
    /// Starts or ends the recording of a film.
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
    /// Whether the action changes the swarm, its rules or its pictures. Such an action is not possible during a replay.
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

    /// Whether the action ends a round without a score.
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
