//! What happens when the files of a scene change.
//!
//! If only the rules have changed, the same swarm goes on under them. If the start has changed, the scene begins anew.
//! If a file is wrong, the last good version goes on until the file is corrected.

use super::scene::Scene;
use super::storage::Storage;
use crate::chain::Chain;
use crate::contents::Texts;
use crate::error::Failure;
use crate::preset::Preset;
use crate::simulation::Simulation;
use crate::text::is_path;
use std::path::{Path, PathBuf};

/// What became of a simulation whose files have changed.
pub enum Reload {
    /// Nothing that matters has changed.
    Unchanged,
    /// The same swarm goes on under other rules.
    Rules,
    /// The scene begins anew.
    Start(Box<Simulation>),
}

/// A reload, and what to say about it.
pub struct ReloadOutcome {
    pub reload: Reload,
    /// The error of an earlier reload that no longer holds.
    pub resolved: Option<String>,
    pub error: Option<String>,
    pub info: Option<String>,
}

/// The files of the current scene.
#[derive(Debug, Default)]
pub struct SceneFiles {
    /// Whether a watched file may have changed.
    may_have_changed: bool,
    /// The error of the last reload.
    error: Option<String>,
}

impl SceneFiles {
    /// A watched file may have changed.
    pub fn mark(&mut self) {
        self.may_have_changed = true;
    }

    /// Whether [`Self::reload`] has something to look at.
    pub fn may_have_changed(&self) -> bool {
        self.may_have_changed
    }

    /// Watches the files of a scene that has begun.
    ///
    /// # Errors
    /// As [`Storage::watch`].
    pub fn watch(storage: &mut dyn Storage, scene: &Scene, simulation: &Simulation) -> Result<(), String> {
        let chain = simulation.chain().files.paths().map(PathBuf::from);
        storage.watch(files_of(scene, simulation.preset()).chain(chain).collect())
    }

    /// Another scene has begun. Returns the error that no longer holds.
    pub fn reset(&mut self) -> Option<String> {
        self.error.take()
    }

    /// Reads the files again if their contents have changed, and applies them. `None` if they have not.
    pub fn reload(
        &mut self,
        storage: &mut dyn Storage,
        scene: &Scene,
        simulation: &mut Simulation,
    ) -> Option<ReloadOutcome> {
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
        // If reading stopped at an error, the remaining files are those of the current scene.
        let chain = simulation.chain().files.paths().chain(texts.paths()).map(PathBuf::from);
        let files = match &result {
            Ok(Reload::Start(begun)) => files_of(scene, begun.preset()).chain(chain).collect(),
            _ => files_of(scene, simulation.preset()).chain(chain).collect(),
        };
        let unwatched = storage.watch(files).err();
        let resolved = self.error.take();
        Some(match result {
            Ok(reload) => {
                let names = names(&changed);
                let info = match &reload {
                    Reload::Unchanged => resolved.is_some().then(|| format!("{names} is again what it was")),
                    Reload::Rules => Some(format!("reloaded {names}; the same swarm goes on")),
                    Reload::Start(_) => Some(format!("reloaded {names}; the swarm begins anew")),
                };
                let info = info.into_iter().chain(unwatched).reduce(|info, more| format!("{info}; {more}"));
                ReloadOutcome { reload, resolved, error: None, info }
            }
            Err(failure) => {
                let error = failure.to_string();
                self.error = Some(error.clone());
                ReloadOutcome { reload: Reload::Unchanged, resolved, error: Some(error), info: None }
            }
        })
    }
}

fn apply(scene: &Scene, simulation: &mut Simulation, preset: Preset, chain: Chain) -> Result<Reload, Failure> {
    if !simulation.preset().begins_like(&preset) {
        return Ok(Reload::Start(Box::new(Simulation::new(preset, &chain, scene.choice)?)));
    }
    if preset.source() == simulation.preset().source() && chain == *simulation.chain() {
        return Ok(Reload::Unchanged);
    }
    simulation.reload(preset, chain)?;
    Ok(Reload::Rules)
}

/// The file of the preset, and those that it names.
fn files_of<'a>(scene: &'a Scene, preset: &'a Preset) -> impl Iterator<Item = PathBuf> + 'a {
    let own = is_path(&scene.preset).then(|| PathBuf::from(&scene.preset));
    own.into_iter().chain(preset.files.iter().cloned())
}

fn names(files: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or(Path::new("").as_os_str()).to_string_lossy().into_owned();
    files.iter().map(name).collect::<Vec<_>>().join(", ")
}
