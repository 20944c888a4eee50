//! Tasks beside the window: on separate threads, or between two frames if the system has no threads.

use murmuration_core::error::Failure;
use murmuration_core::ticket::Patience;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;
use web_time::Instant;

/// Tells the window that a task has a new result.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// The purpose of a task. A machine with few cores gives the simulation priority over films.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// Plays the swarm.
    Simulation,
    /// Draws and writes a film.
    Film,
}

/// Work in small parts.
pub trait Task: Send {
    /// Does the due work. Waits for work only with `Patience::Wait`. Returns `false` at the end, and is not called
    /// again.
    fn turn(&mut self, patience: Patience) -> bool;
}

/// A started task.
pub trait RunningTask {
    /// Does the due work, if the system has no threads.
    fn turn(&mut self);

    /// Whether the task has ended.
    fn is_finished(&self) -> bool;

    /// Waits until the task has ended. The caller has told the task to end before.
    fn join(self: Box<Self>);
}

/// Starts tasks beside the window.
pub trait TaskScheduler {
    /// Whether tasks may wait for a device.
    fn patience(&self) -> Patience;

    /// Begins a task.
    ///
    /// # Errors
    /// If no thread can be started.
    fn start(&self, kind: TaskKind, task: Box<dyn Task>) -> Result<Box<dyn RunningTask>, Failure>;
}

/// The next message to a task. With `Patience::Wait` it waits for at most `timeout`, or without limit if that is
/// `None`.
///
/// # Errors
/// If no message has come, or all senders are gone.
pub fn receive<T>(
    messages: &Receiver<T>,
    patience: Patience,
    timeout: Option<Duration>,
) -> Result<T, RecvTimeoutError> {
    match (patience, timeout) {
        (Patience::Poll, _) => messages.try_recv().map_err(|none| match none {
            TryRecvError::Empty => RecvTimeoutError::Timeout,
            TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
        }),
        (Patience::Wait, Some(timeout)) => messages.recv_timeout(timeout),
        (Patience::Wait, None) => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

/// Waits until a task that was told to end has ended. It waits for at most `timeout`, but without limit while
/// `is_needed`.
pub fn end(mut task: Box<dyn RunningTask>, timeout: Duration, is_needed: impl Fn() -> bool) {
    let asked = Instant::now();
    while !task.is_finished() && (asked.elapsed() < timeout || is_needed()) {
        task.turn();
        #[cfg(not(target_family = "wasm"))]
        std::thread::sleep(Duration::from_millis(2));
    }
    // A step of a huge lattice may take too long. It then ends with the process.
    if task.is_finished() {
        task.join();
    }
}

/// Runs tasks between two frames, if the system has no threads.
#[derive(Debug, Clone, Copy)]
pub struct FrameScheduler;

impl TaskScheduler for FrameScheduler {
    fn patience(&self) -> Patience {
        Patience::Poll
    }

    fn start(&self, _: TaskKind, task: Box<dyn Task>) -> Result<Box<dyn RunningTask>, Failure> {
        Ok(Box::new(TaskBetweenFrames { task, is_finished: false }))
    }
}

struct TaskBetweenFrames {
    task: Box<dyn Task>,
    is_finished: bool,
}

impl RunningTask for TaskBetweenFrames {
    fn turn(&mut self) {
        if !self.is_finished {
            self.is_finished = !self.task.turn(Patience::Poll);
        }
    }

    fn is_finished(&self) -> bool {
        self.is_finished
    }

    fn join(mut self: Box<Self>) {
        while !self.is_finished {
            self.turn();
        }
    }
}
