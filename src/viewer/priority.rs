//! Thread priorities on a machine with too few cores, for example one with a software adapter: the window first, then the
//! simulation, then a film.

use crate::controller::Scene;
use crate::error::Failure;
use crate::simulation::Simulation;
use std::thread;

/// By how much the priority of the simulation is lowered, in steps of the system's nice value.
pub const SIMULATION: i32 = 5;
/// By how much the priority of a film is lowered.
pub const FILM: i32 = 10;

/// Lowers the priority of this thread and of those that it starts from now on.
pub fn lower(steps: i32) {
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
    let begun = thread::scope(|scope| {
        let begin = || {
            lower(SIMULATION);
            scene.begin(crate::host(), None)
        };
        scope.spawn(begin).join()
    });
    begun.unwrap_or_else(|_| Err(Failure::Broken("the scene could not be begun".into())))
}
