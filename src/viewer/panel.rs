//! The panel at the right: every number of the scene, in sections that fold.

use super::action::Action;
use super::cursor::Cursor;
use super::film_panel::FilmPanel;
use super::gallery;
use super::interface::FrameInput;
use super::plot::{self, History};
use super::settings::{Setting, Widget, met, settings};
use super::{lives, species};
use crate::compare::measures::Row;
use crate::controller::{SaveKind, SceneChange, SceneInfo, Snapshot};
use crate::engine::{Dispatch, cpu};
use crate::individuals::lives::FULL;
use crate::observe::Observation;
use crate::preset::keys::{Cost, Section, Value, cost};
use crate::readable::{boids, grouped, rate};
use crate::simulation::{EnergyAccount, EngineChoice, WORKGROUP};
use crate::state::{EnergyLedger, Ledger, Turnover};
use crate::world::HunterKind;
use egui::{Align, Button, ComboBox, DragValue, Layout, RichText, Sense, Slider, SliderClamping, Ui, vec2};
use std::collections::BTreeMap;
use std::mem::discriminant;
use std::sync::Arc;

#[derive(Default)]
pub struct Panel {
    /// The values of the preset, to which a reset returns.
    fresh: BTreeMap<String, Value>,
    /// Values that were requested and are not in a snapshot yet, with the number of their command.
    pending: BTreeMap<String, (Value, u64)>,
    /// What was last known of the scene, with its number and how often its files were reloaded by then.
    known: Option<(Arc<SceneInfo>, u64, u64)>,
    /// A key of the start and its value while it is being dragged or edited.
    held: Option<(String, Value)>,
    /// The edited seed and size.
    seed: u64,
    size: [u32; 2],
    /// The number of threads while it is dragged.
    threads: Option<usize>,
    pub film: FilmPanel,
    metrics: History<Observation>,
    comparison: History<Row>,
}

impl Panel {
    /// Shows values that the command with this number requests, until a snapshot has them.
    pub fn set_pending(&mut self, values: &[(String, Value)], command: u64) {
        self.pending.extend(values.iter().map(|(key, value)| (key.clone(), (*value, command))));
    }

    /// Follows a new snapshot.
    pub fn update(&mut self, snapshot: &Snapshot) {
        if snapshot.run_in.is_none() {
            self.metrics.update(snapshot.scene, snapshot.metrics.step, &snapshot.metrics);
        }
        if let Some(row) = &snapshot.comparison {
            self.comparison.update(snapshot.scene, row.step, row);
        }
        self.pending.retain(|_, (_, command)| *command > snapshot.commands);
        let info = &snapshot.info;
        let known = self.known.replace((info.clone(), snapshot.scene, snapshot.reloads));
        match known.filter(|(before, ..)| before.preset == info.preset) {
            Some((before, scene, reloads)) if scene == snapshot.scene => {
                if reloads != snapshot.reloads {
                    // A reset returns to the reloaded values.
                    let other = info.values.iter().filter(|(key, value)| before.values.get(*key) != Some(value));
                    self.fresh.extend(other.map(|(key, value)| (key.clone(), *value)));
                    self.fresh.retain(|key, _| info.values.contains_key(key));
                }
                return;
            }
            // A restart keeps settings; the preset's own values are those of its first scene.
            Some(_) => {}
            None => self.fresh = info.values.clone(),
        }
        self.seed = info.seed;
        self.size = [info.world.extents.width, info.world.extents.height];
    }

    /// The values of the preset that are set to others now: those of its start, and the rest.
    pub fn resets(&self, info: &SceneInfo) -> [Vec<(String, Value)>; 2] {
        let changed = self.fresh.iter().filter(|(key, value)| info.values.get(*key) != Some(value));
        let changed = changed.map(|(key, value)| (key.clone(), *value));
        changed.partition::<Vec<_>, _>(|(key, _)| cost(key) == Cost::Restart).into()
    }

