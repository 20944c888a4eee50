//! Faults injected by number, for tests of error handling.
//!
//! The environment variable `MURMURATION_FAIL` names an operation and the call that fails: `write@3` is the third
//! write. Without the variable nothing fails here.

use crate::error::BadInput;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The name of the environment variable that requests a fault.
pub const VARIABLE: &str = "MURMURATION_FAIL";
/// The message of an injected fault.
pub const SAID: &str = "it was made to fail by MURMURATION_FAIL";

/// An operation that can be made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Bytes are written to a file, or a temporary file is made.
    Write,
    /// A file or folder is renamed.
    Rename,
    /// Threads are started.
    Thread,
    /// A graphics device is opened.
    Device,
    /// Work is submitted to a device. The device is then lost.
    Submission,
    /// Memory of a device is mapped.
    Map,
    /// The system is asked for a mebibyte of memory or more.
    Allocation,
}

const OPERATIONS: [(&str, Operation); 7] = [
    ("write", Operation::Write),
    ("rename", Operation::Rename),
    ("thread", Operation::Thread),
    ("device", Operation::Device),
    ("submission", Operation::Submission),
    ("map", Operation::Map),
    ("allocation", Operation::Allocation),
];

static REQUESTED: LazyLock<Result<Option<(Operation, u64)>, BadInput>> =
    LazyLock::new(|| std::env::var(VARIABLE).ok().map(|text| parse(&text)).transpose());

/// The number of calls of the requested operation.
static CALLS: AtomicU64 = AtomicU64::new(0);

/// Counts this call of an operation and returns whether it fails.
pub fn is_due(operation: Operation) -> bool {
    match *REQUESTED {
        Ok(Some((requested, number))) if requested == operation => CALLS.fetch_add(1, Ordering::Relaxed) + 1 == number,
        _ => false,
    }
}

/// Checks the value of the environment variable.
///
/// # Errors
/// If it is not a valid request.
pub fn check() -> Result<(), BadInput> {
    REQUESTED.clone().map(drop)
}

fn parse(text: &str) -> Result<(Operation, u64), BadInput> {
    let request = text.split_once('@').and_then(|(name, number)| {
        let (_, operation) = OPERATIONS.iter().find(|(known, _)| *known == name)?;
        Some((*operation, number.parse().ok().filter(|number| *number > 0)?))
    });
    request.ok_or_else(|| {
        let names = OPERATIONS.map(|(name, _)| name).join(", ");
        BadInput::new(VARIABLE, format!("`{text}` says nothing"), format!("write OPERATION@NUMBER with one of {names}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_whole_or_refused() {
        assert_eq!(parse("write@3"), Ok((Operation::Write, 3)));
        assert_eq!(parse("map@18446744073709551615"), Ok((Operation::Map, u64::MAX)));
        for wrong in ["", "write", "write@", "write@0", "write@-1", "read@1", "@1"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
