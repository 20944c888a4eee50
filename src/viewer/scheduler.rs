//! Work beside the window: on threads of its own, or where there are none between two frames.

use murmuration_core::error::Failure;
use murmuration_core::ticket::Patience;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;
use web_time::Instant;

/// Tells the window that a task has left something for it.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// What a task is for. A machine with few cores plays before it films.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// It plays the swarm.
    Simulation,
    /// It draws and writes a film.
    Film,
}

/// Work that is done in small parts.
pub trait Task: Send {
    /// Does what is due, and waits for that if it may. Returns `false` at the end of the work, after which it is not called again.
    fn turn(&mut self, patience: Patience) -> bool;
}

/// A task under way.
pub trait RunningTask {
    /// Does what is due, where no thread does it.
    fn turn(&mut self);

    /// Whether the work has ended.
    fn is_finished(&self) -> bool;

    /// Waits until the work has ended, which it was told before.
    fn join(self: Box<Self>);
}

/// Begins tasks beside the window.
pub trait Scheduler {
    /// Whether tasks may wait for a device.
    fn patience(&self) -> Patience;

    /// Begins a task.
    ///
    /// # Errors
    /// If the system starts no thread.
    fn start(&self, kind: TaskKind, task: Box<dyn Task>) -> Result<Box<dyn RunningTask>, Failure>;
}

/// The next message of a task. With patience it is waited for: at most for `timeout`; `None`: until one comes.
///
/// # Errors
/// None has come, or nobody sends any more.
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

/// Waits until a task that was told to end has ended, at most for a time; while `is_needed` for as long as that takes.
pub fn end(mut task: Box<dyn RunningTask>, timeout: Duration, is_needed: impl Fn() -> bool) {
    let asked = Instant::now();
    while !task.is_finished() && (asked.elapsed() < timeout || is_needed()) {
        task.turn();
        #[cfg(not(target_family = "wasm"))]
        std::thread::sleep(Duration::from_millis(2));
    }
    // A step of a huge lattice may take longer than anyone wants to wait; it then ends with the process.
    if task.is_finished() {
        task.join();
    }
}

/// Does the work between two frames, where the system has no threads.
#[derive(Debug, Clone, Copy)]
pub struct FrameScheduler;

impl Scheduler for FrameScheduler {
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
