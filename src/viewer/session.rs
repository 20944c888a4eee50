//! The simulation as the window knows it: the newest snapshot, and what was requested since.

use super::film::FilmSender;
use super::worker::Worker;
use crate::controller::{Command, Event, Pace, Scene, SceneChange, Snapshot, round};
use crate::error::Failure;
use crate::simulation::Simulation;
use std::path::PathBuf;

/// The window's end of a controller.
pub struct Session {
    worker: Worker,
    /// The scene that was requested last.
    scene: Scene,
    snapshot: Option<Snapshot>,
    pace: Pace,
    /// Whether a pause was requested last, and by which command.
    pause: (bool, u64),
}

impl Session {
    /// # Errors
    /// As [`Worker::start`].
    pub fn start(simulation: Simulation, scene: Scene, wake: impl Fn() + Send + 'static) -> Result<Self, Failure> {
        let worker = Worker::start(simulation, scene.clone(), PathBuf::from("."), wake)?;
        Ok(Self { worker, scene, snapshot: None, pace: Pace::USUAL, pause: (false, 0) })
    }

    pub fn take_events(&self) -> Vec<Event> {
        self.worker.take_events()
    }

    /// A snapshot that the window does not show yet.
    pub fn take_new_snapshot(&self) -> Option<Snapshot> {
        self.worker.take_snapshot()
    }

    /// The snapshot that the window shows.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    pub fn set_snapshot(&mut self, snapshot: Snapshot) {
        self.snapshot = Some(snapshot);
    }

    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Sends a command. Returns the smallest [`Snapshot::commands`] of snapshots taken after it.
    pub fn send(&mut self, command: Command) -> u64 {
        self.worker.send(command)
    }

    pub fn film(&mut self, film: Option<(u64, FilmSender)>) {
        self.worker.film(film);
    }

    /// Whether a replay plays.
    pub fn is_replaying(&self) -> bool {
        self.snapshot.as_ref().is_some_and(|snapshot| snapshot.replay.is_some())
    }

    /// Whether the run is paused, or will be by what was requested.
    pub fn is_paused(&self) -> bool {
        let (requested, command) = self.pause;
        let answered = self.snapshot.as_ref().filter(|snapshot| snapshot.commands >= command);
        answered.map_or(requested, |snapshot| snapshot.is_paused)
    }

    pub fn set_paused(&mut self, is_paused: bool) {
        self.pause = (is_paused, self.send(Command::Pause(is_paused)));
    }

    pub fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        self.send(Command::Pace(pace));
    }

    /// Begins a built-in preset as it is written. The chain of the scene before may not fit it.
    pub fn begin_preset(&mut self, name: &str) {
        self.scene = Scene {
            preset: name.into(),
            overrides: Default::default(),
            chain: None,
            choice: self.scene.choice,
            replay: None,
        };
        self.send(Command::Begin(self.scene.clone()));
    }

    /// Begins the scene again, with another seed if one is given. A replay begins again as a replay.
    pub fn begin_again(&mut self, seed: Option<u64>) {
        if seed.is_some() || self.scene.replay.is_none() {
            self.restart(SceneChange { seed, ..SceneChange::default() });
        } else {
            self.send(Command::Begin(self.scene.clone()));
        }
    }

    /// Begins the scene again with a change. Returns the number of the command.
    pub fn restart(&mut self, change: SceneChange) -> u64 {
        self.scene.replay = None;
        self.send(Command::Restart(change))
    }

    /// Begins a round at the usual pace. Returns the number of the command.
    pub fn begin_round(&mut self) -> u64 {
        self.scene.replay = None;
        self.set_pace(Pace::USUAL);
        let command = self.send(Command::Round(round::STEPS));
        self.pause = (false, command);
        command
    }

    /// Plays the run so far again.
    pub fn watch_replay(&mut self) {
        self.pause = (false, self.send(Command::WatchReplay));
    }

    /// Saves the swarm of a window that cannot go on. Returns what came of it, in words.
    pub fn rescue(&mut self) -> String {
        self.worker.rescue()
    }

    /// Ends the simulation. Returns the last events.
    pub fn close(&mut self) -> Vec<Event> {
        self.worker.close()
    }
}
