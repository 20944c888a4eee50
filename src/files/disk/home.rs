//! The folder of user data, with the last hunt, the session of a page and the best scores.

use super::create_folder;
use murmuration_core::error::Failure;
use std::path::PathBuf;

/// The folder of the program in the user's data; `None` if the user has no home.
///
/// On Linux it is `$XDG_DATA_HOME/murmuration`, or `~/.local/share/murmuration`.
pub fn folder() -> Option<PathBuf> {
    Some(directories::ProjectDirs::from("", "", "murmuration")?.data_dir().to_path_buf())
}

/// The file of the last hunt, a replay.
pub fn last_hunt() -> Option<PathBuf> {
    Some(folder()?.join("last-hunt.replay.json"))
}

/// The file of the best scores, by preset.
pub fn scores() -> Option<PathBuf> {
    Some(folder()?.join("scores.toml"))
}

/// The file of the swarm at the end of the last visit of a page.
pub fn session() -> Option<PathBuf> {
    Some(folder()?.join("session.checkpoint"))
}

/// The file of the run that led to that swarm, from its start.
pub fn run_of_session() -> Option<PathBuf> {
    Some(folder()?.join("session.replay.json"))
}

/// Creates the folder if it does not exist.
///
/// # Errors
/// If it cannot be created.
pub fn create() -> Result<(), Failure> {
    folder().map_or(Ok(()), |folder| create_folder(&folder))
}
