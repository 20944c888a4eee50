//! The keys: one table of what they do and of what the help says about them.

use super::action::{Action, Tool};
use crate::controller::SaveKind;
use Action::*;
use egui::{Align2, Color32, Frame, Grid, Id, Order, RichText, vec2};
use winit::event::{KeyEvent, Modifiers};
use winit::keyboard::Key;

/// Keys with a common heading in the help.
struct Group {
    title: &'static str,
    column: usize,
    rows: &'static [Row],
}

/// A row of the help: the keys, what they do, and the strokes with their actions. A row without strokes is about the mouse.
type Row = (&'static str, &'static str, &'static [(&'static str, Action)]);

const COLUMNS: usize = 3;

/// Every key. A stroke is the character of a key or its name, after `ctrl+` or `ctrl+shift+` if those are held.
const GROUPS: &[Group] = &[
    Group {
        title: "Hunt",
        column: 0,
        rows: &[
            ("move", "scatter the swarm", &[]),
            ("hold left", "hunt harder", &[]),
            ("hold right", "lure instead", &[]),
            ("c", "catch what the jaws reach", &[("c", Catch)]),
            ("g", "a round: catch what you can in a minute", &[("g", Round)]),
            ("w", "watch this hunt again", &[("w", WatchReplay)]),
            ("Enter", "take a hunt over that is watched", &[("Enter", TakeOver)]),
            ("k", "keep the hunt as a replay", &[("k", Save(SaveKind::Replay))]),
        ],
    },
    Group {
        title: "Time",
        column: 0,
        rows: &[
            ("space", "pause and go on", &[("Space", Pause)]),
            (".", "one step", &[(".", Step)]),
            ("+  −", "more and fewer steps a frame", &[("+", Faster(1)), ("=", Faster(1)), ("-", Faster(-1))]),
            ("r", "restart", &[("r", BeginAgain)]),
            (
                "1 – 9",
                "another preset",
                &[
                    ("1", Preset(0)),
                    ("2", Preset(1)),
                    ("3", Preset(2)),
                    ("4", Preset(3)),
                    ("5", Preset(4)),
                    ("6", Preset(5)),
                    ("7", Preset(6)),
                    ("8", Preset(7)),
                    ("9", Preset(8)),
                ],
            ),
            ("Ctrl-S", "save the swarm as it is", &[("ctrl+s", Save(SaveKind::Checkpoint))]),
            ("Ctrl-Shift-S", "save the preset as it is", &[("ctrl+shift+s", Save(SaveKind::Preset))]),
        ],
    },
    Group {
        title: "View",
        column: 1,
        rows: &[
            ("wheel", "zoom to the pointer", &[]),
            ("Page up, down", "zoom", &[("PageUp", Zoom(1)), ("PageDown", Zoom(-1))]),
            ("x", "cells, both, individuals", &[("x", NextModels)]),
            ("y", "the style: dusk, light, cloud, values", &[("y", NextStyle)]),
            ("a", "values across or along the next axis", &[("a", NextAxis)]),
            ("h  j", "the layer before and after", &[("h", Layer(-1)), ("j", Layer(1))]),
            ("d", "in depth, or from above", &[("d", Depth)]),
            ("o", "fly through a deep world, and stop", &[("o", Fly)]),
            ("n", "with the next falcon or a fish, and stop", &[("n", Follow)]),
            ("Ctrl-wheel", "hunt nearer and farther in depth", &[]),
            ("middle drag", "pan; in depth turn (Shift: pan)", &[]),
            (
                "arrows",
                "the same",
                &[
                    ("ArrowLeft", Pan([60, 0])),
                    ("ArrowRight", Pan([-60, 0])),
                    ("ArrowUp", Pan([0, 60])),
                    ("ArrowDown", Pan([0, -60])),
                ],
            ),
            ("f", "fit the world to the window", &[("f", Fit)]),
            ("i", "look into a cell or at a fish: the probe", &[("i", SelectTool(Tool::Probe))]),
            ("p", "still picture", &[("p", Still)]),
            ("m", "film, and stop", &[("m", Film)]),
        ],
    },
    Group {
        title: "Window",
        column: 2,
        rows: &[
            ("Tab", "panel", &[("Tab", Panel)]),
            ("u", "the engine: CPU or GPU", &[("u", NextEngine)]),
            ("?", "these keys", &[("?", Help)]),
            ("F11", "full screen", &[("F11", Fullscreen)]),
            ("q  Ctrl-Q", "quit", &[("q", Quit), ("ctrl+q", Quit)]),
        ],
    },
    Group {
        title: "Brushes",
        column: 2,
        rows: &[
            ("b", "spawn boids", &[("b", SelectTool(Tool::Spawn))]),
            ("l", "lift boids", &[("l", SelectTool(Tool::Lift))]),
            ("s", "paint solid", &[("s", SelectTool(Tool::Solid))]),
            ("e", "erase solid", &[("e", SelectTool(Tool::Erase))]),
            (
                "t  Ctrl-T",
                "strew food, and take it away",
                &[("t", SelectTool(Tool::Feed)), ("ctrl+t", SelectTool(Tool::RemoveFood))],
            ),
            ("[  ]", "smaller and larger", &[("[", Brush(-1)), ("]", Brush(1))]),
            ("v  Esc", "back to the hunter", &[("v", SelectTool(Tool::Hunter)), ("Escape", Cancel)]),
            ("z", "undo", &[("z", Undo), ("ctrl+z", Undo)]),
        ],
    },
];

