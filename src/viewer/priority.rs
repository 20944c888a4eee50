//! Who goes first where there are too few cores for all, as where a software adapter draws: the window, then the
//! simulation, then a film.

use super::scene::Scene;
use crate::error::Failure;
use crate::simulation::Simulation;
use std::thread;

/// How far the simulation stands back, and how far a film, in steps of the system's own measure.
pub const SIMULATION: i32 = 5;
pub const FILM: i32 = 10;

/// This thread, and those that it begins from now on, stand back so far.
pub fn give_way(steps: i32) {
    #[cfg(target_os = "linux")]
    // SAFETY: it only tells the system how urgent this thread is, and those that it will begin.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS as _, 0, steps);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = steps;
}

/// Begins a scene whose engine stands back behind the window.
///
/// # Errors
/// As [`Scene::begin`].
pub fn begin(scene: &Scene) -> Result<Simulation, Failure> {
    let begun = thread::scope(|scope| {
        let thread = scope.spawn(|| {
            give_way(SIMULATION);
            scene.begin()
        });
        thread.join()
    });
    begun.unwrap_or_else(|_| Err(Failure::Broken("the scene could not be begun".into())))
}