    pub fn show(&mut self, ui: &mut Ui, input: &FrameInput<'_>, cursor: &mut Cursor, actions: &mut Vec<Action>) {
        let info = &input.snapshot.info;
        ui.add_space(6.0);
        section(ui, "Scene", true, |ui| self.scene(ui, input, actions));
        if info.lives.is_some() {
            let Snapshot { metrics, account, .. } = input.snapshot;
            section(ui, "Moods", true, |ui| lives::show(ui, metrics.lives.as_ref(), &metrics.species, &account.ledger));
        }
        let species = &input.snapshot.metrics.species;
        if !species.is_empty() {
            section(ui, "Species", true, |ui| {
                species::show(ui, &info.look, species);
                if info.lives.is_some() {
                    species::show_energy(ui, &info.look, species);
                }
                self.meetings(ui, info, actions);
            });
        }
        section(ui, "Start", false, |ui| {
            self.settings(ui, Section::Start, info, actions);
            self.release_held(ui, actions);
        });
        section(ui, "Rules", true, |ui| self.settings(ui, Section::Rules, info, actions));
        section(ui, "Sight", false, |ui| self.settings(ui, Section::Sight, info, actions));
        section(ui, "Movement", false, |ui| self.settings(ui, Section::Movement, info, actions));
        if info.lives.is_some() {
            section(ui, "Lives", false, |ui| self.settings(ui, Section::Lives, info, actions));
        }
        if info.food.is_some() {
            section(ui, "Food", false, |ui| self.settings(ui, Section::Food, info, actions));
        }
        section(ui, "World", false, |ui| {
            self.settings(ui, Section::World, info, actions);
            self.size(ui, info, actions);
        });
        section(ui, "Hunt", false, |ui| {
            hunt(ui, cursor, actions);
            self.hunters(ui, info, actions);
        });
        section(ui, "Look", false, |ui| {
            self.settings(ui, Section::Look, info, actions);
            let mut is_around = input.arrangement.orbit.is_some();
            if info.depth > 1 && !info.look.shows_values() && ui.checkbox(&mut is_around, "in depth (d)").changed() {
                actions.push(Action::Depth);
            }
            theme(ui);
        });
        if info.has_cells {
            section(ui, "Compare", false, |ui| plot::show_comparison(&self.comparison, ui, input, actions));
        }
        section(ui, "Film", false, |ui| self.film.show(ui, actions));
        section(ui, "Curves", false, |ui| plot::show_metrics(&self.metrics, ui));
        section(ui, "Engine", false, |ui| {
            self.engines(ui, info.choice, actions);
            engine(ui, input);
        });
        ui.add_space(10.0);
    }

    fn scene(&mut self, ui: &mut Ui, input: &FrameInput<'_>, actions: &mut Vec<Action>) {
        let info = &input.snapshot.info;
        let chosen = ui.scope(|ui| gallery::show(ui, &info.preset)).inner;
        actions.extend(chosen.map(Action::Preset));
        ui.add(egui::Label::new(RichText::new(&info.description).small()).wrap());
        let seeded = |seed| Action::Restart(SceneChange { seed: Some(seed), ..SceneChange::default() });
        ui.horizontal(|ui| {
            let name = ui.label("seed").id;
            let seed = ui.add(DragValue::new(&mut self.seed).range(0..=i64::MAX as u64).speed(0.1)).labelled_by(name);
            if (seed.drag_stopped() || seed.lost_focus()) && self.seed != info.seed {
                actions.push(seeded(self.seed));
            }
            let saving = "Ctrl-Shift-S: the preset with all that was set and painted, as a file of its own";
            let next = seeded((info.seed + 1) & (i64::MAX as u64));
            button(ui, "next", "restart with the next seed", next, actions);
            button(ui, "restart", "r", Action::BeginAgain, actions);
            button(ui, "save preset", saving, Action::Save(SaveKind::Preset), actions);
        });
        ui.horizontal(|ui| {
            button(ui, if input.is_paused { "play" } else { "pause" }, "space", Action::Pause, actions);
            button(ui, "step", ".", Action::Step, actions);
            button(ui, "undo", "z: what the brushes did", Action::Undo, actions);
            button(ui, "round", "g: catch what you can in a minute", Action::Round, actions);
            button(ui, "keys", "?", Action::Help, actions);
        });
        ui.horizontal(|ui| {
            button(ui, "−", "-", Action::Faster(-1), actions);
            button(ui, "+", "+", Action::Faster(1), actions);
            ui.label(input.pace.to_string());
            // A row of its own would move the sliders under the mouse.
            if self.fresh != info.values {
                button(ui, "reset all", "every number as the preset has it", Action::ResetAll, actions);
            }
        });
    }

