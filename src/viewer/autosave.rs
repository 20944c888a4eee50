//! What is kept of a hunt, under a name that nothing has yet.

use crate::error::Failure;
use crate::files::{free_path, home};
use crate::simulation::Simulation;
use std::path::{Path, PathBuf};

/// What can be kept of a hunt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Autosave {
    /// The whole hunt, for `murmuration replay`.
    Replay,
    /// The swarm as it is, for `murmuration render --resume`.
    Checkpoint,
    /// The preset with all that was set and painted.
    Preset,
}

/// Keeps it in a folder, and says where.
///
/// # Errors
/// Where it cannot be written, and for a replay of a run that was resumed, which has no beginning.
pub fn keep(simulation: &mut Simulation, autosave: Autosave, folder: &Path) -> Result<String, Failure> {
    let at = |simulation: &Simulation, ending| path(folder, &simulation.preset().name, simulation.step(), ending);
    match autosave {
        Autosave::Replay => {
            let path = at(simulation, ".replay.json");
            crate::files::write_replay(&simulation.replay()?, &path)?;
            Ok(path.display().to_string())
        }
        Autosave::Checkpoint => {
            let path = at(simulation, ".checkpoint");
            crate::files::save_checkpoint(simulation, &path)?;
            Ok(path.display().to_string())
        }
        Autosave::Preset => {
            let saved = crate::files::save_preset(simulation.preset(), &simulation.chain().named, folder)?;
            let mask = saved.mask.map_or(String::new(), |mask| format!(", its solids in {}", mask.display()));
            Ok(format!("{}{mask}", saved.preset.display()))
        }
    }
}

/// Saves the swarm of a window that cannot go on as well as can be, and says where.
pub fn rescue(simulation: &mut Simulation, folder: &Path) -> String {
    match keep(simulation, Autosave::Checkpoint, folder) {
        Ok(path) => format!("the swarm was saved to {path}"),
        Err(_) => rescue_last_known(simulation, folder),
    }
}

/// Saves what is known of a swarm that cannot go on, and says where.
pub fn rescue_last_known(simulation: &mut Simulation, folder: &Path) -> String {
    let path = path(folder, &simulation.preset().name, simulation.step(), ".checkpoint");
    match crate::files::save_last_known(simulation, &path) {
        Ok(step) => format!("the swarm of step {step} was saved to {}", path.display()),
        Err(failure) => format!("the swarm could not be saved: {failure}"),
    }
}

/// Keeps a hunt that ends for `murmuration replay`, in the place of the last one.
///
/// # Errors
/// Where it cannot be written.
pub fn keep_last_hunt(simulation: &mut Simulation) -> Result<(), Failure> {
    let Some(path) = home::last_hunt() else { return Ok(()) };
    let kept =
        home::create().and_then(|()| simulation.replay()).and_then(|replay| crate::files::write_replay(&replay, &path));
    match kept {
        // A run that was resumed has no beginning to be watched from.
        Err(Failure::BadInput(_)) => Ok(()),
        kept => kept,
    }
}

/// The place of a file about a step of a preset: whole, for people who look for it later, and free.
pub fn path(folder: &Path, preset: &str, step: u64, ending: &str) -> PathBuf {
    let path = free_path(&folder.join(format!("murmuration-{preset}-{step:06}")), ending);
    std::path::absolute(&path).unwrap_or(path)
}
