//! The keys: one table of their actions, with the texts of the help.

use super::action::{Action, Tool};
use super::theme::INK;
use crate::controller::SaveKind;
use Action::*;
use egui::text::LayoutJob;
use egui::{Align2, Color32, FontId, Frame, Grid, Id, Order, RichText, TextFormat, vec2};
use std::collections::BTreeMap;
use winit::event::{KeyEvent, Modifiers};
use winit::keyboard::{Key, KeyCode, PhysicalKey};
#[cfg(not(target_family = "wasm"))]
use winit::platform::modifier_supplement::KeyEventExtModifierSupplement;

/// Keys under a common heading of the help.
struct Group {
    title: &'static str,
    column: usize,
    rows: &'static [Row],
}

/// A row of the help: the keys as text, their effect as text, and the strokes (see [`GROUPS`]) with their actions. A
/// row about the mouse has no strokes.
type Row = (&'static str, &'static str, &'static [(&'static str, Action)]);

const COLUMNS: usize = 3;

/// The colour of the characters of the user's keyboard layout, which the help shows after the keys.
const LAYOUT_INK: Color32 = Color32::from_rgb(128, 182, 232);

/// The table of all keys. A stroke is the character or the name of a key. It begins with `ctrl+` or `ctrl+shift+` if
/// these modifiers are held.
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
            ("Ctrl-L", "share: the link of this run", &[("ctrl+l", Save(SaveKind::Link))]),
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
            ("F6", "the controls of the panel by keys: Tab, Enter, Esc", &[("F6", Focus)]),
            ("F2", "curves", &[("F2", Curves)]),
            ("F3", "atlas: what the rules can do", &[("F3", Atlas)]),
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
                "strew and remove food",
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

/// The key of a stroke, without the modifiers.
fn key_of(stroke: &str) -> &str {
    stroke.strip_prefix("ctrl+shift+").or(stroke.strip_prefix("ctrl+")).unwrap_or(stroke)
}

/// The character of a key, or the accent of a dead key. The character is in lower case, because no two strokes differ
/// only in case. `None`: the key has no character.
fn character(key: &Key) -> Option<String> {
    match key {
        Key::Character(text) => Some(text.to_lowercase()),
        Key::Dead(accent) => accent.map(String::from),
        _ => None,
    }
}

struct Press {
    /// The key in the user's layout with the held modifiers.
    logical: Key,
    /// The key in the user's layout without modifiers.
    unmodified: Key,
    /// The physical key.
    physical: PhysicalKey,
    control: bool,
    shift: bool,
}

impl Press {
    fn stroke(&self) -> Option<String> {
        match &self.logical {
            Key::Named(named) => (!self.control).then(|| format!("{named:?}")),
            _ if self.control => Some(format!("ctrl+{}{}", if self.shift { "shift+" } else { "" }, self.key()?)),
            _ => self.key(),
        }
    }

    /// The pressed key as [`GROUPS`] names it: the character that the key writes, if the table has this character. Else
    /// the character at the same place of an American keyboard. `None`: the key is no shortcut.
    fn key(&self) -> Option<String> {
        let Some(text) = character(&self.logical) else { return self.american_key() };
        if strokes().any(|(stroke, _)| key_of(stroke) == text) {
            return Some(text);
        }
        // The user has held AltGr to write the third character of the key, so the press is no shortcut.
        let is_further = !self.shift && character(&self.unmodified).is_some_and(|own| own != text);
        if is_further { None } else { self.american_key() }
    }

    /// The character at the place of the pressed key on an American keyboard, in lower case. `None`: no shortcut has
    /// this character.
    fn american_key(&self) -> Option<String> {
        let PhysicalKey::Code(code) = self.physical else { return None };
        let name = format!("{code:?}");
        if let Some(letter) = name.strip_prefix("Key") {
            return Some(letter.to_lowercase());
        }
        let character = match (code, self.shift) {
            (KeyCode::Equal, true) => "+",
            (KeyCode::Slash, true) => "?",
            (_, true) => return None,
            (KeyCode::Equal, _) => "=",
            (KeyCode::Minus, _) => "-",
            (KeyCode::Period, _) => ".",
            (KeyCode::BracketLeft, _) => "[",
            (KeyCode::BracketRight, _) => "]",
            _ => name.strip_prefix("Digit")?,
        };
        Some(character.into())
    }
}

