//! Saved files, watched files, and the reload of a scene whose files change.
//!
//! If only the rules have changed, the same swarm continues under the new rules. If the start has changed, the scene
//! begins again. If a file has an error, the scene continues with the last version of the files that had no error.

use super::requests::RunFile;
use super::scene::{Event, Scene};
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::host::contents::Texts;
use murmuration_core::preset::Preset;
use murmuration_core::simulation::Simulation;
use murmuration_core::text::is_path;
use std::path::PathBuf;

/// Saves runs and watches files for the controller. The program implements this trait on a disk, tests implement it in
/// memory. Presets and chains are read by the host, not by this trait.
pub trait Storage: Send {
    /// Saves a file for the user under a new name. Returns a text that tells where the file is.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn save(&mut self, file: &RunFile) -> Result<String, Failure>;

    /// Saves the last known state of a simulation whose engine has failed. Returns a message about the success or the
    /// failure.
    fn save_last_known(&mut self, simulation: &mut Simulation) -> String;

    /// Saves the run that ends, as the file `last-hunt.replay.json`. The file replaces the run that was saved before.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn save_last_hunt(&mut self, simulation: &mut Simulation) -> Result<(), Failure>;

    /// Sets the watched files. Earlier files are no longer watched.
    ///
    /// # Errors
    /// A message for the user, if some file cannot be watched.
    fn watch(&mut self, files: Vec<PathBuf>) -> Result<(), String>;

    /// The watched files whose contents have changed since the last call.
    fn changed_files(&mut self) -> Vec<PathBuf>;
}

/// The effect that changed files have on a simulation.
pub enum Reload {
    /// The files describe the same scene as before, or have an error.
    Unchanged,
    /// The swarm continues, under new rules.
    Rules,
    /// The scene begins again, with this simulation.
    Start(Box<Simulation>),
}

/// The state of the watched files of the current scene.
#[derive(Debug, Default)]
pub struct SceneFiles {
    /// Whether a watched file may have changed.
    pub may_have_changed: bool,
    /// The error of the last reload; `None`: the last reload had no error.
    pub error: Option<String>,
}

impl SceneFiles {
    /// Watches the files of a scene that has begun.
    ///
    /// # Errors
    /// As [`Storage::watch`].
    pub fn watch(storage: &mut dyn Storage, scene: &Scene, simulation: &Simulation) -> Result<(), String> {
        let chain = simulation.chain().files.paths().map(PathBuf::from);
        storage.watch(files_of(scene, simulation.preset()).chain(chain).collect())
    }

    /// Reads the files of the scene again if the contents of watched files have changed, and applies the new contents.
    /// Returns the effect and messages for the user; `None`: no contents have changed.
    pub fn reload(
        &mut self,
        storage: &mut dyn Storage,
        scene: &Scene,
        simulation: &mut Simulation,
    ) -> Option<(Reload, Vec<Event>)> {
        self.may_have_changed = false;
        let changed = storage.changed_files();
        if changed.is_empty() {
            return None;
        }
        let overrides = simulation.preset().source().overrides.clone();
        let current = Scene { overrides, replay: None, ..scene.clone() };
        let mut texts = Texts::default();
        let loaded = current.load(simulation.preset().host(), &mut texts);
        let result = loaded.and_then(|(preset, chain)| apply(scene, simulation, preset, chain));
        // If reading stopped at an error, some files were not reached. The files of the current scene are watched too,
        // so that a correction is noticed.
        let chain = simulation.chain().files.paths().chain(texts.paths()).map(PathBuf::from);
        let preset = if let Ok(Reload::Start(begun)) = &result { begun.preset() } else { simulation.preset() };
        let unwatched = storage.watch(files_of(scene, preset).chain(chain).collect()).err();
        let resolved = self.error.take();
        self.error = result.as_ref().err().map(Failure::to_string);
        let names = changed.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy());
        let names = names.collect::<Vec<_>>().join(", ");
        let info = match &result {
            Ok(Reload::Unchanged) => resolved.is_some().then(|| format!("{names} is again what it was")),
            Ok(Reload::Rules) => Some(format!("reloaded {names}; the same swarm goes on")),
            Ok(Reload::Start(_)) => Some(format!("reloaded {names}; the swarm begins anew")),
            Err(_) => None,
        };
        let unwatched = unwatched.filter(|_| result.is_ok());
        let info = info.into_iter().chain(unwatched).reduce(|info, more| format!("{info}; {more}"));
        let (resolved, error) = (resolved.map(Event::Resolved), self.error.clone().map(Event::Error));
        let events = [resolved, error, info.map(Event::Info)].into_iter().flatten().collect();
        Some((result.unwrap_or(Reload::Unchanged), events))
    }
}

fn apply(scene: &Scene, simulation: &mut Simulation, preset: Preset, chain: Chain) -> Result<Reload, Failure> {
    if !simulation.preset().begins_like(&preset) {
        return Ok(Reload::Start(Box::new(Simulation::before_run_in(preset, &chain, scene.choice)?)));
    }
    if preset.source() == simulation.preset().source() && chain == *simulation.chain() {
        return Ok(Reload::Unchanged);
    }
    simulation.reload(preset, chain)?;
    Ok(Reload::Rules)
}

/// The file of the preset, if the preset is not built in, and the files that the preset names.
fn files_of<'a>(scene: &'a Scene, preset: &'a Preset) -> impl Iterator<Item = PathBuf> + 'a {
    let own = is_path(&scene.preset).then(|| PathBuf::from(&scene.preset));
    own.into_iter().chain(preset.files.iter().cloned())
}
