//! Films of a simulation, recorded from Python.

use crate::simulation::Simulation;
use crate::work::detached;
use murmuration::FilmRecorder;
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A film of a simulation that is being recorded. `recorder` is `None` after the end of the film.
#[pyclass(frozen, module = "murmuration._native")]
pub struct Film {
    recorder: Mutex<Option<FilmRecorder>>,
}

#[pymethods]
impl Film {
    #[new]
    fn new(py: Python<'_>, simulation: &Simulation, path: PathBuf, fps: u32, width: Option<u32>) -> PyResult<Self> {
        let recorder = simulation.read_briefly(py, |inner| FilmRecorder::new(&path, fps, width, &inner.simulation))?;
        Ok(Self { recorder: Mutex::new(Some(recorder)) })
    }

    /// Adds the picture of the simulation's present step to the film.
    fn add(&self, py: Python<'_>, simulation: &Simulation) -> PyResult<()> {
        let added = simulation.read_briefly(py, |inner| {
            let mut recorder = self.recorder.lock();
            let Some(recorder) = recorder.as_mut() else { return Ok(false) };
            let mut painter = std::mem::take(&mut inner.painter);
            let added = recorder.add(&mut inner.simulation, &mut painter);
            inner.painter = painter;
            added.map(|()| true)
        })?;
        if added { Ok(()) } else { Err(PyValueError::new_err("the film is finished")) }
    }

    /// Completes the file of the film. Returns the number of its frames. 0 if there are no frames, or the film was
    /// finished before.
    fn finish(&self, py: Python<'_>) -> PyResult<u64> {
        let recorder = self.recorder.lock().take();
        detached(py, || recorder.map_or(Ok(0), FilmRecorder::finish))
    }
}
