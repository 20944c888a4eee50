//! Performs the requests of keys and of the panel.

use super::MainWindow;
use super::mouse::ZOOM;
use crate::controller::round::Round;
use crate::controller::{Command, Scene, SceneChange, SceneInfo};
use crate::link::Link;
use crate::observe::layer_of;
use crate::viewer::action::{Action, CurveForm, Tool};
use crate::viewer::disk;
use crate::viewer::film::{FilmRecording, Outcome, Viewpoint};
use crate::viewer::sides::Models;
use crate::viewer::view::{Drag, Motion, fish_to_follow};
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::falcons::Falcon;
use murmuration_core::preset::keys::Value;
use murmuration_core::simulation::{EngineChoice, Input};
use std::path::Path;
use std::sync::Arc;

/// The message for an action that is not possible during a replay.
const WATCHED: &str = "a hunt is watched: Enter takes it over";

impl MainWindow {
    /// Performs an action.
    pub(super) fn apply_action(&mut self, action: Action) {
        if self.session.is_replaying() && action.touches_swarm() {
            return self.interface.messages.show_info(WATCHED);
        }
        if action.ends_round() {
            self.cancel_round();
        }
        match action {
            Action::Set(key, value) => self.set(key, value),
            Action::ResetAll => self.reset_all(),
            Action::Preset(index) => self.begin_preset(index),
            Action::Play(link) => self.play_link(&link),
            Action::BeginAgain => self.session.begin_again(),
            Action::Restart(change) => self.restart(change),
            Action::Engine(choice) => self.send(Command::Engine(choice)),
            Action::NextEngine => self.change_engine(),
            Action::Save(kind) => self.send(Command::Save(kind)),
            Action::Pause => self.session.set_paused(!self.session.is_paused()),
            Action::Step => self.step_once(),
            Action::Faster(by) => self.change_pace(by),
            Action::Round => self.begin_round(),
            Action::WatchReplay => self.session.watch_replay(),
            Action::Verify => self.verify(),
            Action::Page(request) => self.page_request = Some(request),
            Action::TakeOver => self.send(Command::TakeOver),
            Action::Catch => self.toggle_jaws(),
            Action::SelectTool(tool) => self.mouse.cursor.tool = tool,
            Action::Brush(by) => self.mouse.cursor.stretch_brush(by),
            Action::Undo => self.send(Command::from(Input::Undo)),
            Action::Models(models) => self.show_models(models),
            Action::NextModels => self.show_models(self.view.models.next()),
            Action::Divide(part) => self.view.arrangement.divider = part,
            Action::NextStyle => self.change_style(),
            Action::NextAxis => self.change_axis(),
            Action::Layer(by) => self.change_layer(by),
            Action::Fly => self.change_flight(),
            Action::Follow => self.follow_next(),
            Action::Depth => self.change_depth(),
            Action::Fit => self.fit(),
            Action::Pan(pixels) => self.pan(pixels),
            Action::Zoom(notches) => self.zoom(notches),
            Action::Still => self.request_still(),
            Action::Film => self.toggle_film(),
            Action::Curves => self.interface.panel.charts.is_open ^= true,
            Action::Atlas => self.interface.atlas.is_open ^= true,
            Action::SaveCurves(form) => self.save_curves(form),
            Action::Panel => self.toggle_panel(),
            Action::Focus => self.focus_next(),
            Action::Help => self.interface.is_help_open = !self.interface.is_help_open,
            Action::Cancel => self.cancel(),
            Action::Fullscreen => self.toggle_fullscreen(),
            Action::Quit => self.is_closing = true,
        }
    }

    fn send(&mut self, command: Command) {
        self.session.send(command);
    }

    /// Starts the built-in preset with this index.
    fn begin_preset(&mut self, index: usize) {
        if let Some(name) = crate::host().library().preset_names().nth(index) {
            self.session.begin_preset(name);
        }
    }

    /// Plays the run of a link from its start.
    fn play_link(&mut self, text: &str) {
        match Link::parse(text) {
            Ok(link) => self.session.begin_scene(Scene::from_link(&link, self.session.choice())),
            Err(wrong) => self.interface.messages.show_error(wrong.to_string()),
        }
    }

