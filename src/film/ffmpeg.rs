//! A film encoded by `ffmpeg`, which reads the frames from a pipe.

use super::{Encoder, Form};
use crate::files::Draft;
use crate::observe::{Caption, Picture};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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

/// A film that is written by a process of `ffmpeg`.
pub struct Ffmpeg {
    program: PathBuf,
    form: Form,
    frames_a_second: u32,
    draft: Draft,
    /// The standard error stream of `ffmpeg`. A pipe would have to be read all the time.
    errors: File,
    /// Exists from the first frame on, whose size is an argument.
    running: Option<FfmpegProcess>,
}

/// The process. It reads frames until its standard input is taken away.
struct FfmpegProcess(Child);

impl Drop for FfmpegProcess {
    fn drop(&mut self) {
        // An aborted film must not be written any further.
        if self.0.stdin.is_some() {
            let _ = self.0.kill();
        }
        let _ = self.0.wait();
    }
}

impl Ffmpeg {
    pub fn begin(program: PathBuf, form: Form, path: &Path, frames_a_second: u32) -> io::Result<Self> {
        let (draft, errors) = (Draft::begin(path)?, tempfile::tempfile()?);
        Ok(Self { program, form, frames_a_second, draft, errors, running: None })
    }

    fn run(&self, picture: &Picture) -> io::Result<FfmpegProcess> {
        let [width, height] = [picture.width, picture.height].map(|side| side.next_multiple_of(2));
        let codec = match self.form {
            Form::Webm => "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -deadline good -cpu-used 4 -f webm",
            // The index before the frames lets a film play while it is downloaded.
            _ => "-c:v libx264 -preset medium -crf 17 -movflags +faststart -f mp4",
        };
        let mut command = Command::new(&self.program);
        command
            .args("-hide_banner -loglevel error -nostdin -y -f rawvideo -pixel_format rgb24".split(' '))
            .args(["-video_size", &format!("{width}x{height}"), "-framerate", &self.frames_a_second.to_string()])
            .args(["-i", "pipe:0"])
            // Without explicit tags, players guess the colour space from the size.
            .args(["-vf", COLOURS])
            .args(codec.split(' '))
            .arg(self.draft.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(self.errors.try_clone()?);
        // Ctrl-C must not reach ffmpeg: this program handles it and completes the film.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(FfmpegProcess(command.spawn()?))
    }

    /// The error with the message of `ffmpeg`.
    fn explain(&mut self, failed: impl std::fmt::Display) -> io::Error {
        let mut words = String::new();
        let read = self.errors.rewind().and_then(|()| self.errors.read_to_string(&mut words));
        let words = words.trim();
        if read.is_err() || words.is_empty() {
            return io::Error::other(format!("{} failed: {failed}", self.program.display()));
        }
        io::Error::other(format!("{} says: {words}", self.program.display()))
    }
}

/// From sRGB to BT.709 with limited range, which every player supports.
const COLOURS: &str = "scale=out_color_matrix=bt709:out_range=tv,\
                       setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=iec61966-2-1,format=yuv420p";

impl Encoder for Ffmpeg {
    fn add(&mut self, picture: &Picture, _: &Caption) -> io::Result<()> {
        if self.running.is_none() {
            self.running = Some(self.run(picture)?);
        }
        let frames = self.running.as_mut().and_then(|running| running.0.stdin.as_mut());
        let Some(frames) = frames else { return Err(io::ErrorKind::BrokenPipe.into()) };
        if let Err(error) = write_even(picture, frames) {
            // The message is complete only when ffmpeg has ended, which dropping it waits for.
            self.running = None;
            return Err(self.explain(error));
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let Some(mut running) = self.running.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
        // `wait` closes the standard input first.
        let status = running.0.wait()?;
        if !status.success() {
            return Err(self.explain(status));
        }
        self.draft.finish()
    }
}

/// Writes the bytes of a picture. The last column or row of an odd side is repeated: video with chroma at half the resolution
/// needs an even number of pixels along each axis.
fn write_even(picture: &Picture, to: &mut dyn Write) -> io::Result<()> {
    let [width, height] = [picture.width, picture.height].map(|side| side as usize);
    if width % 2 == 0 && height % 2 == 0 {
        return to.write_all(&picture.bytes);
    }
    let rows = picture.bytes.chunks_exact(3 * width);
    let last = rows.clone().next_back().filter(|_| height % 2 == 1);
    for row in rows.chain(last) {
        to.write_all(row)?;
        if width % 2 == 1 {
            to.write_all(&row[row.len() - 3..])?;
        }
    }
    Ok(())
}
