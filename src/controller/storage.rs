//! What the controller saves and which files it watches.

use crate::error::Failure;
use crate::simulation::Simulation;
use std::path::PathBuf;

/// What can be saved of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveKind {
    /// The run from its beginning, for `murmuration replay`.
    Replay,
    /// The current state, for `murmuration render --resume`.
    Checkpoint,
    /// The preset with all that was set and painted.
    Preset,
}

/// Saves runs and watches files for the controller. The program uses the disk; tests need none. Presets and chains are
/// read by the host.
pub trait Storage: Send {
    /// Saves what a person asked for, under a new name. Returns the place, in words.
    ///
    /// # Errors
    /// If the file cannot be written, or for a replay of a run that was resumed and has no beginning.
    fn save(&mut self, simulation: &mut Simulation, kind: SaveKind) -> Result<String, Failure>;

    /// Saves the last state that is known of a simulation whose engine has failed. Returns what came of it, in words.
    fn save_last_known(&mut self, simulation: &mut Simulation) -> String;

    /// Saves the run that ends as the last hunt, in the place of the one before.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save_last_hunt(&mut self, simulation: &mut Simulation) -> Result<(), Failure>;

    /// Watches these files and no others.
    ///
    /// # Errors
    /// A message for the person if not all of them can be watched.
    fn watch(&mut self, files: Vec<PathBuf>) -> Result<(), String>;

    /// The watched files whose contents have changed since the last call.
    fn changed_files(&mut self) -> Vec<PathBuf>;
}
