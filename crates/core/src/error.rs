//! Errors about presets, chains, kernels, arguments, files and devices.

use std::fmt;

/// A file or argument that cannot be used: its name, the problem and the advice.
///
/// Printed on one line as `file:line: key: problem; advice`. Unknown parts are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadInput {
    /// The file as the user named it, or the argument with its value (`size 64x0`).
    pub origin: String,
    /// Whether the origin is an argument. Each interface spells arguments in its own way: the command puts `--` before
    /// them.
    pub is_argument: bool,
    /// The line in the file, counted from 1.
    pub line: Option<usize>,
    /// The key as a dotted path, as in `movement.wander`.
    pub key: Option<String>,
    /// The fault, as in "is not a number".
    pub problem: String,
    /// The advice: how to correct the input. It may be empty.
    pub cure: String,
}

/// The problem with a file, and the advice.
pub type Complaint = (String, &'static str);

impl BadInput {
    /// A complaint about `origin` as a whole.
    pub fn new(origin: impl Into<String>, problem: impl Into<String>, cure: impl Into<String>) -> Self {
        let (origin, problem, cure) = (origin.into(), problem.into(), cure.into());
        Self { origin, is_argument: false, line: None, key: None, problem, cure }
    }

    /// A complaint about the value of an argument, such as `size`, `seed` or `set`.
    pub fn of_argument(
        argument: &str,
        value: impl fmt::Display,
        problem: impl Into<String>,
        cure: impl Into<String>,
    ) -> Self {
        let origin = format!("{argument} {}", one_line(&value.to_string()));
        Self { is_argument: true, ..Self::new(origin, problem, cure) }
    }

    /// Adds the line.
    pub fn at_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }

    /// Adds the key.
    pub fn at_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(&self.origin))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(key) = &self.key {
            write!(f, ": {}", one_line(key))?;
        }
        write!(f, ": {}", one_line(&self.problem))?;
        if !self.cure.is_empty() {
            write!(f, "; {}", one_line(&self.cure))?;
        }
        Ok(())
    }
}

impl std::error::Error for BadInput {}

/// The reason why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A preset, chain, kernel or argument is wrong. Exit status 2.
    #[error(transparent)]
    BadInput(#[from] BadInput),
    /// A file could not be read or written. Exit status 1.
    #[error("{action} {path}: {source}")]
    File {
        /// The operation that failed, as in "cannot read".
        action: &'static str,
        /// The file, as messages name it.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The graphics driver refused or failed. Exit status 1.
    #[error("{0}")]
    Device(String),
    /// Another rank of the run has ended. Exit status 1.
    #[error("{0}")]
    Rank(String),
    /// An invariant of the simulation does not hold: the program is at fault, not its input. Exit status 1.
    #[error("{0}")]
    Broken(String),
}

impl Failure {
    /// Appends `more` to the message, after a semicolon.
    pub fn with(self, more: impl fmt::Display) -> Self {
        match self {
            Self::BadInput(wrong) => {
                let cure = if wrong.cure.is_empty() { more.to_string() } else { format!("{}; {more}", wrong.cure) };
                Self::BadInput(BadInput { cure, ..wrong })
            }
            Self::File { action, path, source } => {
                let source = std::io::Error::new(source.kind(), format!("{source}; {more}"));
                Self::File { action, path, source }
            }
            Self::Device(text) => Self::Device(format!("{text}; {more}")),
            Self::Rank(text) => Self::Rank(format!("{text}; {more}")),
            Self::Broken(text) => Self::Broken(format!("{text}; {more}")),
        }
    }
}

/// The number of letters that messages show from the beginning and from the end of a long text.
const SHOWN: [usize; 2] = [1000, 500];

/// The text on one line, without control characters. A long text, such as a value of thousands of letters, loses its
/// middle.
pub fn one_line(text: &str) -> String {
    let [first, last] = SHOWN;
    let line = text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let starts: Vec<usize> = line.char_indices().map(|(start, _)| start).collect();
    match starts.len() {
        length if length > first + last => {
            format!("{} … {}", &line[..starts[first]], &line[starts[length - last]..])
        }
        _ => line,
    }
}

/// The line, counted from 1, of the byte at `offset` in `text`.
pub fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_without_the_middle_of_what_is_too_long() {
        assert_eq!(one_line("a\nb\r\n\tc"), "a b c");
        let [first, last] = SHOWN;
        let longest = "ä".repeat(first + last);
        assert_eq!(one_line(&longest), longest);
        let shown = one_line(&format!("begin {} end", "ö".repeat(900_000)));
        assert!(shown.starts_with("begin ö") && shown.ends_with("ö end") && shown.contains(" … "));
        assert_eq!(shown.chars().count(), first + last + 3);
        let wrong = BadInput::new("a.toml", "is wrong", "cure").at_key("k".repeat(900_000)).to_string();
        assert!(wrong.starts_with("a.toml: k") && wrong.ends_with("k: is wrong; cure") && wrong.len() < 2000);
    }
}
