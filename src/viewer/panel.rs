//! The panel at the right: every number of the scene, in sections that fold.

use super::engines::Engines;
use super::film_panel::FilmSettings;
use super::gallery;
use super::hand::Hand;
use super::panel_action::{PanelAction, PanelInput};
use super::settings::{Setting, Widget, settings};
use crate::controller::{Facts, SaveKind, Snapshot};
use crate::preset::keys::{Section, Value};
use crate::readable::grouped;
use egui::{Button, ComboBox, DragValue, RichText, Slider, SliderClamping, Ui};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The state of the panel between frames.
#[derive(Default)]
pub struct Panel {
    /// The values of the preset, to which a reset returns.
    fresh: BTreeMap<String, Value>,
    /// Values that were requested and are not in a snapshot yet, with the number of their command.
    pending: BTreeMap<String, (Value, u64)>,
    /// The preset and the number of the current scene.
    scene: Option<(String, u64)>,
    /// The last facts of the scene, and how often its files were reloaded by then.
    known: Option<(Arc<Facts>, u64)>,
    /// A key of the start and its value while it is being dragged or edited.
    held: Option<(String, Value)>,
    /// The edited seed and size.
    seed: u64,
    size: [u32; 2],
    engines: Engines,
}

impl Panel {
    /// Shows a value that the command with this number requests, until a snapshot has it.
    pub fn set_pending(&mut self, key: &str, value: &Value, command: u64) {
        self.pending.insert(key.to_owned(), (value.clone(), command));
    }

    /// Follows a new snapshot.
    pub fn update(&mut self, snapshot: &Snapshot) {
        self.pending.retain(|_, (_, command)| *command > snapshot.commands);
        let facts = &snapshot.facts;
        let scene = Some((facts.preset.clone(), snapshot.scene));
        let before = self.known.replace((facts.clone(), snapshot.reloads));
        if self.scene == scene {
            if let Some((before, reloads)) = before
                && reloads != snapshot.reloads
            {
                // A reset returns to the reloaded values.
                let other = facts.values.iter().filter(|(key, value)| before.values.get(*key) != Some(value));
                self.fresh.extend(other.map(|(key, value)| (key.clone(), value.clone())));
                self.fresh.retain(|key, _| facts.values.contains_key(key));
            }
            return;
        }
        // A restart keeps settings; the preset's own values are those of its first scene.
        if self.scene.as_ref().is_none_or(|(preset, _)| *preset != facts.preset) {
            self.fresh = facts.values.clone();
        }
        self.scene = scene;
        self.seed = facts.seed;
        self.size = [facts.world.extents.width, facts.world.extents.height];
    }

    /// The values of the preset.
    pub fn fresh(&self) -> &BTreeMap<String, Value> {
        &self.fresh
    }

