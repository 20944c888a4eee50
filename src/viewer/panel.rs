//! The panel at the right: every number of the scene, in sections that fold.

use super::action::{Action, PageRequest};
use super::cursor::Cursor;
use super::curves::{self, Charts, MeasureHistory, RowHistory};
use super::engine_panel::EnginePanel;
use super::film_panel::FilmPanel;
use super::frame_input::FrameInput;
use super::gallery;
use super::lives::{self, trait_history};
use super::settings::{Setting, met, settings};
use super::species;
use super::widgets::{button, control, label, reset, section, slider};
use crate::controller::{SaveKind, SceneChange, SceneInfo, Snapshot};
use crate::observe::{Observation, column_values};
use egui::{Align, Button, DragValue, Layout, RichText, Ui, vec2};
use murmuration_core::preset::keys::{Cost, Section, Value, cost};
use murmuration_core::world::MAX_EXTENT;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The sections that contain only settings, in order.
const SECTIONS: [(Section, &str); 5] = [
    (Section::Rules, "Rules"),
    (Section::Sight, "Sight"),
    (Section::Movement, "Movement"),
    (Section::Lives, "Lives"),
    (Section::Food, "Food"),
];

#[derive(Default)]
pub struct Panel {
    /// The values in the preset, which a reset restores.
    fresh: BTreeMap<String, Value>,
    /// Requested values that no snapshot contains yet, with the number of their command.
    pending: BTreeMap<String, (Value, u64)>,
    /// The last known scene, its number, and the number of reloads of its files.
    known: Option<(Arc<SceneInfo>, u64, u64)>,
    /// The key and the value of a setting that needs a restart, while the user drags or edits the value.
    held: Option<(String, Value)>,
    /// The edited seed.
    seed: u64,
    size: [u32; 2],
    engine: EnginePanel,
    pub film: FilmPanel,
    /// The history of the metrics.
    pub measures: MeasureHistory,
    pub charts: Charts,
    comparison: MeasureHistory,
    rows: RowHistory<Observation>,
}

impl Panel {
    /// Shows values requested by the command with this number, until a snapshot contains them.
    pub fn set_pending(&mut self, values: &[(String, Value)], command: u64) {
        self.pending.extend(values.iter().map(|(key, value)| (key.clone(), (*value, command))));
    }

    /// Updates the panel from a new snapshot.
    pub fn update(&mut self, snapshot: &Snapshot) {
        if snapshot.run_in.is_none() {
            let Snapshot { scene, metrics, .. } = snapshot;
            // Several snapshots may contain equal metrics.
            if self.rows.last().is_none_or(|last| !Arc::ptr_eq(last, metrics)) {
                self.measures.update(*scene, metrics.step, column_values(metrics));
                self.rows.update(*scene, metrics.step, metrics);
            }
        }
        if let Some(row) = &snapshot.comparison {
            self.comparison.update(snapshot.scene, row.step, curves::comparison_row(row));
        }
        self.pending.retain(|_, (_, command)| *command > snapshot.commands);
        let info = &snapshot.info;
        let known = self.known.replace((info.clone(), snapshot.scene, snapshot.reloads));
        match known.filter(|(before, ..)| before.preset == info.preset) {
            Some((before, scene, reloads)) if scene == snapshot.scene => {
                if reloads != snapshot.reloads {
                    // After a reload, a reset restores the new values.
                    let other = info.values.iter().filter(|(key, value)| before.values.get(*key) != Some(value));
                    self.fresh.extend(other.map(|(key, value)| (key.clone(), *value)));
                    self.fresh.retain(|key, _| info.values.contains_key(key));
                }
                return;
            }
            // A restart keeps the changed settings. So `fresh` keeps the values of the first scene of the preset.
            Some(_) => {}
            None => self.fresh = info.values.clone(),
        }
        self.seed = info.seed;
        self.size = [info.world.extents.width, info.world.extents.height];
    }

    /// The preset's values of all changed settings: first of the settings that need a restart, then of the others.
    pub fn resets(&self, info: &SceneInfo) -> [Vec<(String, Value)>; 2] {
        let changed = self.fresh.iter().filter(|(key, value)| info.values.get(*key) != Some(value));
        let changed = changed.map(|(key, value)| (key.clone(), *value));
        changed.partition::<Vec<_>, _>(|(key, _)| cost(key) == Cost::Restart).into()
    }