    /// Shows the hunters of the preset, each with its settings.
    fn hunters(&mut self, ui: &mut Ui, info: &SceneInfo, actions: &mut Vec<Action>) {
        let all = &info.world.hunters;
        for (index, hunter) in all.iter().enumerate() {
            let kind = match hunter.kind {
                HunterKind::Path { .. } => "hunter",
                HunterKind::Falcon(_) => "falcon",
                HunterKind::Player => continue,
            };
            ui.add_space(4.0);
            ui.label(RichText::new(format!("the preset's own {kind}")).small());
            let table = format!("hunter[{index}].");
            // The only hunter may be a table of its own.
            let is_own = |key: &str| key.starts_with(&table) || all.len() == 1 && key.starts_with("hunter.");
            self.settings_of(
                ui,
                settings(Section::Hunt, &info.values).into_iter().filter(|own| is_own(own.key)),
                info,
                actions,
            );
        }
    }

    /// Shows how each species meets the others.
    fn meetings(&mut self, ui: &mut Ui, info: &SceneInfo, actions: &mut Vec<Action>) {
        for (index, name) in info.species_names.iter().enumerate() {
            let table = format!("species[{index}].");
            let own = settings(Section::Species, &info.values).into_iter().filter(|own| own.key.starts_with(&table));
            let own: Vec<Setting<'_>> = own.collect();
            for of_meeting in own.chunk_by(|one, next| met(one.key) == met(next.key)) {
                ui.label(RichText::new(format!("{name} meets {}", met(of_meeting[0].key))).small());
                self.settings_of(ui, of_meeting.iter().copied(), info, actions);
            }
        }
    }

    fn settings(&mut self, ui: &mut Ui, section: Section, info: &SceneInfo, actions: &mut Vec<Action>) {
        self.settings_of(ui, settings(section, &info.values).into_iter(), info, actions);
    }

    fn settings_of<'a>(
        &mut self,
        ui: &mut Ui,
        settings: impl Iterator<Item = Setting<'a>>,
        info: &SceneInfo,
        actions: &mut Vec<Action>,
    ) {
        for setting in settings {
            let held = self.held.as_ref().filter(|(key, _)| *key == setting.key).map(|(_, value)| value);
            let asked = self.pending.get(setting.key).map(|(value, _)| value);
            let Some(now) = held.or(asked).or(info.values.get(setting.key)) else { continue };
            let mut value = *now;
            ui.horizontal(|ui| {
                let text = format!("{}\n{}: {}", setting.row.doc, setting.key, setting.row.facts());
                let name = label(ui, setting.label).on_hover_text(text).id;
                let fresh = self.fresh.get(setting.key).filter(|fresh| *fresh != now);
                // The space of the reset button is always kept, so that nothing moves.
                let size = vec2(ui.available_width() - 26.0, 18.0);
                ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                    control(ui, &setting, &mut value, name);
                });
                if let Some(fresh) = fresh
                    && reset(ui, setting.label).on_hover_text(format!("back to {fresh}")).clicked()
                {
                    value = *fresh;
                }
            });
            if value == *now {
                continue;
            }
            let key = setting.key.to_owned();
            match setting.row.cost == Cost::Restart {
                true => self.held = Some((key, value)),
                false => actions.push(Action::Set(key, value)),
            }
        }
    }

    /// Requests a restart with a changed value of the start, once it is no longer dragged or edited.
    fn release_held(&mut self, ui: &Ui, actions: &mut Vec<Action>) {
        let is_moved = ui.input(|input| input.pointer.any_down()) || ui.ctx().text_edit_focused();
        if !is_moved && let Some(held) = self.held.take() {
            actions.push(Action::Restart(SceneChange { set: vec![held], ..SceneChange::default() }));
        }
    }

    fn size(&mut self, ui: &mut Ui, info: &SceneInfo, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            let name = ui.label("size").id;
            let [width, height] = &mut self.size;
            ui.add(DragValue::new(width).range(1..=16_384)).labelled_by(name);
            ui.label("×");
            ui.add(DragValue::new(height).range(1..=16_384)).labelled_by(name);
            ui.label("cells");
            let size = (*width, *height);
            let is_other = size != (info.world.extents.width, info.world.extents.height);
            if ui.add_visible(is_other, Button::new("restart")).clicked() {
                actions.push(Action::Restart(SceneChange { size: Some(size), ..SceneChange::default() }));
            }
        });
    }

    /// Shows the engines; `present` is in use.
    fn engines(&mut self, ui: &mut Ui, present: EngineChoice, actions: &mut Vec<Action>) {
        let compute = Dispatch::Compute { workgroup: WORKGROUP };
        let cpu = EngineChoice::Cpu(cpu::Options::default());
        let all = [
            ("cpu", cpu, "on the processor's cores"),
            ("gpu compute", EngineChoice::Gpu(compute), "on the graphics device, by compute dispatches"),
            (
                "gpu fragment",
                EngineChoice::Gpu(Dispatch::Fragment),
                "on the graphics device, by render passes: the paper's way",
            ),
        ];
        ui.horizontal(|ui| {
            for (name, choice, meaning) in all {
                let is_present = is_alike(choice, present);
                let meaning = format!("{meaning}; the same swarm goes on, to the same bits");
                if ui.selectable_label(is_present, name).on_hover_text(meaning).clicked() && !is_present {
                    actions.push(Action::Engine(choice));
                }
            }
        });
        if let EngineChoice::Cpu(options) = present {
            ui.horizontal(|ui| self.threads(ui, options, actions));
        }
    }

    fn threads(&mut self, ui: &mut Ui, options: cpu::Options, actions: &mut Vec<Action>) {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let present = options.threads.unwrap_or(cores);
        let mut threads = self.threads.unwrap_or(present);
        ui.label("threads");
        let response = ui.add(DragValue::new(&mut threads).range(1..=cores.max(present)).speed(0.05));
        ui.label(format!("of {cores}"));
        if response.changed() {
            self.threads = Some(threads);
        }
        // A new engine is made only when the number is no longer dragged.
        if !response.dragged()
            && !response.has_focus()
            && let Some(threads) = self.threads.take()
            && threads != present
        {
            actions.push(Action::Engine(EngineChoice::Cpu(cpu::Options { threads: Some(threads), ..options })));
        }
    }
}

