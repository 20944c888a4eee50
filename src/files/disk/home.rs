//! The folder in which the program stores data of the user: the replay of the last run in the window, the last swarm of
//! the web page, and the best scores.

use super::create_folder;
use murmuration_core::error::Failure;
use std::path::PathBuf;

/// The folder of the program among the data of the user; `None`: the user has no home folder.
///
/// On Linux it is `$XDG_DATA_HOME/murmuration`, or `~/.local/share/murmuration`.
pub fn folder() -> Option<PathBuf> {
    Some(directories::ProjectDirs::from("", "", "murmuration")?.data_dir().to_path_buf())
}

/// The path of the replay of the last run that the user has ended in the window; `None`: the user has no home folder.
pub fn last_hunt() -> Option<PathBuf> {
    Some(folder()?.join("last-hunt.replay.json"))
}

/// The path of the file with the best score of each preset; `None`: the user has no home folder.
pub fn scores() -> Option<PathBuf> {
    Some(folder()?.join("scores.toml"))
}

/// The path of the checkpoint of the swarm at the end of the last visit of the web page; `None`: the user has no home
/// folder.
pub fn session() -> Option<PathBuf> {
    Some(folder()?.join("session.checkpoint"))
}

/// The path of the replay of the run that ends in the checkpoint [`session`]; `None`: the user has no home folder.
pub fn run_of_session() -> Option<PathBuf> {
    Some(folder()?.join("session.replay.json"))
}

/// Creates the folder [`folder`] if it does not exist.
///
/// # Errors
/// If the folder cannot be created.
pub fn create() -> Result<(), Failure> {
    folder().map_or(Ok(()), |folder| create_folder(&folder))
}