    /// Shows the sections.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        input: &PanelInput<'_>,
        hand: &mut Hand,
        film: &mut FilmSettings,
        actions: &mut Vec<PanelAction>,
    ) {
        ui.add_space(6.0);
        section(ui, "Scene", true, |ui| self.scene(ui, input, actions));
        section(ui, "Start", false, |ui| {
            self.settings(ui, Section::Start, input.snapshot, actions);
            self.release_held(ui, actions);
        });
        section(ui, "Rules", true, |ui| self.settings(ui, Section::Rules, input.snapshot, actions));
        section(ui, "Sight", false, |ui| self.settings(ui, Section::Sight, input.snapshot, actions));
        section(ui, "Movement", false, |ui| self.settings(ui, Section::Movement, input.snapshot, actions));
        section(ui, "World", false, |ui| {
            self.settings(ui, Section::World, input.snapshot, actions);
            self.size(ui, input.snapshot, actions);
        });
        section(ui, "Hunt", false, |ui| {
            hunt(ui, hand, actions);
            if input.snapshot.facts.world.hunter.is_some() {
                ui.add_space(4.0);
                ui.label(RichText::new("the preset's own hunter").small());
                self.settings(ui, Section::Hunt, input.snapshot, actions);
            }
        });
        section(ui, "Look", false, |ui| {
            self.settings(ui, Section::Look, input.snapshot, actions);
            let mut is_around = input.arrangement.orbit.is_some();
            if input.snapshot.facts.depth > 1 && ui.checkbox(&mut is_around, "in depth (d)").changed() {
                actions.push(PanelAction::Around(is_around));
            }
            theme(ui);
        });
        if input.snapshot.facts.has_cells {
            section(ui, "Compare", false, |ui| super::split::panel(ui, input, actions));
        }
        section(ui, "Film", false, |ui| film.show(ui, actions));
        section(ui, "Curves", false, |ui| input.history.show(ui));
        section(ui, "Engine", false, |ui| {
            self.engines.show(ui, input.snapshot.facts.choice, actions);
            engine(ui, input);
        });
        ui.add_space(10.0);
    }

    fn scene(&mut self, ui: &mut Ui, input: &PanelInput<'_>, actions: &mut Vec<PanelAction>) {
        let facts = &input.snapshot.facts;
        let chosen = ui.scope(|ui| gallery::show(ui, &facts.preset)).inner;
        actions.extend(chosen.map(PanelAction::Preset));
        ui.add(egui::Label::new(RichText::new(&facts.description).small()).wrap());
        ui.horizontal(|ui| {
            let name = ui.label("seed").id;
            let seed = ui.add(DragValue::new(&mut self.seed).range(0..=i64::MAX as u64).speed(0.1)).labelled_by(name);
            if (seed.drag_stopped() || seed.lost_focus()) && self.seed != facts.seed {
                actions.push(PanelAction::Restart(Some(self.seed)));
            }
            if ui.button("next").on_hover_text("restart with the next seed").clicked() {
                actions.push(PanelAction::Restart(Some((facts.seed + 1) & (i64::MAX as u64))));
            }
            if ui.button("restart").on_hover_text("r").clicked() {
                actions.push(PanelAction::Restart(None));
            }
            let meaning = "Ctrl-Shift-S: the preset with all that was set and painted, as a file of its own";
            if ui.button("save preset").on_hover_text(meaning).clicked() {
                actions.push(PanelAction::Save(SaveKind::Preset));
            }
        });
        ui.horizontal(|ui| {
            let word = if input.is_paused { "play" } else { "pause" };
            if ui.button(word).on_hover_text("space").clicked() {
                actions.push(PanelAction::Pause(!input.is_paused));
            }
            if ui.button("step").on_hover_text(".").clicked() {
                actions.push(PanelAction::Step);
            }
            if ui.button("undo").on_hover_text("z: what the brushes did").clicked() {
                actions.push(PanelAction::Undo);
            }
            if ui.button("round").on_hover_text("g: catch what you can in a minute").clicked() {
                actions.push(PanelAction::Round);
            }
            if ui.button("keys").on_hover_text("?").clicked() {
                actions.push(PanelAction::Help);
            }
        });
        ui.horizontal(|ui| {
            if ui.button("−").clicked() {
                actions.push(PanelAction::Pace(input.pace.faster(-1)));
            }
            if ui.button("+").clicked() {
                actions.push(PanelAction::Pace(input.pace.faster(1)));
            }
            ui.label(input.pace.to_string());
            // A row of its own would move the sliders under the mouse.
            let is_changed = self.fresh != facts.values;
            if is_changed && ui.button("reset all").on_hover_text("every number as the preset has it").clicked() {
                actions.push(PanelAction::ResetAll);
            }
        });
    }

    fn settings(&mut self, ui: &mut Ui, section: Section, snapshot: &Snapshot, actions: &mut Vec<PanelAction>) {
        let values = &snapshot.facts.values;
        for setting in settings(section, values) {
            let held = self.held.as_ref().filter(|(key, _)| *key == setting.key).map(|(_, value)| value);
            let asked = self.pending.get(setting.key).map(|(value, _)| value);
            let Some(now) = held.or(asked).or(values.get(setting.key)) else { continue };
            let mut value = now.clone();
            ui.horizontal(|ui| {
                let text = format!("{}\n{}: {}", setting.row.doc, setting.key, setting.row.facts());
                let name = label(ui, setting.label).on_hover_text(text).id;
                let fresh = self.fresh.get(setting.key).filter(|fresh| *fresh != now);
                // The space of the reset button is always kept, so that nothing moves.
                let width = ui.available_width() - 26.0;
                ui.allocate_ui_with_layout(
                    egui::vec2(width, 18.0),
                    egui::Layout::left_to_right(egui::Align::Center),
                    |ui| control(ui, &setting, &mut value, name),
                );
                if let Some(fresh) = fresh
                    && reset(ui, setting.label).on_hover_text(format!("back to {fresh}")).clicked()
                {
                    value = fresh.clone();
                }
            });
            if value == *now {
                continue;
            }
            let key = setting.key.to_owned();
            match setting.restarts() {
                true => self.held = Some((key, value)),
                false => actions.push(PanelAction::Set(key, value)),
            }
        }
    }

    /// Requests a restart with a changed value of the start, once it is no longer dragged or edited.
    fn release_held(&mut self, ui: &Ui, actions: &mut Vec<PanelAction>) {
        let is_moved = ui.input(|input| input.pointer.any_down()) || ui.ctx().text_edit_focused();
        if !is_moved && let Some(held) = self.held.take() {
            actions.push(PanelAction::Start(vec![held]));
        }
    }

    fn size(&mut self, ui: &mut Ui, snapshot: &Snapshot, actions: &mut Vec<PanelAction>) {
        let extents = snapshot.facts.world.extents;
        ui.horizontal(|ui| {
            let name = ui.label("size").id;
            ui.add(DragValue::new(&mut self.size[0]).range(1..=16_384)).labelled_by(name);
            ui.label("×");
            ui.add(DragValue::new(&mut self.size[1]).range(1..=16_384)).labelled_by(name);
            ui.label("cells");
            let is_other = self.size != [extents.width, extents.height];
            if ui.add_visible(is_other, Button::new("restart")).clicked() {
                actions.push(PanelAction::Size(self.size[0], self.size[1]));
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

/// A label of fixed width at the left of a row.
fn label(ui: &mut Ui, text: &str) -> egui::Response {
    let left = egui::Layout::left_to_right(egui::Align::Center);
    let size = egui::vec2(76.0, 18.0);
    ui.allocate_ui_with_layout(size, left, |ui| {
        ui.set_min_size(size);
        ui.add(egui::Label::new(text).truncate())
    })
    .inner
}

/// A button with a circular arrow, which the fonts lack.
fn reset(ui: &mut Ui, label: &str) -> egui::Response {
    let (place, response) = ui.allocate_exact_size(egui::vec2(18.0, 18.0), egui::Sense::click());
    let name = format!("reset {label}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let stroke = egui::Stroke::new(1.4, ui.style().interact(&response).fg_stroke.color);
    let point = |part: f32, far: f32| {
        let angle = std::f32::consts::TAU * part;
        place.center() + far * egui::vec2(angle.cos(), angle.sin())
    };
    // From the upper left clockwise to the left.
    let arc = (0..=20).map(|step| point(0.62 + 0.78 * step as f32 / 20.0, 5.0)).collect();
    ui.painter().line(arc, stroke);
    let tip = point(0.62, 5.0);
    ui.painter().line(vec![tip + egui::vec2(0.5, -4.0), tip, tip + egui::vec2(4.2, 0.5)], stroke);
    response
}

fn control(ui: &mut Ui, setting: &Setting<'_>, value: &mut Value, name: egui::Id) {
    let (range, decimals, is_magnitude) = match (setting.widget(), &mut *value) {
        (Some(Widget::Choice(words)), Value::Word(word)) => {
            let width = ui.available_width() - 8.0;
            let chosen = ComboBox::from_id_salt(setting.key).selected_text(*word).width(width).show_ui(ui, |ui| {
                for choice in words {
                    ui.selectable_value(word, *choice, *choice);
                }
            });
            chosen.response.labelled_by(name);
            return;
        }
        (Some(Widget::Switch), Value::Switch(on)) => {
            ui.checkbox(on, "").labelled_by(name);
            return;
        }
        (Some(Widget::Slider { least, most, is_whole, is_logarithmic }), _) => {
            let decimals = match (is_whole, is_logarithmic) {
                (true, _) => 0,
                (false, true) => 3,
                (false, false) => 4,
            };
            ([least, most], decimals, is_logarithmic)
        }
        _ => return,
    };
    if let Value::Number(number) = value {
        // The weights of a school are small.
        let decimals = if decimals == 4 && *number != 0.0 && number.abs() < 0.1 { 6 } else { decimals };
        // Only a value that was moved is rounded.
        if slider(ui, number, range, decimals, is_magnitude, name) {
            *number = (*number * 1e6).round() / 1e6;
        }
        if !setting.row.unit.is_empty() {
            ui.label(RichText::new(setting.row.unit).small().weak());
        }
    }
}

/// A slider and a number, both labelled by the widget with this id. Returns whether it was moved.
fn slider(
    ui: &mut Ui,
    number: &mut f64,
    [least, most]: [f64; 2],
    decimals: usize,
    is_magnitude: bool,
    name: egui::Id,
) -> bool {
    ui.spacing_mut().slider_width = 68.0;
    // The value of a preset may lie outside the range of the slider.
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

fn hunt(ui: &mut Ui, hand: &mut Hand, actions: &mut Vec<PanelAction>) {
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
        actions.push(PanelAction::Catch(is_catching));
    }
}

fn theme(ui: &mut Ui) {
    let mut is_light = ui.ctx().theme() == egui::Theme::Light;
    if ui.checkbox(&mut is_light, "light panel").changed() {
        ui.ctx().set_theme(if is_light { egui::Theme::Light } else { egui::Theme::Dark });
    }
}

fn engine(ui: &mut Ui, input: &PanelInput<'_>) {
    let Snapshot { facts, account, passes, .. } = input.snapshot;
    let extents = facts.world.extents;
    let rate = input.snapshot.steps_a_second * extents.cells() as f64;
    let rows = [
        ("engine", format!("{} · {}", facts.engine, facts.hardware)),
        ("drawn by", input.adapter.to_owned()),
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