/// A button that asks for something.
fn button(ui: &mut Ui, text: &str, meaning: &str, action: Action, actions: &mut Vec<Action>) {
    if ui.button(text).on_hover_text(meaning).clicked() {
        actions.push(action);
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
    let size = vec2(76.0, 18.0);
    let add = |ui: &mut Ui| {
        ui.set_min_size(size);
        ui.add(egui::Label::new(text).truncate())
    };
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), add).inner
}

/// A button with a circular arrow, which the fonts lack.
fn reset(ui: &mut Ui, label: &str) -> egui::Response {
    let (place, response) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::click());
    let name = format!("reset {label}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let stroke = egui::Stroke::new(1.4, ui.style().interact(&response).fg_stroke.color);
    let point = |part: f32, far: f32| {
        let angle = std::f32::consts::TAU * part;
        place.center() + far * vec2(angle.cos(), angle.sin())
    };
    // From the upper left clockwise to the left.
    let arc = (0..=20).map(|step| point(0.62 + 0.78 * step as f32 / 20.0, 5.0)).collect();
    ui.painter().line(arc, stroke);
    let tip = point(0.62, 5.0);
    ui.painter().line(vec![tip + vec2(0.5, -4.0), tip, tip + vec2(4.2, 0.5)], stroke);
    response
}

