//! The panel on the right: every number of the scene, in sections that fold.

use super::autosave::Autosave;
use super::comparison_panel::ComparisonPanel;
use super::engines::Engines;
use super::film_panel::FilmSettings;
use super::gallery;
use super::hand::Hand;
use super::play::{Pace, Snapshot};
use super::plot::History;
use super::scene::Facts;
use super::settings::{Control, Section, Setting, Value, settings};
use super::sides::{Arrangement, Models};
use crate::readable::grouped;
use crate::simulation::EngineChoice;
use egui::{Button, ComboBox, DragValue, RichText, Slider, SliderClamping, Ui};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the panel asks of the window.
#[derive(Debug, Clone, PartialEq)]
pub enum PanelAction {
    /// A key of the preset and its value.
    Set(String, Value),
    /// Another built-in preset.
    Preset(&'static str),
    /// The scene from its start, with another seed where one is said.
    Restart(Option<u64>),
    /// The scene from its start, with this many cells along x and y.
    Size(u32, u32),
    /// Keys of the start with their values: the scene begins anew with them.
    Start(Vec<(String, Value)>),
    /// The numbers of the preset as they are written.
    ResetAll,
    /// The same swarm on another engine.
    Engine(EngineChoice),
    Keep(Autosave),
    Pause(bool),
    Step,
    Pace(Pace),
    Catch(bool),
    Undo,
    /// A film from now on, or no longer.
    Film,
    /// These models, where there are both.
    Models(Models),
    /// The divider between them, as a part of what they share.
    Divide(f32),
    /// A deep world is seen from around, or from above.
    Around(bool),
    Help,
    /// A round with a clock and a score.
    Round,
    /// The hunt so far, watched from its beginning.
    Rewatch,
}

impl PanelAction {
    /// Whether it changes how the swarm goes on.
    pub fn touches_swarm(&self) -> bool {
        matches!(self, Self::Set(..) | Self::ResetAll | Self::Undo | Self::Catch(_))
    }

    /// Whether a round is not the same with it.
    pub fn is_foul(&self) -> bool {
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
                | Self::Rewatch
        )
    }
}

/// What the panel remembers from frame to frame.
#[derive(Default)]
pub struct Panel {
    /// The values of the scene before anything was set.
    fresh: BTreeMap<String, Value>,
    /// Values that were asked for and are not in a snapshot yet, with the command that brings them.
    pending: BTreeMap<String, (Value, u64)>,
    scene: Option<(String, u64)>,
    /// What was last known of it, and how often its files had been taken over.
    known: Option<(Arc<Facts>, u64)>,
    /// A key of the start and its value while a hand still moves it.
    held: Option<(String, Value)>,
    seed: u64,
    size: [u32; 2],
    engines: Engines,
}

/// What the panel shows beside the snapshot.
pub struct Shown<'a> {
    pub snapshot: &'a Snapshot,
    pub history: &'a History,
    pub comparison_panel: &'a ComparisonPanel,
    pub is_paused: bool,
    pub arrangement: &'a Arrangement,
    pub pace: Pace,
    pub adapter: &'a str,
}

impl Panel {
    /// A value was asked for by the command with this number.
    pub fn asked(&mut self, key: &str, value: &Value, command: u64) {
        self.pending.insert(key.to_owned(), (value.clone(), command));
    }

    /// Takes note of what a new snapshot tells.
    pub fn notice(&mut self, snapshot: &Snapshot) {
        self.pending.retain(|_, (_, command)| *command > snapshot.heard);
        let facts = &snapshot.facts;
        let scene = Some((facts.preset.clone(), snapshot.scene));
        let before = self.known.replace((facts.clone(), snapshot.reloads));
        if self.scene == scene {
            if let Some((before, reloads)) = before
                && reloads != snapshot.reloads
            {
                // What a file says anew is what a reset goes back to.
                let other = facts.values.iter().filter(|(key, value)| before.values.get(*key) != Some(value));
                self.fresh.extend(other.map(|(key, value)| (key.clone(), value.clone())));
                self.fresh.retain(|key, _| facts.values.contains_key(key));
            }
            return;
        }
        // A restart keeps what was set; what it was before is known from the first time.
        if self.scene.as_ref().is_none_or(|(preset, _)| *preset != facts.preset) {
            self.fresh = facts.values.clone();
        }
        self.scene = scene;
        self.seed = facts.seed;
        self.size = [facts.world.extents.width, facts.world.extents.height];
    }

