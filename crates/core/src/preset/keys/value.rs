//! The value of a key.

use std::fmt;

/// A value as the panel shows it and `--set` takes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Number(f64),
    Word(&'static str),
    Switch(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
            Self::Switch(on) => write!(f, "{on}"),
        }
    }
}