    pub fn show(&mut self, ui: &mut Ui, input: &FrameInput<'_>, cursor: &mut Cursor, actions: &mut Vec<Action>) {
        let info = &input.snapshot.info;
        ui.add_space(6.0);
        section(ui, "Scene", true, |ui| self.scene(ui, input, actions));
        if info.features.lives.is_some() {
            let Snapshot { metrics, account, .. } = input.snapshot;
            section(ui, "Moods", true, |ui| {
                lives::show(ui, metrics.features.lives.as_ref(), &metrics.features.species, &account.ledger)
            });
        }
        let species = &input.snapshot.metrics.features.species;
        if !species.is_empty() {
            section(ui, "Species", true, |ui| {
                species::show(ui, &info.look, species);
                if info.features.lives.is_some() {
                    species::show_energy(ui, &info.look, species);
                }
                self.meetings(ui, info, actions);
            });
        }
        section(ui, "Start", false, |ui| {
            self.settings(ui, Section::Start, info, actions);
            self.release_held(ui, actions);
        });
        for (of, name) in SECTIONS.into_iter().filter(|(of, _)| info.features.has(*of)) {
            section(ui, name, of == Section::Rules, |ui| self.settings(ui, of, info, actions));
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
            section(ui, "Compare", false, |ui| curves::show_comparison(&self.comparison, ui, input, actions));
        }
        section(ui, "Film", false, |ui| self.film.show(ui, actions));
        section(ui, "Curves", false, |ui| {
            curves::show_metrics(&self.measures, ui, actions);
            trait_history::show(&self.rows, ui);
        });
        section(ui, "Engine", false, |ui| self.engine.show(ui, input, actions));
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
            let sharing = "Ctrl-L: the link of this run, which plays to the same bits everywhere";
            button(ui, "atlas", "F3: what the rules can do", Action::Atlas, actions);
            button(ui, "share", sharing, Action::Save(SaveKind::Link), actions);
            if input.can_verify {
                let verifying = "plays the run of the link to its end, and compares the hashes";
                button(ui, "verify", verifying, Action::Verify, actions);
            }
            if input.is_in_page {
                button(ui, "gallery", "runs that can be verified", Action::Page(PageRequest::Gallery), actions);
                button(ui, "edit", "the preset, the chain and its kernels", Action::Page(PageRequest::Editor), actions);
            }
        });
        ui.horizontal(|ui| {
            button(ui, "−", "-", Action::Faster(-1), actions);
            button(ui, "+", "+", Action::Faster(1), actions);
            ui.label(input.pace.to_string());
            // A separate row would move the sliders under the mouse.
            if self.fresh != info.values {
                button(ui, "reset all", "every number as the preset has it", Action::ResetAll, actions);
            }
        });
    }

    /// Shows the settings of each hunter of the preset.
    fn hunters(&mut self, ui: &mut Ui, info: &SceneInfo, actions: &mut Vec<Action>) {
        let all = &info.world.hunters;
        for (index, hunter) in all.iter().enumerate() {
            let Some(kind) = hunter.name() else { continue };
            ui.add_space(4.0);
            ui.label(RichText::new(format!("the preset's own {kind}")).small());
            let table = format!("hunter[{index}].");
            // A single hunter may be a table, not an array of tables.
            let is_own = |key: &str| key.starts_with(&table) || all.len() == 1 && key.starts_with("hunter.");
            self.settings_of(
                ui,
                settings(Section::Hunt, &info.values).into_iter().filter(|own| is_own(own.key)),
                info,
                actions,
            );
        }
    }

    /// Shows the settings of the meetings between species.
    fn meetings(&mut self, ui: &mut Ui, info: &SceneInfo, actions: &mut Vec<Action>) {
        for (index, name) in info.features.species_names.iter().enumerate() {
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
                // The space of the reset button is always reserved, so that nothing moves.
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
            if setting.row.cost == Cost::Restart {
                self.held = Some((key, value));
            } else {
                actions.push(Action::Set(key, value));
            }
        }
    }

    /// Requests a restart with the value of [`Self::held`], once the user no longer drags or edits the value.
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
            ui.add(DragValue::new(width).range(1..=MAX_EXTENT)).labelled_by(name);
            ui.label("×");
            ui.add(DragValue::new(height).range(1..=MAX_EXTENT)).labelled_by(name);
            ui.label("cells");
            let size = (*width, *height);
            let is_other = size != (info.world.extents.width, info.world.extents.height);
            if ui.add_visible(is_other, Button::new("restart")).clicked() {
                actions.push(Action::Restart(SceneChange { size: Some(size), ..SceneChange::default() }));
            }
        });
    }
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
