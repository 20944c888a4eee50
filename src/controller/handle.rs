//! Handles the commands of the controller.

use super::compare_pane::ComparePane;
use super::features::follow_probe;
use super::{Command, Controller, Event, SaveKind, Scene, SceneInfo};
use crate::compare::pair;
use murmuration_core::engine::cpu;
use murmuration_core::error::Failure;
use murmuration_core::simulation::checkpoint::Checkpoint;
use murmuration_core::simulation::replay::{Playback, Replay};
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::ticket::Patience;
use std::sync::Arc;

impl Controller {
    /// Handles commands in their order. A command is skipped if the next one replaces it, such as two moves of the
    /// hunter. During a run-in, commands about the swarm wait for step 0.
    pub fn handle(&mut self, commands: impl IntoIterator<Item = Command>) {
        let mut commands = commands.into_iter().peekable();
        while let Some(command) = commands.next() {
            if command.is_for_step_0() && self.simulation.run_in().is_some() {
                self.run_in.waiting.push(command);
                continue;
            }
            if self.is_to_be_held(&command) {
                self.held.push(command);
                continue;
            }
            self.commands += 1;
            self.is_changed = true;
            if commands.peek().is_some_and(|next| command.is_superseded_by(next)) {
                continue;
            }
            if let Err(failure) = self.handle_command(command) {
                self.fail(&failure);
            }
            self.answer_requests(Patience::Poll);
        }
    }

