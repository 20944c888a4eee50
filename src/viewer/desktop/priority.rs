//! Thread priorities for machines with few cores, for example with a software adapter: the window first, then the
//! simulation, then a film.

use crate::controller::Scene;
use crate::viewer::scheduler::{RunningTask, Task, TaskKind, TaskScheduler};
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;
use murmuration_core::ticket::Patience;
use std::thread::{self, Builder, JoinHandle};

/// The number of steps by which the priority of the simulation is lowered (the system's nice value).
const SIMULATION: i32 = 5;
/// The number of steps by which the priority of a film is lowered.
const FILM: i32 = 10;

/// Runs each task on a thread with a lowered priority. Threads that the task starts inherit the priority.
#[derive(Debug, Clone, Copy)]
pub struct ThreadScheduler;

impl TaskScheduler for ThreadScheduler {
    fn patience(&self) -> Patience {
        Patience::Wait
    }

    fn start(&self, kind: TaskKind, mut task: Box<dyn Task>) -> Result<Box<dyn RunningTask>, Failure> {
        let (name, purpose, steps) = match kind {
            TaskKind::Simulation => ("play", "the swarm", SIMULATION),
            TaskKind::Film => ("film", "the film", FILM),
        };
        let run = move || {
            lower(steps);
            while task.turn(Patience::Wait) {}
        };
        let started = Builder::new().name(name.into()).spawn(run);
        let thread = started.map_err(|source| Failure::File {
            action: "cannot begin a thread for",
            path: purpose.into(),
            source,
        })?;
        Ok(Box::new(TaskThread(thread)))
    }
}

struct TaskThread(JoinHandle<()>);

impl RunningTask for TaskThread {
    fn turn(&mut self) {}

    fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    fn join(self: Box<Self>) {
        // A thread that has panicked has reported it.
        let _ = self.0.join();
    }
}

/// Lowers the priority of this thread, and of the threads that it starts from now on.
fn lower(steps: i32) {
    #[cfg(target_os = "linux")]
    // SAFETY: the call only sets the priority of this thread and of the threads that it starts.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS as _, 0, steps);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = steps;
}

/// Starts a scene whose engine threads have a lower priority than the window.
///
/// # Errors
/// As [`Scene::begin`].
pub fn begin(scene: &Scene) -> Result<Simulation, Failure> {
    let begin = || {
        lower(SIMULATION);
        scene.begin(crate::host(), None)
    };
    let begun = thread::scope(|scope| scope.spawn(begin).join());
    begun.unwrap_or_else(|_| Err(Failure::Broken("the scene could not be begun".into())))
}
