//! All access to files: on a disk, or in the memory of a web page.

pub mod array;
#[cfg(not(target_family = "wasm"))]
mod disk;
pub mod frames;
pub mod json;
#[cfg(any(target_family = "wasm", test))]
pub mod memory;
mod names;
pub mod picture;
pub mod reading;
mod swarm;

#[cfg(not(target_family = "wasm"))]
use disk as system;
#[cfg(target_family = "wasm")]
use memory as system;

pub use names::{folder_of, free_path, free_paths};
pub use swarm::{
    SavedPreset, read_checkpoint, read_replay, read_short_replay, save_checkpoint, save_checkpoint_somewhere,
    save_last_known, save_preset, write_checkpoint, write_replay,
};
#[cfg(feature = "window")]
pub use system::watch;
pub use system::{
    Draft, File, FolderDraft, access, create_folder, home, is_replaced, target_of, temporary_file, try_somewhere,
    write_atomically, write_draft, write_somewhere,
};
#[cfg(not(target_family = "wasm"))]
pub use system::{check_destination, check_distinct, file_above};

use murmuration_core::error::Failure;
use murmuration_core::faults::{self, Operation};
use std::io::{self, Write};
use std::path::Path;

/// A writer that fails when a test injects a write fault.
pub struct Output<W>(pub W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_fault(Operation::Write)?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns an error if a test lets this operation fail.
fn check_fault(operation: Operation) -> io::Result<()> {
    if faults::is_due(operation) { Err(io::Error::other(faults::SAID)) } else { Ok(()) }
}

/// Writes rows of text as CSV, atomically. The first row is the header.
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