fn strokes() -> impl Iterator<Item = &'static (&'static str, Action)> {
    GROUPS.iter().flat_map(|group| group.rows).flat_map(|(_, _, strokes)| *strokes)
}

/// The action of a key event, if any. A held key repeats only gradual actions.
pub fn action(event: &KeyEvent, modifiers: &Modifiers) -> Option<Action> {
    let state = modifiers.state();
    if !event.state.is_pressed() || state.alt_key() || state.super_key() {
        return None;
    }
    let action = find(&event.logical_key, state.control_key(), state.shift_key())?;
    (action.is_gradual() || !event.repeat).then_some(action)
}

fn find(key: &Key, control: bool, shift: bool) -> Option<Action> {
    let pressed = match key {
        // Capitals are the same key; no two strokes differ only in case.
        Key::Character(text) if !control => text.to_lowercase(),
        Key::Character(text) => format!("ctrl+{}{}", if shift { "shift+" } else { "" }, text.to_lowercase()),
        Key::Named(named) if !control => format!("{named:?}"),
        _ => return None,
    };
    strokes().find(|(stroke, _)| *stroke == pressed).map(|(_, action)| action.clone())
}

/// Shows the help, a card with the keys in the middle of `area`.
pub fn show_help(ui: &egui::Ui, area: egui::Rect) {
    let ink = Color32::from_rgb(222, 231, 245);
    egui::Area::new(Id::unique("help"))
        .order(Order::Foreground)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(area.center())
        .show(ui.ctx(), |ui| {
            let fill = Color32::from_rgba_unmultiplied(7, 10, 19, 232);
            Frame::new().fill(fill).corner_radius(14).inner_margin(vec2(26.0, 20.0)).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 26.0;
                    for column in 0..COLUMNS {
                        ui.vertical(|ui| {
                            for group in GROUPS.iter().filter(|group| group.column == column) {
                                show_group(ui, group, ink);
                            }
                        });
                    }
                });
            });
        });
}

fn show_group(ui: &mut egui::Ui, group: &Group, ink: Color32) {
    ui.label(RichText::new(group.title).color(ink.gamma_multiply(0.55)).size(12.0));
    Grid::new(group.title).spacing(vec2(14.0, 5.0)).show(ui, |ui| {
        for (keys, text, _) in group.rows {
            ui.label(RichText::new(*keys).color(ink).size(13.0).strong());
            ui.label(RichText::new(*text).color(ink.gamma_multiply(0.78)).size(13.0));
            ui.end_row();
        }
    });
    ui.add_space(12.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::keyboard::NamedKey;

    #[test]
    fn no_stroke_means_two_things() {
        let named = [
            NamedKey::Enter,
            NamedKey::Space,
            NamedKey::PageUp,
            NamedKey::PageDown,
            NamedKey::ArrowLeft,
            NamedKey::ArrowRight,
            NamedKey::ArrowUp,
            NamedKey::ArrowDown,
            NamedKey::Tab,
            NamedKey::F11,
            NamedKey::Escape,
        ];
        for (stroke, action) in strokes() {
            let character = |text: &str| Key::Character(text.into());
            let found = if let Some(written) = stroke.strip_prefix("ctrl+shift+") {
                find(&character(&written.to_uppercase()), true, true)
            } else if let Some(written) = stroke.strip_prefix("ctrl+") {
                find(&character(written), true, false)
            } else if let Some(named) = named.iter().find(|named| format!("{named:?}") == *stroke) {
                find(&Key::Named(*named), false, false)
            } else {
                assert_eq!(stroke.chars().count(), 1, "there is no key named {stroke}");
                find(&character(stroke), false, false)
            };
            assert_eq!(found.as_ref(), Some(action));
        }
        assert_eq!(find(&Key::Character("Q".into()), false, true), Some(Quit));
        assert_eq!(find(&Key::Character("c".into()), true, false), None);
    }

    #[test]
    fn every_preset_up_to_the_ninth_has_its_key() {
        assert_eq!(strokes().filter(|(_, action)| matches!(action, Preset(_))).count(), 9);
    }
}
