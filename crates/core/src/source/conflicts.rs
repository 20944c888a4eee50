//! Conflicts: what one preset cannot have together, as rows of tables. Each subject brings its rows.

use super::Source;
use crate::error::BadInput;

/// The check of a preset for conflicts, with what its overrides decide.
pub(crate) struct ConflictCheck<'a> {
    /// The text of the preset with its settings.
    pub source: &'a Source,
    /// Whether individuals play it.
    pub is_of_individuals: bool,
    /// Whether its world has a depth.
    pub is_deep: bool,
}

/// A row: a preset that has both sides of a conflict is refused.
pub(crate) struct Conflict {
    /// The key that the message names.
    pub key: &'static str,
    /// Whether a preset has both sides.
    pub has: fn(&ConflictCheck<'_>) -> bool,
    /// The problem, as the message says it after the key.
    pub problem: &'static str,
    /// The cure, as the message says it.
    pub cure: &'static str,
}

impl ConflictCheck<'_> {
    /// Refuses a preset with a conflict.
    ///
    /// # Errors
    /// The first row that applies.
    pub fn check(&self, tables: impl IntoIterator<Item = &'static [Conflict]>) -> Result<(), BadInput> {
        match tables.into_iter().flatten().find(|row| (row.has)(self)) {
            Some(row) => Err(self.source.wrong(row.key, row.problem, row.cure)),
            None => Ok(()),
        }
    }

    /// Whether its world has no end.
    pub fn is_endless(&self) -> bool {
        super::places::is_endless(self.source)
    }
}