    fn handle_command(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::Input(input, origin) => self.handle_input(self.simulation.input_from(input, origin))?,
            Command::Pause(is_paused) => self.pause(is_paused),
            Command::Steps(steps) => self.pacer.requested += steps,
            Command::Pace(pace) => self.pacer.pace = pace,
            Command::Begin(scene) => {
                self.begin(Scene { choice: self.scene.choice, ..scene });
            }
            Command::Resume(checkpoint) => self.resume(*checkpoint),
            Command::Restart(change) => {
                let scene = self.scene_as_set();
                self.begin(Scene { overrides: change.apply_to(&scene.overrides), ..scene });
            }
            Command::Round(steps) => {
                if self.begin(self.scene_as_set()) {
                    self.pacer.pause_at = Some(steps);
                    self.pause(false);
                }
            }
            Command::EndRound => self.pacer.pause_at = None,
            Command::WatchReplay => self.watch_replay()?,
            Command::TakeOver => {
                if self.replay.is_some() {
                    self.end_replay()?;
                    self.events.push(Event::Info("the hunt is yours".into()));
                }
            }
            Command::Probe(target, origin) => {
                let origin = origin.or(self.simulation.origin());
                self.readings.set_probed(target.map(|target| (target, origin)));
                if target.is_none() {
                    self.simulation.end_probe();
                }
                // The record of lives begins here, so that later births and parents are known.
                follow_probe(&mut self.simulation, target.is_some())?;
            }
            Command::Film(every) => self.film.set(every),
            Command::Compare(is_pane_wanted) => self.handle_compare(is_pane_wanted),
            Command::Engine(choice) => self.switch(choice),
            // The page saves sessions without a request of the user, so the user gets no message.
            Command::Save(SaveKind::Session) if self.simulation.run_in().is_some() => {}
            Command::Save(_) if self.simulation.run_in().is_some() => {
                self.events.push(Event::Info("step 0 is not reached: there is nothing to save yet".into()));
            }
            Command::Save(kind) => self.request_file(kind)?,
        }
        Ok(())
    }

    /// Applies an input of the user. While a replay plays, inputs are ignored.
    fn handle_input(&mut self, input: Input) -> Result<(), Failure> {
        if self.replay.is_some() {
            return Ok(());
        }
        if input == Input::Undo {
            // If there is nothing to undo, the user gets a message and no error.
            match self.apply(input) {
                Err(Failure::BadInput(wrong)) => self.events.push(Event::Info(wrong.problem)),
                applied => {
                    applied?;
                    self.update_info();
                }
            }
            return Ok(());
        }
        self.has_hunted |= !matches!(input, Input::Set { .. } | Input::Hunter(None) | Input::Jaws(_));
        // Only these inputs change the scene's description. The hunter moves 60 times a second, so that a new
        // description for each input would be slow.
        let changes_info = matches!(input, Input::Set { .. } | Input::Solid { .. });
        self.apply(input)?;
        if changes_info {
            self.update_info();
        }
        Ok(())
    }

    /// Applies an input to the cells and to the compared individuals, or to none if one model does not accept it.
    fn apply(&mut self, input: Input) -> Result<(), Failure> {
        let Some(pane) = &mut self.pane else { return self.simulation.apply(input) };
        let translated = pair::accepted(&self.simulation, &pane.individuals, &input)?;
        self.simulation.apply(input)?;
        if let Err(failure) = pane.individuals.apply(translated) {
            self.drop_pane(&failure);
        }
        Ok(())
    }

    /// The current scene with all settings that were changed since it began, without its replay.
    fn scene_as_set(&self) -> Scene {
        let overrides = self.simulation.preset().source().overrides.clone();
        Scene { overrides, replay: None, ..self.scene.clone() }
    }

    /// Starts another scene. Returns `false` if the start fails. The current scene then continues.
    fn begin(&mut self, scene: Scene) -> bool {
        let before = self.simulation.preset();
        match scene.begin(before.host(), Some(before.world.extents)) {
            Ok(simulation) => {
                self.replace(scene, simulation);
                true
            }
            Err(failure) => {
                self.error(&failure);
                false
            }
        }
    }

    /// Replaces the scene by the scene of a checkpoint. If the checkpoint cannot be resumed, the current scene
    /// continues.
    fn resume(&mut self, checkpoint: Checkpoint) {
        match Scene::resume(self.simulation.preset().host(), checkpoint, self.scene.choice) {
            Ok((scene, simulation)) => self.replace(scene, simulation),
            Err(failure) => self.error(&failure),
        }
    }

    /// Ends the current scene, and continues with another one, whose simulation has been started.
    pub(super) fn replace(&mut self, scene: Scene, simulation: Simulation) {
        self.finish();
        // Commands that waited for step 0 of the old scene are dropped, and count as handled.
        self.commands += std::mem::take(&mut self.run_in).waiting.len() as u64;
        self.events.extend(self.files.error.take().map(Event::Resolved));
        self.simulation = simulation;
        self.expect_player();
        self.keep_points();
        self.replay = scene.replay.clone().map(|replay| (replay, Playback::default()));
        self.began = (self.clock)();
        self.has_hunted = false;
        self.pacer.pause_at = None;
        self.pacer.end_tick();
        self.pacer.restart_rate((self.clock)());
        self.scene = scene;
        self.scenes += 1;
        self.begin_pane();
        self.info = Arc::new(SceneInfo::new(&self.simulation, None));
        self.readings.begin_scene(self.simulation.origin());
        self.watch_files();
    }

    /// Starts the individuals for a comparison with the cells of the scene, if the user wants the comparison and it is
    /// possible. The scene is at step 0.
    pub(super) fn begin_pane(&mut self) {
        (self.pane, self.pane_readbacks) = (None, 0);
        if !self.is_pane_wanted || self.simulation.run_in().is_some() {
            return;
        }
        if self.replay.is_some() {
            let text = "the hunt that is watched is the cells' own: its individuals are not played";
            return self.events.push(Event::Info(text.into()));
        }
        if self.simulation.preset().individuals.is_some() {
            let text = format!("{} has no cells: its individuals are all there is", self.simulation.preset().name);
            return self.events.push(Event::Info(text));
        }
        match ComparePane::begin(&self.simulation) {
            Ok(pane) => self.pane = Some(pane),
            Err(failure) => self.error(&failure),
        }
    }

    fn watch_replay(&mut self) -> Result<(), Failure> {
        match &self.replay {
            Some((replay, _)) => self.begin_replay(replay.clone()),
            None => self.request_replay()?,
        }
        Ok(())
    }

    /// Replaces the scene by a replay, which plays at once.
    pub(super) fn begin_replay(&mut self, replay: Arc<Replay>) {
        let scene = Scene::from_replay(self.simulation.preset().host(), replay, self.scene.choice);
        if self.begin(scene) {
            self.pause(false);
        }
    }

    fn handle_compare(&mut self, is_pane_wanted: bool) {
        if !is_pane_wanted {
            self.is_pane_wanted = false;
            return self.end_pane();
        }
        // The preset is checked first, because the comparison ends the current run.
        if let Err(wrong) = pair::individuals_of(self.simulation.preset(), self.simulation.chain()) {
            return self.error(&wrong.into());
        }
        self.is_pane_wanted = true;
        let mut scene = self.scene_as_set();
        if self.patience == Patience::Poll && self.simulation.on_device().is_some() {
            scene.choice = EngineChoice::Cpu(cpu::Options::default());
            self.events.push(Event::Info("in a page both models are compared on the CPU".into()));
        }
        self.begin(scene);
    }

    /// Moves the swarm and the compared individuals to another engine. If the engine is not available, the present
    /// engine continues.
    fn switch(&mut self, choice: EngineChoice) {
        if let Err(failure) = self.simulation.switch(choice) {
            return self.error(&failure);
        }
        self.scene.choice = choice;
        if let Some(pane) = &mut self.pane
            && let Err(failure) = pane.individuals.switch(pair::choice_for_individuals(choice))
        {
            self.error(&failure);
        }
        self.update_info();
        self.pacer.restart_rate((self.clock)());
    }
}
