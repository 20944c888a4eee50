//! Everything that touches a disk.

pub mod array;
pub mod atomic;
pub mod home;
pub mod picture;
pub mod reading;
mod swarm;
#[cfg(feature = "window")]
pub mod watch;

pub use atomic::{Draft, FolderDraft, create_folder, folder_of, free_path, write_whole};
pub use swarm::{Saved, read_checkpoint, read_replay, save_checkpoint, save_last_known, save_preset, write_replay};
