//! The keys: one table of what they do and of what the help says about them.

use crate::controller::SaveKind;
use winit::event::{KeyEvent, Modifiers};
use winit::keyboard::{Key, NamedKey};

/// What the left button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    Hunter,
    Spawn,
    Lift,
    Solid,
    Erase,
    /// Shows what is under the mouse, and touches nothing.
    Probe,
}

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Pause,
    Step,
    /// Multiplies the pace by 2 to this power.
    Faster(i32),
    Restart,
    /// The preset with this index.
    Preset(usize),
    Fit,
    /// Shows in turn the cells, both models and the individuals.
    Models,
    /// Shows a deep world from around, or from above.
    Depth,
    /// Moves the view by pixels.
    Pan([i8; 2]),
    /// Zooms in for 1, out for -1.
    Zoom(i8),
    Catch,
    SelectTool(Tool),
    /// The brush grows for 1, and shrinks for -1.
    Brush(i8),
    Undo,
    Still,
    Film,
    Save(SaveKind),
    /// Begins a round.
    Round,
    /// Replays the run so far.
    WatchReplay,
    /// Ends a replay; the person plays on.
    TakeOver,
    Panel,
    Help,
    Cancel,
    Fullscreen,
    Quit,
}

/// The heading of a key in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Hunt,
    Time,
    View,
    Brushes,
    Window,
}

impl Group {
    pub fn title(self) -> &'static str {
        match self {
            Self::Hunt => "Hunt",
            Self::Time => "Time",
            Self::View => "View",
            Self::Brushes => "Brushes",
            Self::Window => "Window",
        }
    }
}

/// A row of the help, with its strokes and their actions. A row without strokes is about the mouse.
pub struct Row {
    pub group: Group,
    strokes: &'static [(Stroke, Action)],
    pub keys: &'static str,
    pub text: &'static str,
}