    /// The values of the scene before anything was set.
    pub fn fresh(&self) -> &BTreeMap<String, Value> {
        &self.fresh
    }

    /// Shows the sections.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        shown: &Shown<'_>,
        hand: &mut Hand,
        film: &mut FilmSettings,
        wishes: &mut Vec<PanelAction>,
    ) {
        ui.add_space(6.0);
        section(ui, "Scene", true, |ui| self.scene(ui, shown, wishes));
        section(ui, "Start", false, |ui| {
            self.settings(ui, Section::Start, shown.snapshot, wishes);
            self.let_go(ui, wishes);
        });
        section(ui, "Rules", true, |ui| self.settings(ui, Section::Rules, shown.snapshot, wishes));
        section(ui, "Sight", false, |ui| self.settings(ui, Section::Sight, shown.snapshot, wishes));
        section(ui, "Movement", false, |ui| self.settings(ui, Section::Movement, shown.snapshot, wishes));
        section(ui, "World", false, |ui| {
            self.settings(ui, Section::World, shown.snapshot, wishes);
            self.size(ui, shown.snapshot, wishes);
        });
        section(ui, "Hunt", false, |ui| {
            hunt(ui, hand, wishes);
            if shown.snapshot.facts.world.hunter.is_some() {
                ui.add_space(4.0);
                ui.label(RichText::new("the preset's own hunter").small());
                self.settings(ui, Section::Hunt, shown.snapshot, wishes);
            }
        });
        section(ui, "Look", false, |ui| {
            self.settings(ui, Section::Look, shown.snapshot, wishes);
            let mut is_around = shown.arrangement.orbit.is_some();
            if shown.snapshot.facts.depth > 1 && ui.checkbox(&mut is_around, "in depth (d)").changed() {
                wishes.push(PanelAction::Around(is_around));
            }
            theme(ui);
        });
        if shown.snapshot.facts.has_cells {
            section(ui, "Compare", false, |ui| super::split::panel(ui, shown, wishes));
        }
        section(ui, "Film", false, |ui| film.show(ui, wishes));
        section(ui, "Curves", false, |ui| shown.history.show(ui));
        section(ui, "Engine", false, |ui| {
            self.engines.show(ui, shown.snapshot.facts.choice, wishes);
            engine(ui, shown);
        });
        ui.add_space(10.0);
    }

    fn scene(&mut self, ui: &mut Ui, shown: &Shown<'_>, wishes: &mut Vec<PanelAction>) {
        let facts = &shown.snapshot.facts;
        let chosen = ui.scope(|ui| gallery::show(ui, &facts.preset)).inner;
        wishes.extend(chosen.map(PanelAction::Preset));
        ui.add(egui::Label::new(RichText::new(&facts.description).small()).wrap());
        ui.horizontal(|ui| {
            let name = ui.label("seed").id;
            let seed = ui.add(DragValue::new(&mut self.seed).range(0..=i64::MAX as u64).speed(0.1)).labelled_by(name);
            if (seed.drag_stopped() || seed.lost_focus()) && self.seed != facts.seed {
                wishes.push(PanelAction::Restart(Some(self.seed)));
            }
            if ui.button("next").on_hover_text("restart with the next seed").clicked() {
                wishes.push(PanelAction::Restart(Some((facts.seed + 1) & (i64::MAX as u64))));
            }
            if ui.button("restart").on_hover_text("r").clicked() {
                wishes.push(PanelAction::Restart(None));
            }
            let meaning = "Ctrl-Shift-S: the preset with all that was set and painted, as a file of its own";
            if ui.button("save preset").on_hover_text(meaning).clicked() {
                wishes.push(PanelAction::Keep(Autosave::Preset));
            }
        });
        ui.horizontal(|ui| {
            let word = if shown.is_paused { "play" } else { "pause" };
            if ui.button(word).on_hover_text("space").clicked() {
                wishes.push(PanelAction::Pause(!shown.is_paused));
            }
            if ui.button("step").on_hover_text(".").clicked() {
                wishes.push(PanelAction::Step);
            }
            if ui.button("undo").on_hover_text("z: what the brushes did").clicked() {
                wishes.push(PanelAction::Undo);
            }
            if ui.button("round").on_hover_text("g: catch what you can in a minute").clicked() {
                wishes.push(PanelAction::Round);
            }
            if ui.button("keys").on_hover_text("?").clicked() {
                wishes.push(PanelAction::Help);
            }
        });
        ui.horizontal(|ui| {
            if ui.button("−").clicked() {
                wishes.push(PanelAction::Pace(shown.pace.faster(-1)));
            }
            if ui.button("+").clicked() {
                wishes.push(PanelAction::Pace(shown.pace.faster(1)));
            }
            ui.label(shown.pace.to_string());
            // In a row that is there anyway, so that no slider moves away under the mouse.
            let is_changed = self.fresh != facts.values;
            if is_changed && ui.button("reset all").on_hover_text("every number as the preset has it").clicked() {
                wishes.push(PanelAction::ResetAll);
            }
        });
    }

    fn settings(&mut self, ui: &mut Ui, section: Section, snapshot: &Snapshot, wishes: &mut Vec<PanelAction>) {
        let values = &snapshot.facts.values;
        for setting in settings(values).filter(|setting| setting.section == section) {
            let held = self.held.as_ref().filter(|(key, _)| *key == setting.key).map(|(_, value)| value);
            let asked = self.pending.get(&setting.key).map(|(value, _)| value);
            let Some(now) = held.or(asked).or(values.get(&setting.key)) else { continue };
            let mut value = now.clone();
            ui.horizontal(|ui| {
                let name = label(ui, &setting.label).on_hover_text(format!("{}\n{}", setting.meaning, setting.key)).id;
                let fresh = self.fresh.get(&setting.key).filter(|fresh| *fresh != now);
                // Kept free even where there is nothing to reset, so that nothing moves.
                let width = ui.available_width() - 26.0;
                ui.allocate_ui_with_layout(
                    egui::vec2(width, 18.0),
                    egui::Layout::left_to_right(egui::Align::Center),
                    |ui| control(ui, &setting, &mut value, name),
                );
                if let Some(fresh) = fresh
                    && reset(ui, &setting.label).on_hover_text(format!("back to {fresh}")).clicked()
                {
                    value = fresh.clone();
                }
            });
            if value == *now {
                continue;
            }
            match section {
                Section::Start => self.held = Some((setting.key, value)),
                _ => wishes.push(PanelAction::Set(setting.key, value)),
            }
        }
    }

    /// A number of the start begins the scene anew, but not while a hand still moves it or writes it.
    fn let_go(&mut self, ui: &Ui, wishes: &mut Vec<PanelAction>) {
        let is_moved = ui.input(|input| input.pointer.any_down()) || ui.ctx().text_edit_focused();
        if !is_moved && let Some(held) = self.held.take() {
            wishes.push(PanelAction::Start(vec![held]));
        }
    }

    fn size(&mut self, ui: &mut Ui, snapshot: &Snapshot, wishes: &mut Vec<PanelAction>) {
        let extents = snapshot.facts.world.extents;
        ui.horizontal(|ui| {
            let name = ui.label("size").id;
            ui.add(DragValue::new(&mut self.size[0]).range(1..=16_384)).labelled_by(name);
            ui.label("×");
            ui.add(DragValue::new(&mut self.size[1]).range(1..=16_384)).labelled_by(name);
            ui.label("cells");
            let is_other = self.size != [extents.width, extents.height];
            if ui.add_visible(is_other, Button::new("restart")).clicked() {
                wishes.push(PanelAction::Size(self.size[0], self.size[1]));
            }
        });
    }
}

