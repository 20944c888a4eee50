//! What a program gives to the core: the texts that are compiled into it, files, pictures, memory and a clock. Engines on a GPU
//! come with a [`crate::engine::platform::Platform`].
//!
//! The core itself opens no file and no device, so that it runs wherever Rust does. A program that embeds it implements
//! [`Host`] once and hands it to [`crate::preset::Preset`] and [`crate::chain::Chain`]; a preset keeps it.

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

/// The surroundings of the core.
///
/// Only [`Host::library`] must be there. What a host leaves out is missing with a message, never with a panic.
pub trait Host: Debug + Send + Sync {
    /// The chains, kernels and presets that are compiled into the program.
    fn library(&self) -> &Library;

    /// The text of a file that a person named.
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
    /// The file cannot be read, is no regular file, or is too long.
    fn read_bytes(&self, _path: &Path) -> Result<Vec<u8>, Complaint> {
        Err(("cannot be read: there are no files here".into(), "take the key away"))
    }

    /// One path for each file, however it is spelt: `a/../b` is `b`.
    fn canonical_path(&self, path: &Path) -> PathBuf {
        path.to_path_buf()
    }

    /// The path from the root of the file system.
    fn absolute_path(&self, path: &Path) -> PathBuf {
        path.to_path_buf()
    }

    /// The brightness of a picture's pixels, 0 to 255.
    ///
    /// # Errors
    /// The bytes are no picture of a known format, or it is too large.
    fn decode_picture(&self, _bytes: &[u8]) -> Result<Raster, Complaint> {
        Err(("is a picture, and pictures are not read here".into(), "give the shape by numbers"))
    }

    /// The numbers of an array of unsigned integers on two or three axes.
    ///
    /// # Errors
    /// The bytes are no such array.
    fn decode_array(&self, _bytes: &[u8]) -> Result<Raster, Complaint> {
        Err(("is an array, and arrays are not read here".into(), "give the shape by numbers"))
    }

    /// The scalar field of an array of numbers or truth values on three axes: rock is where a number is above 0. Floats become Q14; whole
    /// numbers and truth values become a mask, 1 and -1.
    ///
    /// # Errors
    /// The bytes are no such array.
    fn decode_voxels(&self, _bytes: &[u8]) -> Result<Raster<i16>, Complaint> {
        Err(("is an array, and arrays are not read here".into(), "give the shape by numbers"))
    }

    /// The vectors of an array of shape (vectors, 2) or (vectors, 3): floats, or whole numbers of 32 bits.
    ///
    /// # Errors
    /// The bytes are no such array.
    fn decode_vectors(&self, _bytes: &[u8]) -> Result<VectorList, Complaint> {
        Err(("is an array, and arrays are not read here".into(), "give the start by numbers"))
    }

    /// The checkpoint in which the run-in of a built-in preset ends, if the program has it.
    fn end_of_run_in(&self, _preset: &str) -> Option<Vec<u8>> {
        None
    }

    /// Bytes of memory that the program may still take; `None` if that is not known.
    fn free_memory(&self) -> Option<u64> {
        None
    }

    /// The ranks that play each world together. Each of them has a host of its own.
    fn ranks(&self) -> Arc<dyn Ranks> {
        Arc::new(SingleRank)
    }

    /// Waits for a while, before a device that was lost is looked for again. The default does not wait.
    fn pause(&self, _time: Duration) {}

    /// Time since some fixed moment, for the timings of passes; `None` if there is no clock.
    fn clock(&self) -> Option<fn() -> Duration> {
        None
    }
}

/// A library alone is a host without anything else.
impl Host for Library {
    fn library(&self) -> &Library {
        self
    }
}