    fn step_once(&mut self) {
        self.session.set_paused(true);
        self.send(Command::Steps(1));
    }

    fn change_pace(&mut self, by: i32) {
        self.session.set_pace(self.session.pace.faster(by));
        self.interface.messages.show_info(self.session.pace.to_string());
    }

    fn toggle_jaws(&mut self) {
        let is_catching = &mut self.mouse.cursor.is_catching;
        *is_catching = !*is_catching;
        let text = if *is_catching { "catch on: the jaws are open" } else { "catch off" };
        self.interface.messages.show_info(text);
    }

    /// Moves the view of a flat world by pixels. In a deep world the view turns, and with Shift it moves.
    fn pan(&mut self, pixels: [i8; 2]) {
        let drag = if self.mouse.modifiers.state().shift_key() { Drag::Pan } else { Drag::Turn };
        self.view.drag_by(drag, pixels.map(f32::from).into());
    }

    /// Zooms around the pointer, or around the middle if the pointer is not over the swarm.
    fn zoom(&mut self, notches: i8) {
        let pane = self.view.arrangement.main_side().pane;
        let middle = pane.origin.as_vec2() + pane.size.as_vec2() / 2.0;
        self.view.zoom(self.mouse.cursor.at.unwrap_or(middle), ZOOM.powf(2.0 * f32::from(notches)));
    }

    fn toggle_panel(&mut self) {
        self.show_panel(self.interface.is_panel_hidden);
    }

    /// Moves the keyboard focus to the next control of the panel, and opens the panel.
    fn focus_next(&mut self) {
        if self.interface.is_panel_hidden {
            self.toggle_panel();
        }
        // egui moves the focus by the Tab key.
        let key = egui::Key::Tab;
        let modifiers = egui::Modifiers::NONE;
        let pressed = egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        self.ui.egui_input_mut().events.push(pressed);
    }

    /// Closes the help, the atlas or the curves. If none is open, dismisses an error, or else selects the hunter.
    fn cancel(&mut self) {
        if self.interface.is_help_open {
            self.interface.is_help_open = false;
        } else if self.interface.atlas.is_open {
            self.interface.atlas.is_open = false;
        } else if self.interface.panel.charts.is_open {
            self.interface.panel.charts.is_open = false;
        } else if !self.interface.messages.dismiss() {
            self.mouse.cursor.tool = Tool::Hunter;
        }
    }

    /// Saves the curves, and shows the path.
    fn save_curves(&mut self, form: CurveForm) {
        let Some(snapshot) = &self.session.snapshot else { return };
        let provenance = snapshot.info.provenance.with_inputs(snapshot.inputs);
        let saved = disk::save_curves(Path::new("."), &provenance, snapshot.step, &self.interface.panel, form);
        self.interface.messages.show_result(saved);
    }

    /// Sets a key of the preset.
    fn set(&mut self, key: String, value: Value) {
        let input = Input::Set { key: key.clone(), value: value.to_string() };
        let command = self.session.send_input(input);
        self.interface.panel.set_pending(&[(key, value)], command);
    }

    fn restart(&mut self, change: SceneChange) {
        let set = change.set.clone();
        let command = self.session.restart(change);
        self.interface.panel.set_pending(&set, command);
    }

    /// Resets every number to the value in the preset.
    fn reset_all(&mut self) {
        let Some(snapshot) = &self.session.snapshot else { return };
        let [start, rest] = self.interface.panel.resets(&snapshot.info);
        for (key, value) in rest {
            self.set(key, value);
        }
        if !start.is_empty() {
            self.restart(SceneChange { set: start, ..SceneChange::default() });
        }
    }

    /// Starts a round: the scene from its start, with open jaws and equal hunters for all players.
    fn begin_round(&mut self) {
        let Some(snapshot) = self.session.snapshot.clone() else { return };
        self.mouse.cursor = self.mouse.cursor.in_round(&snapshot.info.world);
        let command = self.session.begin_round();
        let name = Round::score_name(&snapshot.info);
        match name.as_deref().map(disk::best_score).transpose() {
            Ok(best) => self.interface.round.begin(command, &snapshot, name, best.flatten()),
            Err(failure) => {
                self.interface.round.begin(command, &snapshot, None, None);
                self.interface.messages.show_error(failure.to_string());
            }
        }
    }

