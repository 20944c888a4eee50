//! What went wrong, as exceptions of Python.

use murmuration::{BadInput as Wrong, Failure};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    murmuration,
    BadInput,
    PyValueError,
    "A preset, chain, kernel, file or argument is wrong.\n\nAttributes\n----------\norigin : str\n    The file as it was named, or the argument.\nline : int or None\n    \
     The line in the file, counted from 1.\nkey : str or None\n    The dotted key, as in ``movement.wander``.\nproblem : str\n    What is wrong.\ncure : str\n    \
     What would be right."
);
pyo3::create_exception!(
    murmuration,
    DeviceError,
    PyRuntimeError,
    "A graphics device failed, and no other engine could go on."
);

/// The exception for a failure.
pub fn exception(failure: Failure) -> PyErr {
    let text = failure.to_string();
    match failure {
        Failure::BadInput(wrong) => Python::attach(|py| {
            let error = BadInput::new_err(text);
            match describe(error.value(py), wrong) {
                Ok(()) => error,
                Err(other) => other,
            }
        }),
        // It becomes a `FileNotFoundError` or the like.
        Failure::File { source, .. } => std::io::Error::new(source.kind(), text).into(),
        Failure::Device(_) => DeviceError::new_err(text),
        Failure::Rank(_) | Failure::Broken(_) => PyRuntimeError::new_err(text),
    }
}

fn describe(error: &Bound<'_, PyAny>, wrong: Wrong) -> PyResult<()> {
    error.setattr("origin", wrong.origin)?;
    error.setattr("line", wrong.line)?;
    error.setattr("key", wrong.key)?;
    error.setattr("problem", wrong.problem)?;
    error.setattr("cure", wrong.cure)
}

/// The exception for an argument that is wrong.
pub fn wrong(argument: &str, problem: impl Into<String>, cure: impl Into<String>) -> PyErr {
    exception(Wrong::new(argument, problem, cure).into())
}
