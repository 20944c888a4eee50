//! What keys and the panel ask of the window.

use super::MainWindow;
use super::mouse::ZOOM;
use crate::controller::round::Round;
use crate::controller::{Command, SceneChange};
use crate::preset::keys::{Cost, Value, cost};
use crate::simulation::Input;
use crate::viewer::keys::{Action, Tool};
use crate::viewer::panel_action::PanelAction;
use crate::viewer::scores;
use crate::viewer::sides::Models;
use crate::viewer::view::Drag;

impl MainWindow {
    /// Does what a key asks for.
    pub(super) fn handle_key(&mut self, action: Action) {
        match action {
            Action::Pause => self.apply_action(PanelAction::Pause(!self.session.is_paused())),
            Action::Round => self.apply_action(PanelAction::Round),
            Action::WatchReplay => self.apply_action(PanelAction::WatchReplay),
            Action::TakeOver => {
                self.session.send(Command::TakeOver);
            }
            Action::Step => self.apply_action(PanelAction::Step),
            Action::Faster(by) => self.apply_action(PanelAction::Pace(self.session.pace().faster(by))),
            Action::Restart => self.apply_action(PanelAction::Restart(None)),
            Action::Preset(index) => {
                if let Some(name) = crate::host().library().preset_names().nth(index) {
                    self.apply_action(PanelAction::Preset(name));
                }
            }
            Action::Models => self.apply_action(PanelAction::Models(match self.view.models {
                Models::Main => Models::Both,
                Models::Both => Models::Individuals,
                Models::Individuals => Models::Main,
            })),
            Action::Depth => self.apply_action(PanelAction::Around(self.view.arrangement.orbit.is_none())),
            Action::Catch => self.apply_action(PanelAction::Catch(!self.mouse.hand.is_catching)),
            Action::Undo => self.apply_action(PanelAction::Undo),
            Action::Film => self.apply_action(PanelAction::Film),
            Action::Save(kind) => self.apply_action(PanelAction::Save(kind)),
            Action::Help => self.apply_action(PanelAction::Help),
            Action::Still => self.save_still(),
            Action::Fit => self.fit(),
            Action::Pan(_) | Action::Zoom(_) => self.move_view(action),
            Action::SelectTool(_) | Action::Brush(_) => self.change_tool(action),
            Action::Panel => {
                self.interface.is_panel_open = !self.interface.is_panel_open;
                if self.view.is_fitted() {
                    self.fit();
                }
            }
            Action::Cancel => self.cancel(),
            Action::Fullscreen => self.toggle_fullscreen(),
            Action::Quit => self.close_soon(),
        }
        self.send_mouse();
    }

    fn move_view(&mut self, action: Action) {
        match action {
            Action::Pan(pixels) => {
                let drag = if self.mouse.modifiers.state().shift_key() { Drag::Pan } else { Drag::Turn };
                self.view.drag_by(drag, pixels.map(f32::from).into());
            }
            Action::Zoom(notches) => {
                let middle = self.view.arrangement.size.as_vec2() / 2.0;
                self.view.zoom(self.mouse.hand.at.unwrap_or(middle), ZOOM.powf(2.0 * f32::from(notches)));
            }
            _ => {}
        }
    }

    fn change_tool(&mut self, action: Action) {
        match action {
            Action::SelectTool(tool) => {
                if !matches!(tool, Tool::Hunter | Tool::Probe) {
                    self.cancel_round();
                }
                self.mouse.hand.tool = tool;
            }
            Action::Brush(by) => {
                let stretch = &mut self.mouse.hand.brush_stretch;
                *stretch = (*stretch * 1.25f32.powi(i32::from(by))).clamp(0.2, 8.0);
            }
            _ => {}
        }
    }

    /// Closes the help, or else dismisses an error, or else returns to the hunter.
    fn cancel(&mut self) {
        if self.interface.is_help_open {
            self.interface.is_help_open = false;
        } else if !self.interface.messages.dismiss() {
            self.mouse.hand.tool = Tool::Hunter;
        }
    }