enum Stroke {
    /// The character of the key.
    Character(&'static str),
    /// With Ctrl held.
    Control(&'static str),
    /// With Ctrl and Shift held.
    ControlShift(&'static str),
    Named(NamedKey),
}

use Action::*;
use Stroke::{Character, Control, ControlShift, Named};

const fn row(group: Group, keys: &'static str, text: &'static str, strokes: &'static [(Stroke, Action)]) -> Row {
    Row { group, strokes, keys, text }
}

/// Every key.
pub const TABLE: &[Row] = &[
    row(Group::Hunt, "move", "scatter the swarm", &[]),
    row(Group::Hunt, "hold left", "hunt harder", &[]),
    row(Group::Hunt, "hold right", "lure instead", &[]),
    row(Group::Hunt, "c", "catch what the jaws reach", &[(Character("c"), Catch)]),
    row(Group::Hunt, "g", "a round: catch what you can in a minute", &[(Character("g"), Round)]),
    row(Group::Hunt, "w", "watch this hunt again", &[(Character("w"), WatchReplay)]),
    row(Group::Hunt, "Enter", "take a hunt over that is watched", &[(Named(NamedKey::Enter), TakeOver)]),
    row(Group::Hunt, "k", "keep the hunt as a replay", &[(Character("k"), Save(SaveKind::Replay))]),
    row(Group::Time, "space", "pause and go on", &[(Named(NamedKey::Space), Pause)]),
    row(Group::Time, ".", "one step", &[(Character("."), Step)]),
    row(
        Group::Time,
        "+  −",
        "more and fewer steps a frame",
        &[(Character("+"), Faster(1)), (Character("="), Faster(1)), (Character("-"), Faster(-1))],
    ),
    row(Group::Time, "r", "restart", &[(Character("r"), Restart)]),
    row(
        Group::Time,
        "1 – 9",
        "another preset",
        &[
            (Character("1"), Preset(0)),
            (Character("2"), Preset(1)),
            (Character("3"), Preset(2)),
            (Character("4"), Preset(3)),
            (Character("5"), Preset(4)),
            (Character("6"), Preset(5)),
            (Character("7"), Preset(6)),
            (Character("8"), Preset(7)),
            (Character("9"), Preset(8)),
        ],
    ),
    row(Group::Time, "Ctrl-S", "save the swarm as it is", &[(Control("s"), Save(SaveKind::Checkpoint))]),
    row(Group::Time, "Ctrl-Shift-S", "save the preset as it is", &[(ControlShift("s"), Save(SaveKind::Preset))]),
    row(Group::View, "wheel", "zoom to the pointer", &[]),
    row(
        Group::View,
        "Page up, down",
        "zoom",
        &[(Named(NamedKey::PageUp), Zoom(1)), (Named(NamedKey::PageDown), Zoom(-1))],
    ),
    row(Group::View, "x", "cells, both, individuals", &[(Character("x"), Models)]),
    row(Group::View, "d", "in depth, or from above", &[(Character("d"), Depth)]),
    row(Group::View, "middle drag", "pan; in depth turn (Shift: pan)", &[]),
    row(
        Group::View,
        "arrows",
        "the same",
        &[
            (Named(NamedKey::ArrowLeft), Pan([60, 0])),
            (Named(NamedKey::ArrowRight), Pan([-60, 0])),
            (Named(NamedKey::ArrowUp), Pan([0, 60])),
            (Named(NamedKey::ArrowDown), Pan([0, -60])),
        ],
    ),
    row(Group::View, "f", "fit the world to the window", &[(Character("f"), Fit)]),
    row(Group::View, "i", "look into a cell: the probe", &[(Character("i"), SelectTool(Tool::Probe))]),
    row(Group::View, "p", "still picture", &[(Character("p"), Still)]),
    row(Group::View, "m", "film, and stop", &[(Character("m"), Film)]),
    row(Group::Brushes, "b", "spawn boids", &[(Character("b"), SelectTool(Tool::Spawn))]),
    row(Group::Brushes, "l", "lift boids", &[(Character("l"), SelectTool(Tool::Lift))]),
    row(Group::Brushes, "s", "paint solid", &[(Character("s"), SelectTool(Tool::Solid))]),
    row(Group::Brushes, "e", "erase solid", &[(Character("e"), SelectTool(Tool::Erase))]),
    row(Group::Brushes, "[  ]", "smaller and larger", &[(Character("["), Brush(-1)), (Character("]"), Brush(1))]),
    row(
        Group::Brushes,
        "v  Esc",
        "back to the hunter",
        &[(Character("v"), SelectTool(Tool::Hunter)), (Named(NamedKey::Escape), Cancel)],
    ),
    row(Group::Brushes, "z", "undo", &[(Character("z"), Undo), (Control("z"), Undo)]),
    row(Group::Window, "Tab", "panel", &[(Named(NamedKey::Tab), Panel)]),
    row(Group::Window, "?", "these keys", &[(Character("?"), Help)]),
    row(Group::Window, "F11", "full screen", &[(Named(NamedKey::F11), Fullscreen)]),
    row(Group::Window, "q  Ctrl-Q", "quit", &[(Character("q"), Quit), (Control("q"), Quit)]),
];

/// The action of a key event, if any. A held key repeats only gradual actions.
pub fn action(event: &KeyEvent, modifiers: &Modifiers) -> Option<Action> {
    let state = modifiers.state();
    if !event.state.is_pressed() || state.alt_key() || state.super_key() {
        return None;
    }
    let action = find(&event.logical_key, state.control_key(), state.shift_key())?;
    let is_gradual = matches!(action, Step | Pan(_) | Zoom(_) | Faster(_) | Brush(_) | Undo);
    (is_gradual || !event.repeat).then_some(action)
}

fn find(key: &Key, control: bool, shift: bool) -> Option<Action> {
    let is_it = |stroke: &Stroke| match (stroke, key) {
        // Capitals are the same key; no two strokes differ only in case.
        (Character(written), Key::Character(text)) => !control && text.to_lowercase() == *written,
        (Control(written), Key::Character(text)) => control && !shift && text.to_lowercase() == *written,
        (ControlShift(written), Key::Character(text)) => control && shift && text.to_lowercase() == *written,
        (Named(named), Key::Named(pressed)) => !control && named == pressed,
        _ => false,
    };
    TABLE.iter().flat_map(|row| row.strokes).find(|(stroke, _)| is_it(stroke)).map(|(_, action)| *action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_stroke_means_two_things() {
        let strokes: Vec<_> = TABLE.iter().flat_map(|row| row.strokes).collect();
        for (stroke, action) in &strokes {
            let found = match stroke {
                Character(written) => find(&Key::Character((*written).into()), false, false),
                Control(written) => find(&Key::Character((*written).into()), true, false),
                ControlShift(written) => find(&Key::Character(written.to_uppercase().into()), true, true),
                Named(named) => find(&Key::Named(*named), false, false),
            };
            assert_eq!(found, Some(*action));
        }
        assert_eq!(find(&Key::Character("Q".into()), false, true), Some(Quit));
        assert_eq!(find(&Key::Character("c".into()), true, false), None);
    }

    #[test]
    fn every_preset_up_to_the_ninth_has_its_key() {
        let presets = TABLE.iter().flat_map(|row| row.strokes).filter(|(_, action)| matches!(action, Preset(_)));
        assert_eq!(presets.count(), 9);
    }
}