/// The characters of the user's layout on keys that act by their place. The characters are learned from key presses.
#[derive(Debug, Default)]
pub struct KeyboardLayout {
    /// For a key of [`GROUPS`], the character that this key writes in the user's layout. A key that writes its own name
    /// is left out.
    characters: BTreeMap<String, String>,
}

impl KeyboardLayout {
    #[cfg(test)]
    pub fn from_characters(characters: &[(&str, &str)]) -> Self {
        let owned = characters.iter().map(|(key, character)| (key.to_string(), character.to_string()));
        Self { characters: owned.collect() }
    }

    /// The action of a key event, if any. A held key repeats only gradual actions.
    pub fn action(&mut self, event: &KeyEvent, modifiers: &Modifiers) -> Option<Action> {
        let state = modifiers.state();
        if !event.state.is_pressed() || state.alt_key() || state.super_key() {
            return None;
        }
        let press = Press {
            logical: event.logical_key.clone(),
            unmodified: without_modifiers(event),
            physical: event.physical_key,
            control: state.control_key(),
            shift: state.shift_key(),
        };
        let action = self.find(&press)?;
        (action.is_gradual() || !event.repeat).then_some(action)
    }

    fn find(&mut self, press: &Press) -> Option<Action> {
        let stroke = press.stroke()?;
        let (_, action) = strokes().find(|(known, _)| *known == stroke)?;
        self.learn(key_of(&stroke), press);
        Some(action.clone())
    }

    /// Learns which character the pressed key writes. `key`: its name in [`GROUPS`].
    fn learn(&mut self, key: &str, press: &Press) {
        let Some(character) = character(&press.logical) else { return };
        if character != key {
            self.characters.insert(key.into(), character);
        } else if !press.shift || press.american_key().is_some_and(|american| american == key) {
            // With Shift a key without this name may write the character. So the press counts only on the key that has
            // the name on an American keyboard.
            self.characters.remove(key);
        }
    }

    /// The known characters of the user's layout for some strokes, without repetition.
    fn characters_of(&self, strokes: &[(&str, Action)]) -> Vec<&str> {
        let known = strokes.iter().filter_map(|(stroke, _)| self.characters.get(key_of(stroke)));
        let mut characters: Vec<&str> = known.map(String::as_str).collect();
        characters.dedup();
        characters
    }
}

/// Shows the help: a card with the keys, in the middle of `area`.
pub fn show_help(ui: &egui::Ui, area: egui::Rect, layout: &KeyboardLayout) {
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
                                show_group(ui, group, layout);
                            }
                        });
                    }
                });
            });
        });
}

fn show_group(ui: &mut egui::Ui, group: &Group, layout: &KeyboardLayout) {
    ui.label(RichText::new(group.title).color(INK.gamma_multiply(0.55)).size(12.0));
    Grid::new(group.title).spacing(vec2(14.0, 5.0)).show(ui, |ui| {
        for (keys, text, strokes) in group.rows {
            ui.label(keys_of_row(ui, keys, &layout.characters_of(strokes)));
            ui.label(RichText::new(*text).color(INK.gamma_multiply(0.78)).size(13.0));
            ui.end_row();
        }
    });
    ui.add_space(12.0);
}

/// The keys of a row, followed by the characters of the user's layout that the font has.
fn keys_of_row(ui: &egui::Ui, keys: &str, characters: &[&str]) -> LayoutJob {
    let font = FontId::proportional(13.0);
    let mut job = LayoutJob::default();
    job.append(keys, 0.0, TextFormat::simple(font.clone(), INK));
    for character in characters {
        if ui.fonts_mut(|fonts| fonts.has_glyphs(&font, character)) {
            job.append(&format!("  {character}"), 0.0, TextFormat::simple(font.clone(), LAYOUT_INK));
        }
    }
    job
}

/// The key without modifiers.
#[cfg(not(target_family = "wasm"))]
fn without_modifiers(event: &KeyEvent) -> Key {
    event.key_without_modifiers()
}

/// A browser does not report the key without modifiers.
#[cfg(target_family = "wasm")]
fn without_modifiers(event: &KeyEvent) -> Key {
    match &event.logical_key {
        Key::Character(character) => Key::Character(character.to_lowercase().into()),
        key => key.clone(),
    }
}

#[cfg(test)]
mod tests;