    /// Does what the panel or a key asks for.
    pub(super) fn apply_action(&mut self, action: PanelAction) {
        if self.session.is_replaying() && action.touches_swarm() {
            return self.interface.messages.show_info("a hunt is watched: Enter takes it over");
        }
        if action.ends_round() {
            self.cancel_round();
        }
        match action {
            PanelAction::Set(key, value) => self.set(key, &value),
            PanelAction::Preset(name) => self.session.begin_preset(name),
            PanelAction::Restart(seed) => self.session.begin_again(seed),
            PanelAction::Size(width, height) => {
                self.session.restart(SceneChange { size: Some((width, height)), ..SceneChange::default() });
            }
            PanelAction::Engine(choice) => {
                self.session.send(Command::Engine(choice));
            }
            PanelAction::Save(kind) => {
                self.session.send(Command::Save(kind));
            }
            PanelAction::ResetAll => self.reset_all(),
            PanelAction::Start(values) => self.set_start(&values),
            PanelAction::Pause(is_paused) => self.session.set_paused(is_paused),
            PanelAction::Step => {
                self.session.set_paused(true);
                self.session.send(Command::Steps(1));
            }
            PanelAction::Round => self.begin_round(),
            PanelAction::WatchReplay => self.session.watch_replay(),
            PanelAction::Pace(pace) => {
                self.session.set_pace(pace);
                self.interface.messages.show_info(pace.to_string());
            }
            PanelAction::Catch(is_catching) => {
                self.mouse.hand.is_catching = is_catching;
                let text = if is_catching { "catch on: the jaws are open" } else { "catch off" };
                self.interface.messages.show_info(text);
            }
            PanelAction::Undo => {
                self.session.send(Command::Input(Input::Undo));
            }
            PanelAction::Film => self.toggle_film(),
            PanelAction::Models(models) => self.show_models(models),
            PanelAction::Divide(part) => self.view.arrangement.divider = part,
            PanelAction::Around(is_around) => self.look_around(is_around),
            PanelAction::Help => self.interface.is_help_open = !self.interface.is_help_open,
        }
    }

    fn set(&mut self, key: String, value: &Value) {
        let input = Input::Set { key: key.clone(), value: value.to_string() };
        let command = self.session.send(Command::Input(input));
        self.interface.panel.set_pending(&key, value, command);
    }

    /// Restarts the scene with other values of its start.
    fn set_start(&mut self, values: &[(String, Value)]) {
        let set = values.iter().map(|(key, value)| (key.clone(), value.to_string())).collect();
        let command = self.session.restart(SceneChange { set, ..SceneChange::default() });
        for (key, value) in values {
            self.interface.panel.set_pending(key, value, command);
        }
    }

    /// Sets every number to the value that the preset has.
    fn reset_all(&mut self) {
        let Some(snapshot) = self.session.snapshot() else { return };
        let now = &snapshot.facts.values;
        let fresh = self.interface.panel.fresh().iter().filter(|(key, value)| now.get(*key) != Some(value));
        let fresh: Vec<_> = fresh.map(|(key, value)| (key.clone(), value.clone())).collect();
        let (start, rest): (Vec<_>, Vec<_>) = fresh.into_iter().partition(|(key, _)| cost(key) == Cost::Restart);
        for (key, value) in rest {
            self.set(key, &value);
        }
        if !start.is_empty() {
            self.apply_action(PanelAction::Start(start));
        }
    }

    /// Begins a round: the scene from its start, with open jaws and the same hunter for everyone.
    fn begin_round(&mut self) {
        let Some(snapshot) = self.session.snapshot().cloned() else { return };
        self.mouse.hand = self.mouse.hand.in_round(&snapshot.facts.world);
        let command = self.session.begin_round();
        let name = Round::score_name(&snapshot.facts);
        match name.as_deref().map(scores::best).transpose() {
            Ok(best) => self.interface.round.begin(command, &snapshot, name, best.flatten()),
            Err(failure) => {
                self.interface.round.begin(command, &snapshot, None, None);
                self.interface.messages.show_error(failure.to_string());
            }
        }
    }

    /// Ends a round without a score, because something else than its hunter touches the swarm.
    pub(super) fn cancel_round(&mut self) {
        if self.interface.round.is_on() {
            self.interface.round.cancel();
            self.session.send(Command::EndRound);
            self.mouse.hand.in_cells = None;
            let text = "the round is off: nothing but the hunter may touch the swarm in it";
            self.interface.messages.show_info(text);
        }
    }

    /// Shows one model or both. If the individuals are not played yet, the scene restarts with them.
    fn show_models(&mut self, models: Models) {
        let Some(snapshot) = self.session.snapshot() else { return };
        if !snapshot.facts.has_cells {
            let text = format!("{} has no cells: its individuals are all there is", snapshot.facts.preset);
            return self.interface.messages.show_info(text);
        }
        let (has_individuals, needs_individuals) = (snapshot.individuals.is_some(), models != Models::Main);
        if needs_individuals && snapshot.replay.is_some() {
            return self.interface.messages.show_info("a hunt is watched: Enter takes it over");
        }
        let were_requested = std::mem::replace(&mut self.view.models, models) != Models::Main;
        if were_requested != needs_individuals || needs_individuals && !has_individuals {
            self.cancel_round();
            self.session.send(Command::Compare(needs_individuals));
        }
        if has_individuals && needs_individuals {
            self.view.arrangement.models = models;
            self.fit();
        }
    }

    /// Shows a deep world from around, or from above.
    fn look_around(&mut self, is_around: bool) {
        let Some(snapshot) = self.session.snapshot() else { return };
        if snapshot.facts.depth <= 1 {
            return self.interface.messages.show_info("this world is flat: it is seen from above");
        }
        self.view.look_from_above(!is_around);
        self.fit();
    }
}