fn section(ui: &mut Ui, title: &str, is_open: bool, contents: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).size(14.0)).id_salt(title).default_open(is_open).show_unindented(
        ui,
        |ui| {
            contents(ui);
            ui.add_space(6.0);
        },
    );
}

/// A label at the left of a row, as broad as all the others.
fn label(ui: &mut Ui, text: &str) -> egui::Response {
    let left = egui::Layout::left_to_right(egui::Align::Center);
    let size = egui::vec2(76.0, 18.0);
    ui.allocate_ui_with_layout(size, left, |ui| {
        ui.set_min_size(size);
        ui.add(egui::Label::new(text).truncate())
    })
    .inner
}

/// A button with an arrow that goes back round, which the fonts lack.
fn reset(ui: &mut Ui, label: &str) -> egui::Response {
    let (place, response) = ui.allocate_exact_size(egui::vec2(18.0, 18.0), egui::Sense::click());
    let name = format!("reset {label}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let stroke = egui::Stroke::new(1.4, ui.style().interact(&response).fg_stroke.color);
    let point = |part: f32, far: f32| {
        let angle = std::f32::consts::TAU * part;
        place.center() + far * egui::vec2(angle.cos(), angle.sin())
    };
    // From the upper left, over the right, round to the left.
    let arc = (0..=20).map(|step| point(0.62 + 0.78 * step as f32 / 20.0, 5.0)).collect();
    ui.painter().line(arc, stroke);
    let tip = point(0.62, 5.0);
    ui.painter().line(vec![tip + egui::vec2(0.5, -4.0), tip, tip + egui::vec2(4.2, 0.5)], stroke);
    response
}

fn control(ui: &mut Ui, setting: &Setting, value: &mut Value, name: egui::Id) {
    let (range, decimals, is_magnitude) = match (&setting.control, &mut *value) {
        (Control::Choice(words), Value::Word(word)) => {
            let width = ui.available_width() - 8.0;
            let chosen = ComboBox::from_id_salt(&setting.key).selected_text(*word).width(width).show_ui(ui, |ui| {
                for choice in *words {
                    ui.selectable_value(word, *choice, *choice);
                }
            });
            chosen.response.labelled_by(name);
            return;
        }
        (Control::Switch, Value::Switch(on)) => {
            ui.checkbox(on, "").labelled_by(name);
            return;
        }
        (Control::Decimal { least, most }, _) => ([*least, *most], 4, false),
        (Control::Magnitude { least, most }, _) => ([*least, *most], 3, true),
        (Control::Amount { least, most }, _) => ([*least, *most], 0, true),
        (Control::Whole { least, most }, _) => ([*least, *most], 0, false),
        _ => return,
    };
    if let Value::Number(number) = value {
        // A school's weights are small.
        let decimals = if decimals == 4 && *number != 0.0 && number.abs() < 0.1 { 6 } else { decimals };
        // What nobody moves is not rounded either.
        if slider(ui, number, range, decimals, is_magnitude, name) {
            *number = (*number * 1e6).round() / 1e6;
        }
        if !setting.unit.is_empty() {
            ui.label(RichText::new(setting.unit).small().weak());
        }
    }
}

/// A slider with its number beside it, both called as the label with this id; whether it was moved.
fn slider(
    ui: &mut Ui,
    number: &mut f64,
    [least, most]: [f64; 2],
    decimals: usize,
    is_magnitude: bool,
    name: egui::Id,
) -> bool {
    ui.spacing_mut().slider_width = 68.0;
    // What a preset says may lie beyond what the slider offers.
    let range = least.min(*number)..=most.max(*number);
    let mut moved = *number;
    let mut rail = Slider::new(&mut moved, range.clone())
        .logarithmic(is_magnitude)
        .max_decimals(decimals)
        .show_value(false)
        .clamping(SliderClamping::Always);
    if decimals == 0 {
        rail = rail.integer();
    }
    let is_moved = ui.add(rail).labelled_by(name).changed();
    let speed = if is_magnitude { (0.02 * *number).max(0.1f64.powi(decimals as i32)) } else { (most - least) / 400.0 };
    let written = DragValue::new(&mut moved).range(range).max_decimals(decimals).speed(speed);
    let is_changed = ui.add(written).labelled_by(name).changed() || is_moved;
    if is_changed {
        *number = moved;
    }
    is_changed
}

fn hunt(ui: &mut Ui, hand: &mut Hand, wishes: &mut Vec<PanelAction>) {
    let mut row = |label: &str, value: &mut f32, least: f32, most: f32, usual: f32| {
        ui.horizontal(|ui| {
            let name = self::label(ui, label).id;
            let mut number = f64::from(*value);
            slider(ui, &mut number, [f64::from(least), f64::from(most)], 2, true, name);
            *value = number as f32;
            if *value != usual && reset(ui, label).clicked() {
                *value = usual;
            }
        });
    };
    row("your reach", &mut hand.stretch, 0.2, 5.0, 1.0);
    row("your weight", &mut hand.weight, 0.1, 10.0, 1.5);
    row("your brush", &mut hand.brush_stretch, 0.2, 8.0, 1.0);
    let mut is_catching = hand.is_catching;
    if ui.checkbox(&mut is_catching, "catch (c)").changed() {
        wishes.push(PanelAction::Catch(is_catching));
    }
}

fn theme(ui: &mut Ui) {
    let mut is_light = ui.ctx().theme() == egui::Theme::Light;
    if ui.checkbox(&mut is_light, "light panel").changed() {
        ui.ctx().set_theme(if is_light { egui::Theme::Light } else { egui::Theme::Dark });
    }
}

fn engine(ui: &mut Ui, shown: &Shown<'_>) {
    let Snapshot { facts, account, passes, .. } = shown.snapshot;
    let extents = facts.world.extents;
    let rate = shown.snapshot.steps_a_second * extents.cells() as f64;
    let rows = [
        ("engine", format!("{} · {}", facts.engine, facts.machine)),
        ("drawn by", shown.adapter.to_owned()),
        ("lattice", format!("{} × {}", extents.width, extents.height)),
        ("rate", crate::readable::rate(rate, "cell")),
        ("start", crate::readable::boids(account.ledger.start)),
        ("spawned", crate::readable::boids(account.ledger.spawned)),
        ("caught", crate::readable::boids(account.ledger.caught)),
        ("now", crate::readable::boids(account.quanta)),
        ("quanta", grouped(account.quanta)),
    ];
    egui::Grid::new("engine").num_columns(2).spacing(egui::vec2(12.0, 3.0)).show(ui, |ui| {
        for (name, value) in rows {
            ui.label(RichText::new(name).weak());
            ui.add(egui::Label::new(value).wrap());
            ui.end_row();
        }
    });
    if passes.is_empty() {
        return;
    }
    ui.add_space(4.0);
    ui.label(RichText::new("milliseconds a step, by pass").small());
    let whole: f64 = passes.iter().map(|(_, seconds)| seconds).sum();
    egui::Grid::new("passes").num_columns(3).spacing(egui::vec2(12.0, 2.0)).show(ui, |ui| {
        for (name, seconds) in passes.iter().map(|(name, seconds)| (name.as_str(), *seconds)).chain([("all", whole)]) {
            ui.label(RichText::new(name).weak());
            ui.label(format!("{:.3}", 1e3 * seconds));
            let (place, _) = ui.allocate_exact_size(egui::vec2(110.0, 10.0), egui::Sense::hover());
            let part = if whole > 0.0 { (seconds / whole) as f32 } else { 0.0 };
            let bar = egui::Rect::from_min_size(place.min, egui::vec2(part * place.width(), place.height()));
            ui.painter().rect_filled(bar, 2.0, ui.visuals().selection.bg_fill);
            ui.end_row();
        }
    });
}
