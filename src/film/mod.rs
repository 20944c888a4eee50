//! Films of swarms in several formats. Frames are written as they come, so the memory does not depend on the length of
//! a film.
//!
//! A film is written under a temporary name, and renamed when it is finished. A film can be finished after any frame.

mod apng;
#[cfg(not(target_family = "wasm"))]
mod encoder_process;
#[cfg(not(target_family = "wasm"))]
mod ffmpeg;
mod gif;
#[cfg(target_family = "wasm")]
mod no_ffmpeg;
mod palette;
#[cfg(feature = "look")]
mod recorder;

pub use ffmpeg::find as find_ffmpeg;
#[cfg(target_family = "wasm")]
use no_ffmpeg as ffmpeg;
#[cfg(feature = "look")]
pub use recorder::FilmRecorder;

use crate::files::{FolderDraft, target_of, write_draft};
use crate::observe::{Caption, Picture, encode_png};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::StopCheck;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of frames a second.
pub const MAX_RATE: u32 = 240;
/// The maximum number of frames a second of a GIF. The unit of time of a GIF is 1/100 s, and many viewers slow down
/// frames that last a single unit.
pub const MAX_GIF_RATE: u32 = 50;

/// The format of a film.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilmFormat {
    /// A folder of PNGs, numbered from `00000000.png` on.
    Pictures,
    /// An animated PNG (APNG), without loss.
    Apng,
    /// An animated GIF with one palette of 255 colours.
    Gif,
    /// H.264, encoded by `ffmpeg`.
    Mp4,
    /// VP9, encoded by `ffmpeg`.
    Webm,
}

impl FilmFormat {
    /// Every format.
    pub const ALL: [Self; 5] = [Self::Pictures, Self::Apng, Self::Gif, Self::Mp4, Self::Webm];

    /// The format of a film by the extension of its path. An existing folder, or a path that ends with a slash or has
    /// no extension, gives a folder of PNGs.
    ///
    /// # Errors
    /// If the extension is not the extension of a film format.
    pub fn from_path(path: &Path) -> Result<Self, BadInput> {
        let ends_with_slash =
            path.as_os_str().as_encoded_bytes().last().is_some_and(|last| matches!(last, b'/' | b'\\'));
        let Some(ending) = path.extension().filter(|_| !ends_with_slash && !path.is_dir()) else {
            return Ok(Self::Pictures);
        };
        let ending = format!(".{}", ending.to_string_lossy().to_lowercase());
        let known =
            Self::ALL.into_iter().find(|form| form.ending() == if ending == ".png" { ".apng" } else { &ending });
        known.ok_or_else(|| {
            let cure = "use .apng, .gif, .mp4 or .webm, or a path that ends with / for a folder of PNGs";
            BadInput::new(path.display().to_string(), format!("`{ending}` is no ending of a film"), cure)
        })
    }

    /// The name for users, and the extension with its dot. The extension is empty for a folder.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Pictures => ["PNG sequence", ""],
            Self::Apng => ["APNG", ".apng"],
            Self::Gif => ["GIF", ".gif"],
            Self::Mp4 => ["MP4", ".mp4"],
            Self::Webm => ["WebM", ".webm"],
        }
    }

    /// The extension of the path with its dot; empty for a folder of PNGs.
    pub fn ending(self) -> &'static str {
        self.names()[1]
    }

    /// Whether the program `ffmpeg` encodes films of this format.
    pub fn needs_ffmpeg(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm)
    }

    /// The maximum number of frames a second of this format.
    pub fn max_rate(self) -> u32 {
        if self == Self::Gif { MAX_GIF_RATE } else { MAX_RATE }
    }
}

impl fmt::Display for FilmFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.names()[0])
    }
}

/// Writes the frames of a film in one format.
trait Encoder: Send {
    fn add(&mut self, picture: &Picture, caption: &Caption) -> io::Result<()>;
    /// Sets a function that tells whether this program is to end. After that, the wait for another program such as
    /// `ffmpeg` is limited.
    fn end_when(&mut self, _: StopCheck) {}
    /// Whether the film is still usable after a frame could not be written.
    fn is_valid_after_partial_frame(&self) -> bool {
        false
    }
    /// Completes the film, which has at least one frame, and moves it to its path.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// A film as a folder of PNGs. Each PNG has a text chunk with its step.
struct Pictures {
    folder: FolderDraft,
    frames: u64,
}

impl Encoder for Pictures {
    fn add(&mut self, picture: &Picture, caption: &Caption) -> io::Result<()> {
        let path = self.folder.path().join(format!("{:08}.png", self.frames));
        // A picture that cannot be written leaves the other pictures intact.
        write_draft(&path, |to| encode_png(picture, to, caption))?;
        self.frames += 1;
        Ok(())
    }