    /// Ends a round without a score, because something other than the hunter of the round changes the swarm.
    pub(super) fn cancel_round(&mut self) {
        if self.interface.round.is_on() {
            self.interface.round.cancel();
            self.send(Command::EndRound);
            self.mouse.cursor.in_cells = None;
            let text = "the round is off: nothing but the hunter may touch the swarm in it";
            self.interface.messages.show_info(text);
        }
    }

    /// Shows one model or both. If the individuals are not simulated yet, the scene restarts with them.
    fn show_models(&mut self, models: Models) {
        let Some(snapshot) = &self.session.snapshot else { return };
        if !snapshot.info.has_cells {
            let text = format!("{} has no cells: its individuals are all there is", snapshot.info.preset);
            return self.interface.messages.show_info(text);
        }
        let has_individuals = snapshot.compared.is_some();
        let needs_individuals = models != Models::Main;
        if needs_individuals && snapshot.replay.is_some() {
            return self.interface.messages.show_info(WATCHED);
        }
        let were_requested = std::mem::replace(&mut self.view.models, models) != Models::Main;
        if were_requested != needs_individuals || needs_individuals && !has_individuals {
            self.cancel_round();
            self.send(Command::Compare(needs_individuals));
        }
        if has_individuals && needs_individuals {
            self.view.arrangement.models = models;
            self.fit();
        }
    }

    /// Moves the swarm from the CPU to the GPU, or back.
    fn change_engine(&mut self) {
        let Some(snapshot) = &self.session.snapshot else { return };
        self.send(Command::Engine(match snapshot.info.choice {
            EngineChoice::Gpu(_) => EngineChoice::Cpu(cpu::Options::default()),
            _ => EngineChoice::Gpu(Dispatch::default()),
        }));
    }

    /// Starts or ends the flight through a deep world.
    fn change_flight(&mut self) {
        if self.view.arrangement.main_side().orbit_in_depth().is_none() {
            return self.interface.messages.show_info("one flies through deep worlds of cells, and among rock");
        }
        let is_flying = self.view.motion == Motion::Flight;
        self.view.motion = if is_flying { Motion::Drift } else { Motion::Flight };
        let text = if is_flying { "the flight is over" } else { "flying: the mouse steers, o ends it" };
        self.interface.messages.show_info(text);
    }

    /// Follows the next falcon of a deep world, then a fish among rock, then nothing. In a flat world it follows an
    /// individual, then nothing.
    fn follow_next(&mut self) {
        let Some(snapshot) = &self.session.snapshot else { return };
        let arrangement = &self.view.arrangement;
        let is_flat = arrangement.orbit.is_none() && snapshot.info.depth == 1 && snapshot.individuals.is_some();
        let middle = match arrangement.main_side().orbit_in_depth() {
            Some(orbit) => orbit.target,
            None if is_flat => arrangement.camera.centre.extend(0.0),
            None => {
                let text =
                    "falcons are followed in deep worlds of cells, fish among rock, and individuals in flat worlds";
                return self.interface.messages.show_info(text);
            }
        };
        let falcons = if is_flat { 0 } else { Falcon::all_of(&snapshot.columns).len() };
        let next = match self.view.motion {
            Motion::Falcon(index) => index + 1,
            Motion::Fish(_) => usize::MAX,
            Motion::Drift | Motion::Flight => 0,
        };
        let has_fish = snapshot.individuals.is_some() && next <= falcons;
        let fish = if has_fish && next == falcons { fish_to_follow(snapshot, middle) } else { None };
        let (motion, said) = match fish {
            _ if next < falcons => (Motion::Falcon(next), format!("with falcon {} of {falcons}", next + 1)),
            Some(number) if is_flat => (Motion::Fish(number), format!("with individual {number}; n ends it")),
            Some(number) => (Motion::Fish(number), format!("with fish {number}; n ends it")),
            None if has_fish => {
                (Motion::Drift, "of a swarm on a device the probed individual is followed: i probes".into())
            }
            None if falcons == 0 && next == 0 => (Motion::Drift, "no falcon flies here".into()),
            None => (Motion::Drift, "nobody is followed any more".into()),
        };
        self.view.motion = motion;
        self.interface.messages.show_info(said);
        if matches!(motion, Motion::Fish(_)) {
            self.view.come_near();
        }
        if motion == Motion::Drift {
            self.fit();
        }
    }

