//! Conflicts: keys that a preset cannot combine, as rows of tables. Each subject, such as species, has a table.

use super::Source;
use crate::error::BadInput;

/// A preset to check for conflicts, with the values that overrides can change.
pub(crate) struct ConflictCheck<'a> {
    /// The text of the preset with its settings.
    pub source: &'a Source,
    /// Whether the preset has individuals.
    pub is_of_individuals: bool,
    /// Whether the world is endless.
    pub is_endless: bool,
    /// Whether the world is deep.
    pub is_deep: bool,
}

/// A conflict. A preset to which it applies is refused.
pub(crate) struct Conflict {
    /// The key that the message names.
    pub key: &'static str,
    /// Whether the conflict applies.
    pub has: fn(&ConflictCheck<'_>) -> bool,
    /// The problem, which the message shows after the key.
    pub problem: &'static str,
    /// The cure, which the message shows after the problem.
    pub cure: &'static str,
}

impl ConflictCheck<'_> {
    /// Refuses a preset with a conflict.
    ///
    /// # Errors
    /// The message of the first row that applies.
    pub fn check(&self, tables: impl IntoIterator<Item = &'static [Conflict]>) -> Result<(), BadInput> {
        match tables.into_iter().flatten().find(|row| (row.has)(self)) {
            Some(row) => Err(self.source.wrong(row.key, row.problem, row.cure)),
            None => Ok(()),
        }
    }
}
