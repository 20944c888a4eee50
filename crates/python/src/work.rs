//! Work without Python's lock.

use crate::errors::exception;
use murmuration::Failure;
use murmuration_core::parallel::{in_this_process, while_wanted};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The time between two looks for Ctrl-C.
pub const SLICE: Duration = Duration::from_millis(50);

/// Warns of notes, for the caller of the Python function that called.
///
/// # Errors
/// If a filter of Python's makes an exception of a warning.
pub fn warn_of<'a>(py: Python<'_>, notes: impl IntoIterator<Item = &'a String>) -> PyResult<()> {
    let category = py.get_type::<PyUserWarning>();
    notes.into_iter().try_for_each(|note| {
        let text = CString::new(note.as_str()).unwrap_or_default();
        PyErr::warn(py, &category, &text, 2)
    })
}

/// Does work that is short, or one of many slices.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure> + Send) -> PyResult<T> {
    py.detach(|| in_this_process(work)).map_err(exception)
}

/// Does work that may be long. If a signal raises an exception, the wait ends, and the work sees its flag.
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

/// Plays steps in slices, and looks for signals between them. `play` plays at most a number of steps, and returns the
/// number that it played.
pub fn in_slices(py: Python<'_>, steps: u64, mut play: impl FnMut(Python<'_>, u64) -> PyResult<u64>) -> PyResult<()> {
    let (mut left, mut slice) = (steps, 1);
    while left > 0 {
        let begun = Instant::now();
        let asked = left.min(slice);
        let played = play(py, asked)?;
        left -= played.min(left);
        if begun.elapsed() < SLICE {
            slice = slice.saturating_mul(2);
        } else if begun.elapsed() > 2 * SLICE {
            slice = (slice / 2).max(1);
        }
        py.check_signals()?;
        if played < asked {
            break;
        }
    }
    Ok(())
}
