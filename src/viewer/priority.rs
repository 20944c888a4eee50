//! Threads with a priority, for machines with too few cores, for example one with a software adapter: the window first, then
//! the simulation, then a film.

use crate::controller::Scene;
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;
use std::thread::{self, Builder, JoinHandle};

/// By how much the priority of the simulation is lowered, in steps of the system's nice value.
pub const SIMULATION: i32 = 5;
/// By how much the priority of a film is lowered.
pub const FILM: i32 = 10;

/// Starts a thread whose priority, and that of the threads it starts, is lowered by so many steps. `purpose` is for an error.
///
/// # Errors
/// If the system starts no thread.
pub fn spawn<T: Send + 'static>(
    name: &str,
    purpose: &str,
    steps: i32,
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, Failure> {
    let run = move || {
        lower(steps);
        run()
    };
    Builder::new().name(name.into()).spawn(run).map_err(|source| Failure::File {
        action: "cannot begin a thread for",
        path: purpose.into(),
        source,
    })
}

/// Lowers the priority of this thread and of those that it starts from now on.
fn lower(steps: i32) {
    #[cfg(target_os = "linux")]
    // SAFETY: the call only tells the system how urgent this thread and its children are.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS as _, 0, steps);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = steps;
}

/// Begins a scene whose engine threads have a lower priority than the window.
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
