//! Files on a disk.

pub mod access;
mod atomic;
mod destination;
pub mod home;
#[cfg(feature = "window")]
pub mod watch;

pub use atomic::{
    Draft, FolderDraft, create_folder, file_above, is_taken, target_of, temporary_file, write_atomically, write_draft,
};
pub use destination::{check_destination, check_distinct, is_replaced, try_somewhere, write_somewhere};
pub use std::fs::File;

use std::io::{self, Read};
use std::path::Path;

/// Reads at most `longest` + 1 bytes of a regular file. With more than `longest` bytes in the result, the caller knows
/// that the file is too long.
///
/// # Errors
/// If the file cannot be read, or is not a regular file but a folder, a device or a pipe.
pub fn at_most(longest: u64, path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    plain_file(path)?.take(longest + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a regular file for reading.
///
/// # Errors
/// As [`at_most`].
pub fn plain_file(path: impl AsRef<Path>) -> io::Result<File> {
    if !std::fs::metadata(&path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a plain file"));
    }
    File::open(path)
}
