//! Helpers for tests of the controller: a clock, a storage without a disk, and a controller with both.

use super::{Clock, Command, Controller, Event, RunContent, RunFile, Scene, Snapshot, Storage};
use murmuration_core::engine::cpu;
use murmuration_core::engine::platform::{Platform, SharedHost};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::host::Host;
use murmuration_core::host::library::Library;
use murmuration_core::preset::Overrides;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Simulation};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A clock that advances by [`Self::pass`], and by the fixed time `per_look` at each reading.
#[derive(Clone)]
pub struct FakeClock {
    now: Arc<Mutex<Duration>>,
    per_look: Duration,
}

impl FakeClock {
    pub fn new(per_look: Duration) -> Self {
        Self { now: Arc::default(), per_look }
    }

    pub fn pass(&self, by: Duration) {
        *self.now.lock().unwrap() += by;
    }

    pub fn clock(&self) -> Clock {
        let Self { now, per_look } = self.clone();
        Box::new(move || {
            let mut now = now.lock().unwrap();
            let before = *now;
            *now += per_look;
            before
        })
    }
}

/// A storage and host with files in memory: one preset file, and a list of saved files.
#[derive(Debug, Clone, Default)]
pub struct MemoryStorage(Arc<Mutex<Memory>>);

#[derive(Debug, Default)]
struct Memory {
    /// The text of `scene.toml`.
    text: String,
    has_changed: bool,
    saved: Vec<String>,
}

impl MemoryStorage {
    pub fn write(&self, text: &str) {
        let mut memory = self.0.lock().unwrap();
        (memory.text, memory.has_changed) = (text.into(), true);
    }

    /// The names of the files that were saved since the last call.
    pub fn take_saved(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().saved)
    }

    /// A host whose only file is `scene.toml`.
    pub fn host(&self) -> SharedHost {
        Arc::new(self.clone())
    }

    fn saved(&self, name: String) -> String {
        self.0.lock().unwrap().saved.push(name.clone());
        name
    }
}

impl Platform for MemoryStorage {}

impl Host for MemoryStorage {
    fn library(&self) -> &Library {
        crate::host().library()
    }

    fn read_text(&self, path: &Path) -> Result<String, BadInput> {
        match path.to_str() {
            Some("scene.toml") => Ok(self.0.lock().unwrap().text.clone()),
            _ => Err(BadInput::new(path.display().to_string(), "there is no such file", "name another")),
        }
    }
}

impl Storage for MemoryStorage {
    fn save(&mut self, RunFile { step, content, .. }: &RunFile) -> Result<String, Failure> {
        let kind = match content {
            RunContent::Replay(_) => "Replay",
            RunContent::Checkpoint(_) => "Checkpoint",
            RunContent::Preset(..) => "Preset",
            RunContent::Link(_) => "Link",
            RunContent::Session(..) => "Session",
        };
        Ok(self.saved(format!("{kind} of step {step}")))
    }

    fn save_last_known(&mut self, simulation: &mut Simulation) -> String {
        self.saved(format!("last known state of step {}", simulation.step()))
    }

    fn save_last_hunt(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        self.saved(format!("last hunt of {} steps", simulation.read(ReplayReading)?.total_steps()));
        Ok(())
    }

    fn watch(&mut self, _: Vec<PathBuf>) -> Result<(), String> {
        Ok(())
    }

    fn changed_files(&mut self) -> Vec<PathBuf> {
        let has_changed = std::mem::take(&mut self.0.lock().unwrap().has_changed);
        if has_changed { vec!["scene.toml".into()] } else { Vec::new() }
    }
}

/// A scene of a preset on a small square lattice, on one thread.
pub fn scene(preset: &str, size: u32) -> Scene {
    Scene {
        preset: preset.into(),
        overrides: Overrides { size: Some((size, size)), ..Overrides::default() },
        chain: None,
        choice: EngineChoice::Cpu(cpu::Options { threads: Some(1), instruction_set: None }),
        replay: None,
    }
}

pub fn simulation(scene: &Scene) -> Simulation {
    scene.begin(&MemoryStorage::default().host(), None).unwrap()
}

/// A controller with its clock and its storage.
pub struct Stage {
    pub controller: Controller,
    pub clock: FakeClock,
    pub storage: MemoryStorage,
}

impl Stage {
    pub fn new(scene: Scene) -> Self {
        Self::with_storage(scene, MemoryStorage::default())
    }

    pub fn with_storage(scene: Scene, storage: MemoryStorage) -> Self {
        let clock = FakeClock::new(Duration::ZERO);
        let simulation = scene.begin(&storage.host(), None).unwrap();
        let controller = Controller::new(simulation, scene, Box::new(storage.clone()), clock.clock());
        Self { controller, clock, storage }
    }

    pub fn handle(&mut self, command: Command) {
        self.controller.handle([command]);
    }

    /// Calls [`Controller::tick`] `ticks` times.
    pub fn play(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.controller.tick();
            self.clock.pass(super::pace::TICK);
        }
    }

    /// The snapshot of the current state. The test fails if nothing has changed since the last snapshot.
    pub fn snapshot(&mut self) -> Snapshot {
        self.controller.snapshot().unwrap()
    }

    pub fn events(&mut self) -> Vec<Event> {
        self.controller.take_events()
    }
}
