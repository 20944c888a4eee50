//! A film encoded by `ffmpeg`, which reads the frames from a pipe.

use super::encoder_process::EncoderProcess;
use super::{Encoder, FilmFormat};
use crate::files::{Draft, folder_of};
use crate::observe::{Caption, Picture};
use murmuration_core::simulation::StopCheck;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The path of `ffmpeg`, if it is on the PATH.
pub fn find() -> Option<PathBuf> {
    let name = format!("ffmpeg{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    let Ok(metadata) = file.metadata() else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    metadata.is_file() && may_run
}

pub struct Ffmpeg {
    program: PathBuf,
    form: FilmFormat,
    frames_a_second: u32,
    draft: Draft,
    /// The standard error stream of `ffmpeg`, as a file, because a pipe would have to be read all the time.
    errors: File,
    /// The process of `ffmpeg`; `None` until the first frame, because the size of a frame is an argument of the
    /// process.
    running: Option<EncoderProcess>,
    is_ending: StopCheck,
}

impl Ffmpeg {
    pub fn begin(program: PathBuf, form: FilmFormat, path: &Path, frames_a_second: u32) -> io::Result<Self> {
        let (draft, errors) = (Draft::begin(path)?, tempfile::tempfile_in(folder_of(path))?);
        let is_ending: StopCheck = Arc::new(|| false);
        Ok(Self { program, form, frames_a_second, draft, errors, running: None, is_ending })
    }

    fn run(&self, picture: &Picture, caption: &Caption) -> io::Result<EncoderProcess> {
        let [width, height] = [picture.width, picture.height].map(|side| side.next_multiple_of(2));
        let codec = match self.form {
            FilmFormat::Webm => "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -deadline good -cpu-used 4 -f webm",
            // The index before the frames lets a film play while it is downloaded.
            _ => "-c:v libx264 -preset medium -crf 17 -movflags +faststart -f mp4",
        };
        let mut command = Command::new(&self.program);
        command
            // Without `-xerror` ffmpeg reports success even if it cannot write the end of the film.
            .args("-hide_banner -loglevel error -xerror -nostdin -y -f rawvideo -pixel_format rgb24".split(' '))
            .args(["-video_size", &format!("{width}x{height}"), "-framerate", &self.frames_a_second.to_string()])
            .args(["-i", "pipe:0"])
            // Without explicit tags, players guess the colour space from the size.
            .args(["-vf", COLOURS])
            // MP4 and WebM both store this tag.
            .args(["-metadata", &format!("comment={}", caption.record())])
            .args(codec.split(' '))
            .arg(self.draft.path())
            .stdout(Stdio::null())
            .stderr(self.errors.try_clone()?);
        EncoderProcess::start(&mut command, self.draft.path().to_path_buf(), self.is_ending.clone())
    }

    /// Adds the message of `ffmpeg` to an error. An `ffmpeg` that this program has killed has no message.
    fn explain(&mut self, failed: io::Error) -> io::Error {
        if failed.kind() == io::ErrorKind::TimedOut {
            return io::Error::new(failed.kind(), format!("{} {failed}", self.program.display()));
        }
        let mut words = String::new();
        let read = self.errors.rewind().and_then(|()| self.errors.read_to_string(&mut words));
        let words = words.trim();
        if read.is_err() || words.is_empty() {
            return io::Error::other(format!("{} failed: {failed}", self.program.display()));
        }
        io::Error::other(format!("{} says: {words}", self.program.display()))
    }
}

/// The filter that converts sRGB to BT.709 with limited range, which every player supports.
const COLOURS: &str = "scale=out_color_matrix=bt709:out_range=tv,\
                       setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=iec61966-2-1,format=yuv420p";

impl Encoder for Ffmpeg {
    fn add(&mut self, picture: &Picture, caption: &Caption) -> io::Result<()> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.run(picture, caption)?,
        };
        if let Err(error) = running.write(even(picture)) {
            // The message is complete only when `ffmpeg` has ended. The drop of `running` waits for that end.
            drop(running);
            return Err(self.explain(error));
        }
        self.running = Some(running);
        Ok(())
    }

    fn end_when(&mut self, is_ending: StopCheck) {
        self.is_ending = is_ending;
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let Some(mut running) = self.running.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
        match running.finish() {
            Ok(status) if status.success() => self.draft.finish(),
            Ok(status) => Err(self.explain(io::Error::other(status.to_string()))),
            Err(error) => Err(self.explain(error)),
        }
    }
}

/// The bytes of a picture. The last column or row of an odd side is repeated: video with chroma at half the resolution
/// needs an even number of pixels along each axis.
fn even(picture: &Picture) -> Vec<u8> {
    let [width, height] = [picture.width, picture.height].map(|side| side as usize);
    if width % 2 == 0 && height % 2 == 0 {
        return picture.bytes.clone();
    }
    let rows = picture.bytes.chunks_exact(3 * width);
    let last = rows.clone().next_back().filter(|_| height % 2 == 1);
    let mut bytes = Vec::with_capacity(3 * (width + 1) * (height + 1));
    for row in rows.chain(last) {
        bytes.extend_from_slice(row);
        if width % 2 == 1 {
            bytes.extend_from_slice(&row[row.len() - 3..]);
        }
    }
    bytes
}