fn control(ui: &mut Ui, setting: &Setting<'_>, value: &mut Value, name: egui::Id) {
    match (setting.widget, value) {
        (Some(Widget::Choice(words)), Value::Word(word)) => {
            let width = ui.available_width() - 8.0;
            let chosen = ComboBox::from_id_salt(setting.key).selected_text(*word).width(width).show_ui(ui, |ui| {
                for choice in words {
                    ui.selectable_value(word, *choice, *choice);
                }
            });
            chosen.response.labelled_by(name);
        }
        (Some(Widget::Switch), Value::Switch(on)) => {
            ui.checkbox(on, "").labelled_by(name);
        }
        (Some(Widget::Slider { least, most, is_whole, is_logarithmic }), Value::Number(number)) => {
            let decimals = match number.abs() {
                _ if is_whole => 0,
                _ if is_logarithmic => 3,
                // The weights of a school are small.
                small if small > 0.0 && small < 0.1 => 6,
                _ => 4,
            };
            // Only a value that was moved is rounded.
            if slider(ui, number, [least, most], decimals, is_logarithmic, name) {
                *number = (*number * 1e6).round() / 1e6;
            }
            if !setting.row.unit.is_empty() {
                ui.label(RichText::new(setting.row.unit).small().weak());
            }
        }
        _ => {}
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

fn hunt(ui: &mut Ui, cursor: &mut Cursor, actions: &mut Vec<Action>) {
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
    row("your reach", &mut cursor.stretch, 0.2, 5.0, 1.0);
    row("your weight", &mut cursor.weight, 0.1, 10.0, 1.5);
    row("your brush", &mut cursor.brush_stretch, 0.2, 8.0, 1.0);
    let mut is_catching = cursor.is_catching;
    if ui.checkbox(&mut is_catching, "catch (c)").changed() {
        actions.push(Action::Catch);
    }
}

fn theme(ui: &mut Ui) {
    let mut is_light = ui.ctx().theme() == egui::Theme::Light;
    if ui.checkbox(&mut is_light, "light panel").changed() {
        ui.ctx().set_theme(if is_light { egui::Theme::Light } else { egui::Theme::Dark });
    }
}

fn engine(ui: &mut Ui, input: &FrameInput<'_>) {
    let Snapshot { info, account, passes, .. } = input.snapshot;
    let extents = info.world.extents;
    let cells_a_second = input.snapshot.steps_a_second * extents.cells() as f64;
    let Turnover { caught, born, starved, eaten, grown, grazed, .. } = account.ledger.turnover;
    let of_lives = [("born", boids(born)), ("starved", boids(starved))];
    let of_species = [("eaten", boids(eaten))];
    let meals = |food: u64| grouped(food / FULL as u64);
    let Ledger { food, fed, removed, .. } = account.ledger;
    let of_food = [
        ("food at start", meals(food)),
        ("grown", meals(grown)),
        ("fed", meals(fed)),
        ("food eaten", meals(grazed)),
        ("removed", meals(removed)),
        ("food now", meals(account.food)),
    ];
    let EnergyAccount { ledger: EnergyLedger { begun, turnover: energy }, now, lost } = account.energy_of_all();
    let of_energy = [
        ("energy at start", meals(begun.start)),
        ("energy spawned", meals(begun.spawned)),
        ("energy eaten", meals(energy.eaten)),
        ("energy born", meals(energy.born)),
        ("energy burnt", meals(energy.burnt)),
        ("energy ended", meals(energy.ended)),
        ("energy now", meals(now)),
        ("energy lost", lost.to_string()),
    ];
    let rows = [
        ("engine", format!("{} · {}", info.engine, info.hardware)),
        ("drawn by", input.adapter.to_owned()),
        ("lattice", extents.to_string().replace('x', " × ")),
        ("rate", rate(cells_a_second, "cell")),
        ("start", boids(account.ledger.start)),
        ("spawned", boids(account.ledger.spawned)),
        ("caught", boids(caught)),
        ("now", boids(account.quanta)),
        ("quanta", grouped(account.quanta)),
    ];
    egui::Grid::new("engine").num_columns(2).spacing(vec2(12.0, 3.0)).show(ui, |ui| {
        for (name, value) in rows
            .into_iter()
            .chain(of_lives.into_iter().filter(|_| info.lives.is_some()))
            .chain(of_species.into_iter().filter(|_| eaten > 0))
            .chain(of_food.into_iter().filter(|_| info.food.is_some()))
            .chain(of_energy.into_iter().filter(|_| info.lives.is_some()))
        {
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
    egui::Grid::new("passes").num_columns(3).spacing(vec2(12.0, 2.0)).show(ui, |ui| {
        for (name, seconds) in passes.iter().map(|(name, seconds)| (name.as_str(), *seconds)).chain([("all", whole)]) {
            ui.label(RichText::new(name).weak());
            ui.label(format!("{:.3}", 1e3 * seconds));
            let (place, _) = ui.allocate_exact_size(vec2(110.0, 10.0), Sense::hover());
            let part = if whole > 0.0 { (seconds / whole) as f32 } else { 0.0 };
            let bar = egui::Rect::from_min_size(place.min, vec2(part * place.width(), place.height()));
            ui.painter().rect_filled(bar, 2.0, ui.visuals().selection.bg_fill);
            ui.end_row();
        }
    });
}

/// Whether two choices are the same kind of engine.
fn is_alike(one: EngineChoice, other: EngineChoice) -> bool {
    let of = |choice| match choice {
        EngineChoice::Gpu(dispatch) => Some(discriminant(&dispatch)),
        _ => None,
    };
    discriminant(&one) == discriminant(&other) && of(one) == of(other)
}