    /// Draws the swarm in the next style.
    fn change_style(&mut self) {
        let Some(snapshot) = &self.session.snapshot else { return };
        let next = snapshot.info.look.style.next().name();
        self.set("look.style".into(), Value::Word(next));
        self.interface.messages.show_info(format!("the style is {next}"));
    }

    /// Shows the plane of values of a deep world across the next axis.
    fn change_axis(&mut self) {
        let Some(info) = self.read_in_depth() else { return };
        let next = ["y", "z", "x"][info.look.axis];
        self.set("look.axis".into(), Value::Word(next));
    }

    /// Moves the slice of a deep world to the middle of another layer. `by`: the number of layers between them.
    fn change_layer(&mut self, by: i8) {
        let Some(info) = self.read_in_depth() else { return };
        let extents = info.world.extents;
        let look = &info.look;
        let layers = extents.along_axes()[look.axis];
        let layer = layer_of(extents, look).saturating_add_signed(by.into()).min(layers - 1);
        let part = (f64::from(layer) + 0.5) / f64::from(layers);
        self.set("look.layer".into(), Value::Number((part * 1e6).round() / 1e6));
    }

    /// The scene, if it is a deep world of cells shown as values.
    fn read_in_depth(&mut self) -> Option<Arc<SceneInfo>> {
        let info = self.session.snapshot.as_ref()?.info.clone();
        if info.look.shows_values() && info.world.extents.depth.is_some() {
            return Some(info);
        }
        self.interface.messages.show_info("values are read in the styles slice and projection of a deep world (y)");
        None
    }

    /// Shows a deep world from around, or from above.
    fn change_depth(&mut self) {
        let Some(snapshot) = &self.session.snapshot else { return };
        if snapshot.info.look.shows_values() {
            return self.interface.messages.show_info("values are shown on a plane: y leads to another style");
        }
        if snapshot.info.depth <= 1 {
            return self.interface.messages.show_info("this world is flat: it is seen from above");
        }
        self.view.is_above = self.view.arrangement.orbit.is_some();
        self.fit();
    }

    /// Starts or ends a film.
    fn toggle_film(&mut self) {
        if let Some(recorder) = &mut self.interface.panel.film.recorder {
            if !recorder.is_stopping {
                recorder.is_stopping = true;
                self.session.film(None);
            }
            return;
        }
        let (Some(viewpoint), Some(snapshot)) = (self.viewpoint(), &self.session.snapshot) else { return };
        let film = &mut self.interface.panel.film;
        let name = format!("murmuration-{}-{:06}", snapshot.info.preset, snapshot.step);
        let look = self.screen.look.clone();
        let wake = self.wake.clone();
        match FilmRecording::start(film.form, &name, film.frames_a_second, viewpoint, look, &*self.scheduler, wake) {
            Ok((recorder, sender)) => {
                film.recorder = Some(recorder);
                self.session.film(Some((film.every, sender)));
            }
            Err(failure) => self.interface.messages.show_error(failure.to_string()),
        }
    }

    /// Handles the end of a film.
    pub(super) fn end_film(&mut self, outcome: Outcome) {
        self.interface.panel.film.end();
        // If the film failed, the simulation still sends frames.
        self.session.film(None);
        self.interface.messages.show_result(outcome);
    }

    /// The viewpoint for a film.
    pub(super) fn viewpoint(&self) -> Option<Viewpoint> {
        let info = self.session.snapshot.as_ref()?.info.clone();
        Some(Viewpoint { arrangement: self.view.arrangement.without_panel(), info })
    }
}
