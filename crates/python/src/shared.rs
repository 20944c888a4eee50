//! A simulation that several objects of Python share.

use murmuration::run::SLICE;
use murmuration::{BOID, FramePainter};
use murmuration_core::parallel::process;
use parking_lot::{Mutex, MutexGuard};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A simulation that an object `Simulation` and a `Batch` of Python may share.
pub struct Shared {
    /// The simulation is dropped only by the process that made it. The drop waits for the simulation's threads, which
    /// do not exist in a fork.
    inner: Mutex<ManuallyDrop<Inner>>,
    /// A number that increases with every change, so that Python makes its arrays once for each state.
    pub version: AtomicU64,
    /// Whether a reading may take longer than 0.2 s.
    pub is_large: bool,
    /// The id of the process that made the simulation. The threads of an engine do not exist in a fork.
    process: u32,
}

/// A simulation, and the painter of its pictures.
pub struct Inner {
    pub simulation: murmuration::Simulation,
    pub painter: FramePainter,
}

/// The maximum number of cells, and of boids, of a swarm that is read in a short time.
const FEW: u64 = 1 << 17;

impl Shared {
    /// A simulation without other owners.
    pub fn new(simulation: murmuration::Simulation) -> Arc<Self> {
        let preset = simulation.preset();
        let is_large = preset.size().cells() as u64 > FEW || preset.start_spec.quanta() / u64::from(BOID) > FEW;
        let inner = Mutex::new(ManuallyDrop::new(Inner { simulation, painter: FramePainter::default() }));
        Arc::new(Self { inner, version: AtomicU64::new(0), is_large, process: process() })
    }

    /// Locks the simulation for reading. A caller that holds Python's lock must not wait here.
    pub fn read(&self) -> MutexGuard<'_, ManuallyDrop<Inner>> {
        self.inner.lock()
    }

    /// Locks the simulation for a change, and increases `version`.
    pub fn change(&self) -> MutexGuard<'_, ManuallyDrop<Inner>> {
        let inner = self.inner.lock();
        self.version.fetch_add(1, Ordering::Relaxed);
        inner
    }

    /// Waits until no other thread reads a large simulation. An interrupted call may have left such a thread behind.
    ///
    /// # Errors
    /// If a signal raises an exception.
    pub fn wait(&self, py: Python<'_>) -> PyResult<()> {
        while self.is_large && py.detach(|| self.inner.try_lock_for(SLICE).is_none()) {
            py.check_signals()?;
        }
        Ok(())
    }

    /// # Errors
    /// If this process was forked after the simulation was made.
    pub fn check_process(&self) -> PyResult<()> {
        if self.process == process() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "this process was forked, and the threads of a simulation do not live on in a fork; \
             use multiprocessing.set_start_method(\"spawn\"), or make the simulation in the child, or pickle it",
        ))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if self.process == process() {
            // SAFETY: the value is dropped once, because its owner is dropped once.
            unsafe { ManuallyDrop::drop(self.inner.get_mut()) }
        }
    }
}
