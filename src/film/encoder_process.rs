//! The process of an encoder such as `ffmpeg`, which reads frames from a pipe. If this program is to end and the
//! encoder does nothing, the encoder is killed.

use murmuration_core::faults::{self, Operation};
use murmuration_core::simulation::StopCheck;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// The time for which an encoder may do nothing once this program is to end.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time between two checks of an encoder while this program waits for the encoder.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The maximum number of bytes of a single write into the pipe. A frame takes many writes, so that the progress is
/// known during a frame.
const PIECE: usize = 1 << 14;
/// An encoder counts as working if its processor time has grown by at least 1/`MIN_SHARE` of the wall-clock time.
const MIN_SHARE: u32 = 10;

/// A running encoder.
pub struct EncoderProcess {
    child: Child,
    /// The file that the encoder writes.
    output: PathBuf,
    is_ending: StopCheck,
    /// The frames for the thread that writes into the pipe; `None`: the pipe is closed.
    frames: Option<Sender<Vec<u8>>>,
    written: Receiver<io::Result<()>>,
    /// The number of bytes that the encoder has taken from the pipe.
    taken: Arc<AtomicU64>,
    /// The last observed progress of the encoder; `None`: this program is not about to end.
    watch: Option<Watch>,
}

/// The progress of an encoder at the time `since`.
struct Watch {
    since: Instant,
    progress: Progress,
    processor_time: Duration,
}

/// The number of bytes that the encoder has taken from the pipe, and the length in bytes and the modification time of
/// its output file. The inner `None`s: the system does not tell them.
#[derive(PartialEq)]
struct Progress(u64, Option<(u64, Option<SystemTime>)>);

impl EncoderProcess {
    /// Starts an encoder that writes the file `output`. Once `is_ending` returns true, an encoder that does nothing for
    /// `PATIENCE` is killed.
    ///
    /// # Errors
    /// If the system cannot start a process or a thread.
    pub fn start(command: &mut Command, output: PathBuf, is_ending: StopCheck) -> io::Result<Self> {
        // Ctrl-C must not reach the encoder: this program handles it and completes the film.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command.stdin(Stdio::piped()).spawn()?;
        let taken = Arc::new(AtomicU64::new(0));
        let pipe = child.stdin.take().map(|pipe| Pipe { pipe, taken: taken.clone() });
        let (frames, queue) = channel::<Vec<u8>>();
        let (answers, written) = channel();
        let process = Self { child, output, is_ending, frames: Some(frames), written, taken, watch: None };
        // A write into a full pipe cannot be interrupted, so a thread of its own waits for it.
        let write = move || {
            let Some(mut pipe) = pipe else { return };
            for frame in queue {
                let done = pipe.write_all(&frame);
                let is_torn = done.is_err();
                if answers.send(done).is_err() || is_torn {
                    return;
                }
            }
        };
        let started = if faults::is_due(Operation::Thread) {
            Err(io::Error::other(faults::SAID))
        } else {
            std::thread::Builder::new().name("encoder".into()).spawn(write).map(drop)
        };
        // If the thread cannot be started, the drop of `process` kills the encoder.
        started.map(|()| process)
    }

    /// Writes a frame into the pipe.
    ///
    /// # Errors
    /// If the encoder has closed the pipe, or was killed because it did nothing.
    pub fn write(&mut self, frame: Vec<u8>) -> io::Result<()> {
        let is_sent = self.frames.as_ref().is_some_and(|frames| frames.send(frame).is_ok());
        if !is_sent {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        loop {
            match self.written.recv_timeout(POLL_INTERVAL) {
                Ok(done) => return done,
                Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
                Err(RecvTimeoutError::Timeout) => self.check()?,
            }
        }
    }

    /// Closes the pipe, and waits for the end of the encoder.
    ///
    /// # Errors
    /// If the encoder was killed because it did nothing, or the system does not tell the state of the process.
    pub fn finish(&mut self) -> io::Result<ExitStatus> {
        self.frames = None;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            self.check()?;
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Kills the encoder if this program is to end, and the encoder has done nothing for `PATIENCE`.
    ///
    /// # Errors
    /// `TimedOut` if the encoder was killed.
    fn check(&mut self) -> io::Result<()> {
        if !(self.is_ending)() {
            self.watch = None;
            return Ok(());
        }
        let progress = self.progress();
        let watch = self.watch.as_ref().filter(|watch| watch.progress == progress);
        let waited = watch.map_or(Duration::ZERO, |watch| watch.since.elapsed());
        if watch.is_some() && waited < PATIENCE {
            return Ok(());
        }
        let processor_time = self.processor_time();
        if watch.is_some_and(|watch| processor_time < watch.processor_time + waited / MIN_SHARE) {
            self.kill();
            let problem =
                format!("did nothing for {} s after the program was told to end, and was ended", waited.as_secs());
            return Err(io::Error::new(io::ErrorKind::TimedOut, problem));
        }
        self.watch = Some(Watch { since: Instant::now(), progress, processor_time });
        Ok(())
    }

    fn progress(&self) -> Progress {
        let written = std::fs::metadata(&self.output).ok();
        let written = written.map(|written| (written.len(), written.modified().ok()));
        Progress(self.taken.load(Ordering::Relaxed), written)
    }

    /// The processor time of the encoder, summed over all processors; 0 if the system does not tell.
    fn processor_time(&self) -> Duration {
        let own = Pid::from_u32(self.child.id());
        let Ok(mut system) = System::new() else { return Duration::ZERO };
        let what = ProcessRefreshKind::nothing().with_cpu().without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), true, what);
        Duration::from_millis(system.process(own).map_or(0, sysinfo::Process::accumulated_cpu_time))
    }

    /// Kills the encoder, if it runs, and the processes that the encoder has started.
    fn kill(&mut self) {
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        #[cfg(unix)]
        // SAFETY: the call sends a signal to the group of the child, which has not been waited for.
        unsafe {
            libc::kill(-(self.child.id() as libc::pid_t), libc::SIGKILL);
        }
        let _ = self.child.kill();
    }
}

impl Drop for EncoderProcess {
    fn drop(&mut self) {
        // An aborted film must not be written any further.
        self.kill();
        let _ = self.child.wait();
    }
}

/// The standard input of an encoder. It counts the bytes that the encoder takes.
struct Pipe<W> {
    pipe: W,
    taken: Arc<AtomicU64>,
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.pipe.write(&bytes[..bytes.len().min(PIECE)])?;
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}
