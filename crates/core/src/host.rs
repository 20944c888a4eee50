//! The services that a program gives to the core: its compiled-in texts, files, pictures, memory and a clock. Engines
//! on a GPU come with a [`crate::engine::platform::Platform`].
//!
//! The core itself opens no file and no device, so it runs wherever Rust does. A program implements [`Host`] once and
//! hands it to [`crate::preset::Preset`] and [`crate::chain::Chain`]. A preset keeps its host.

pub mod contents;
pub mod file_path;
pub mod library;
pub mod raster;

use crate::error::{BadInput, Complaint};
use crate::ranks::{Ranks, SingleRank};
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use library::Library;
pub use raster::{Raster, VectorList};

/// The services that the core takes from the program around it.
///
/// Only [`Host::library`] is required. A service that a host leaves out fails with a message, never with a panic.
pub trait Host: Debug + Send + Sync {
    /// The chains, kernels and presets that are compiled into the program.
    fn library(&self) -> &Library;

    /// The text of a file that the user named.
    ///
    /// # Errors
    /// The file cannot be read, is too long, or is not UTF-8.
    fn read_text(&self, path: &Path) -> Result<String, BadInput> {
        Err(BadInput::new(
            path.display().to_string(),
            "there are no files here",
            "name a built-in one by its bare name",
        ))
    }

    /// The bytes of a file that a preset names.
    ///
    /// # Errors
    /// The file cannot be read, is not a regular file, or is too long.
    fn read_bytes(&self, _path: &Path) -> Result<Vec<u8>, Complaint> {
        Err(("cannot be read: there are no files here".into(), "take the key away"))
    }

    /// One path for each file, whatever its spelling: `a/../b` is `b`.
    fn canonical_path(&self, path: &Path) -> PathBuf {
        path.to_path_buf()
    }

    /// The absolute path, from the root of the file system.
    fn absolute_path(&self, path: &Path) -> PathBuf {
        path.to_path_buf()
    }

    /// The brightness of a picture's pixels, 0 to 255.
    ///
    /// # Errors
    /// The bytes are not a picture of a known format, or the picture is too large.
    fn decode_picture(&self, _bytes: &[u8]) -> Result<Raster, Complaint> {
        Err(("is a picture, and pictures are not read here".into(), "give the shape by numbers"))
    }

    /// The numbers of an array of unsigned integers with two or three axes.
    ///
    /// # Errors
    /// The bytes are not such an array.
    fn decode_array(&self, _bytes: &[u8]) -> Result<Raster, Complaint> {
        Err(("is an array, and arrays are not read here".into(), "give the shape by numbers"))
    }

    /// The scalar field of an array of numbers or truth values with three axes. Cells above 0 are rock. The values are
    /// Q14, within ±2. Floats keep their values. Whole numbers and truth values become 1 for rock and -1 for other
    /// cells.
    ///
    /// # Errors
    /// The bytes are not such an array.
    fn decode_voxels(&self, _bytes: &[u8]) -> Result<Raster<i16>, Complaint> {
        Err(("is an array, and arrays are not read here".into(), "give the shape by numbers"))
    }

    /// The vectors of an array of shape (vectors, 2) or (vectors, 3): floats, or whole numbers of 32 bits.
    ///
    /// # Errors
    /// The bytes are not such an array.
    fn decode_vectors(&self, _bytes: &[u8]) -> Result<VectorList, Complaint> {
        Err(("is an array, and arrays are not read here".into(), "give the start by numbers"))
    }

    /// The checkpoint at the end of a built-in preset's run-in. `None`: the program does not have it.
    fn end_of_run_in(&self, _preset: &str) -> Option<Vec<u8>> {
        None
    }

    /// Bytes of memory that the program may still take; `None` if unknown.
    fn free_memory(&self) -> Option<u64> {
        None
    }

    /// The ranks that simulate each world together. Each rank has its own host.
    fn ranks(&self) -> Arc<dyn Ranks> {
        Arc::new(SingleRank)
    }

    /// Waits before a lost device is searched for again. The default does not wait.
    fn pause(&self, _time: Duration) {}

    /// Time since a fixed moment, for the timings of passes; `None` if the host has no clock.
    fn clock(&self) -> Option<fn() -> Duration> {
        None
    }
}

/// A library alone is a host that offers texts only.
impl Host for Library {
    fn library(&self) -> &Library {
        self
    }
}
