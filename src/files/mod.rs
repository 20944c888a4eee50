//! Everything that touches a disk.

pub mod access;
pub mod array;
pub mod atomic;
mod destination;
pub mod frames;
pub mod home;
pub mod picture;
pub mod reading;
mod swarm;
#[cfg(feature = "window")]
pub mod watch;

pub use atomic::{
    Draft, FolderDraft, Output, create_folder, file_above, folder_of, free_path, free_paths, target_of,
    write_atomically, write_draft,
};
pub use destination::{check_destination, check_distinct, is_replaced, write_somewhere};
pub use swarm::{
    SavedPreset, read_checkpoint, read_replay, read_short_replay, save_checkpoint, save_checkpoint_somewhere,
    save_last_known, save_preset, write_checkpoint, write_replay,
};

use murmuration_core::error::Failure;
use std::io;
use std::path::Path;

/// Writes rows as CSV, atomically.
///
/// # Errors
/// If the file cannot be written.
pub fn write_table(path: &Path, mut rows: impl Iterator<Item = Vec<String>>) -> Result<(), Failure> {
    write_atomically(path, |to| {
        let mut table = csv::Writer::from_writer(to);
        rows.try_for_each(|row| table.write_record(row).map_err(io::Error::from))?;
        table.flush()
    })
}