    fn is_valid_after_partial_frame(&self) -> bool {
        true
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.folder.finish()
    }
}

/// A film that is being written. A film that is dropped before it is finished leaves no file.
pub struct Film {
    path: PathBuf,
    encoder: Box<dyn Encoder>,
    frames: u64,
    /// Whether a frame could not be written, which made the film unusable.
    is_torn: bool,
    /// The size of all frames in pixels, known from the first frame on.
    size: Option<[u32; 2]>,
}

impl fmt::Debug for Film {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Film").field("path", &self.path).field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl Film {
    /// Begins a film in the format of its path. An existing file is replaced when the film is finished.
    ///
    /// # Errors
    /// `BadInput` if the path or the frame rate is not possible, if the format needs a missing `ffmpeg`, or if the
    /// folder for PNGs is not empty. `File` if the path cannot be written.
    pub fn begin(path: &Path, frames_a_second: u32) -> Result<Self, Failure> {
        let format = FilmFormat::from_path(path)?;
        let origin = path.display().to_string();
        if !(1..=format.max_rate()).contains(&frames_a_second) {
            let problem = format!("{frames_a_second} frames a second");
            return Err(
                BadInput::new(origin, problem, format!("from 1 to {} for this format", format.max_rate())).into()
            );
        }
        let failed = |source: io::Error| -> Failure {
            match source.kind() {
                io::ErrorKind::DirectoryNotEmpty => {
                    BadInput::new(&origin, "the folder has something in it", "name a new folder").into()
                }
                io::ErrorKind::NotADirectory if format == FilmFormat::Pictures && path.exists() => {
                    BadInput::new(&origin, "is a file", "name a folder, or a film with an ending").into()
                }
                io::ErrorKind::IsADirectory => BadInput::new(&origin, "a folder is there", "name a file").into(),
                _ => Failure::File { action: "cannot begin the film", path: origin.clone(), source },
            }
        };
        // The target of a link is replaced, not the link.
        let place = target_of(path).map_err(failed)?;
        let encoder: Box<dyn Encoder> = match format {
            FilmFormat::Pictures => {
                Box::new(Pictures { folder: FolderDraft::begin(&place).map_err(failed)?, frames: 0 })
            }
            FilmFormat::Apng => Box::new(apng::Apng::begin(&place, frames_a_second).map_err(failed)?),
            FilmFormat::Gif => Box::new(gif::Gif::begin(&place, frames_a_second).map_err(failed)?),
            FilmFormat::Mp4 | FilmFormat::Webm => {
                let Some(program) = find_ffmpeg() else {
                    let problem = "there is no ffmpeg on the PATH, which writes such films";
                    let cure = "install it (on Debian: apt install ffmpeg), or end the path with .apng, .gif or /";
                    return Err(BadInput::new(origin, problem, cure).into());
                };
                Box::new(ffmpeg::Ffmpeg::begin(program, format, &place, frames_a_second).map_err(failed)?)
            }
        };
        Ok(Self { path: path.to_path_buf(), encoder, frames: 0, is_torn: false, size: None })
    }

    /// Sets a function that tells whether this program is to end. Once it returns true, an `ffmpeg` that does nothing
    /// for 5 s is killed, and there is no film.
    pub fn end_when(&mut self, is_ending: StopCheck) {
        self.encoder.end_when(is_ending);
    }

    /// Adds a picture as the next frame.
    ///
    /// # Errors
    /// `Broken` if the picture has another size than the first picture. `File` if the picture cannot be written. A film
    /// that is a single file is then lost, and a folder of PNGs lacks the picture.
    pub fn add(&mut self, picture: &Picture, caption: &Caption) -> Result<(), Failure> {
        let size = [picture.width, picture.height];
        let first = *self.size.get_or_insert(size);
        if first != size {
            return Err(Failure::Broken(format!("a frame of {size:?} pixels for a film of {first:?}")));
        }
        self.is_torn = true;
        let added = self.encoder.add(picture, caption);
        self.is_torn = added.is_err() && !self.encoder.is_valid_after_partial_frame();
        added.map_err(|source| failure(&self.path, source))?;
        self.frames += 1;
        Ok(())
    }

    /// The number of frames that were added.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Completes the film and returns the number of its frames. Without frames there is no film, and the result is 0.
    /// If a frame of a film in a single file could not be written, there is no film either. A folder of PNGs keeps its
    /// other pictures.
    ///
    /// # Errors
    /// `File` if the film cannot be completed.
    pub fn finish(self) -> Result<u64, Failure> {
        if self.frames == 0 || self.is_torn {
            return Ok(0);
        }
        self.encoder.finish().map_err(|source| failure(&self.path, source))?;
        Ok(self.frames)
    }
}

fn failure(path: &Path, source: io::Error) -> Failure {
    Failure::File { action: "cannot write the film", path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests;
