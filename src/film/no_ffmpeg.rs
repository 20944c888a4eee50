//! A replacement for `ffmpeg` on platforms that start no other programs.

use super::{Encoder, FilmFormat};
use crate::observe::{Caption, Picture};
use std::io;
use std::path::{Path, PathBuf};

pub fn find() -> Option<PathBuf> {
    None
}

/// A film that cannot be begun.
pub enum Ffmpeg {}

impl Ffmpeg {
    /// # Errors
    /// Always.
    pub fn begin(_: PathBuf, _: FilmFormat, _: &Path, _: u32) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Encoder for Ffmpeg {
    fn add(&mut self, _: &Picture, _: &Caption) -> io::Result<()> {
        match *self {}
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        match *self {}
    }
}
