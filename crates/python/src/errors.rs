//! Converts failures of the simulator to exceptions of Python.

use murmuration::{BadInput as Wrong, Failure};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    murmuration,
    BadInput,
    PyValueError,
    "A preset, chain, kernel, file or argument is wrong.\n\nAttributes\n----------\n\
     origin : str\n    The file as it was named, or the argument.\n\
     line : int or None\n    The line in the file, counted from 1.\n\
     key : str or None\n    The dotted key, as in ``movement.wander``.\n\
     problem : str\n    What is wrong.\n\
     cure : str\n    What would be right."
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
        // Python chooses the exception by the kind of the error, such as `FileNotFoundError`.
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

/// The exception for a wrong argument. `cure`: the advice at the end of the message.
pub fn wrong(argument: &str, problem: impl Into<String>, cure: impl Into<String>) -> PyErr {
    exception(Wrong::new(argument, problem, cure).into())
}
