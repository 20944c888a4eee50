//! Files that a person named: presets, chains, kernels, pictures and arrays.

use crate::contents::Complaint;
use crate::error::{BadInput, line_of};
use std::fs::File;
use std::io::{self, Read};

/// The longest text in bytes.
const LONGEST_TEXT: u64 = 1 << 20;
/// The longest picture or array in bytes: an array of the largest lattice with its header.
const LONGEST: u64 = (1 << 30) + (1 << 16);

/// The text of a file.
///
/// # Errors
/// If it cannot be read, is longer than a mebibyte or is not UTF-8.
pub fn text(path: &str) -> Result<String, BadInput> {
    let unreadable = |error: io::Error| {
        BadInput::new(path, format!("cannot be read: {error}"), "name a text file, or a built-in one by its bare name")
    };
    let bytes = at_most(LONGEST_TEXT, path).map_err(unreadable)?;
    if bytes.len() as u64 > LONGEST_TEXT {
        return Err(BadInput::new(path, "the file is too long", format!("at most {LONGEST_TEXT} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = line_of(&String::from_utf8_lossy(&error.as_bytes()[..valid]), valid);
        BadInput::new(path, "is not text in UTF-8", "save it in that encoding").at_line(line)
    })
}

/// The bytes of a picture or an array.
///
/// # Errors
/// If it cannot be read, is no plain file or too long.
pub fn bytes(path: &str) -> Result<Vec<u8>, Complaint> {
    let cure = "name a file that can be read; a path is taken from where the preset is";
    let unreadable = |error: io::Error| (error.to_string(), cure);
    // Even opening a pipe could block forever.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(("is not a plain file".into(), cure));
    }
    let bytes = at_most(LONGEST, path).map_err(unreadable)?;
    if bytes.len() as u64 > LONGEST {
        return Err((format!("is longer than {LONGEST} bytes"), "give a picture or an array of at most 16384 × 16384"));
    }
    Ok(bytes)
}

/// The bytes of a file, and one more than `longest` if it is longer.
fn at_most(longest: u64, path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(longest + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
