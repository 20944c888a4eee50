//! Does work without Python's global lock, and handles signals such as Ctrl-C meanwhile.

use crate::errors::exception;
use murmuration::Failure;
use murmuration::run::{PieceLength, Scheduler, Stepper};
use murmuration_core::parallel::{in_this_process, while_wanted};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Issues a warning of Python for each note. The warning names the line that called the Python function.
///
/// # Errors
/// If a filter of Python turns a warning into an exception.
pub fn warn_of<'a>(py: Python<'_>, notes: impl IntoIterator<Item = &'a String>) -> PyResult<()> {
    let category = py.get_type::<PyUserWarning>();
    notes.into_iter().try_for_each(|note| {
        let text = CString::new(note.as_str()).unwrap_or_default();
        PyErr::warn(py, &category, &text, 2)
    })
}

/// Does work that is short, or one of many pieces, without Python's lock.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure> + Send) -> PyResult<T> {
    py.detach(|| in_this_process(work)).map_err(exception)
}

/// Does work that may be long, on another thread and without Python's lock. If a signal raises an exception, the call
/// ends with the exception, and the flag given to `work` is set, so that the work stops.
pub fn heard<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(Arc<AtomicBool>) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let mut signals = Ok(());
    let hear = || {
        signals = Python::attach(|py| py.check_signals());
        signals.is_ok()
    };
    let done = py.detach(|| while_wanted(work, hear));
    signals?;
    done.map_err(exception)?.ok_or_else(|| exception(Failure::Broken("the work was left".into())))
}

/// Plays steps in short pieces, and handles signals between the pieces. `play` plays a number of steps.
pub fn in_pieces(py: Python<'_>, steps: u64, mut play: impl FnMut(Python<'_>, u64) -> PyResult<()>) -> PyResult<()> {
    let (mut left, mut piece) = (steps, PieceLength::default());
    while left > 0 {
        let (begun, steps) = (Instant::now(), piece.next(left));
        play(py, steps)?;
        left -= steps;
        piece.adapt(steps, begun.elapsed());
        py.check_signals()?;
    }
    Ok(())
}

/// Plays the run of a scheduler in pieces, and handles signals between the pieces. `with_model` locks the model and
/// calls a function with it.
pub fn run<T: Stepper>(
    py: Python<'_>,
    mut scheduler: Scheduler<'_, T>,
    with_model: impl Fn(&mut (dyn FnMut(&mut T) -> Result<bool, Failure> + Send)) -> PyResult<bool>,
) -> PyResult<()> {
    while with_model(&mut |model| scheduler.poll(model))? {
        py.check_signals()?;
    }
    with_model(&mut |model| scheduler.finish(model, Ok(())).map(|()| false)).map(drop)
}
