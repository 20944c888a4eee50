//! Which of several processes this one is, if several play its worlds together.

use murmuration_core::error::{BadInput, Failure};
use murmuration_core::ranks::{Ranks, SharedInput, SingleRank, check_shared_inputs};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The ranks of this program, if it has several.
static RANKS: OnceLock<Arc<dyn Ranks>> = OnceLock::new();
/// The facts about the ranks for records.
static FACTS: OnceLock<RankFacts> = OnceLock::new();

/// The processes that play together, as records tell them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RankFacts {
    /// How many there are.
    pub count: usize,
    /// On how many machines.
    pub hosts: usize,
    /// The library that joins them, with its version.
    pub library: String,
}

impl RankFacts {
    /// The facts of ranks, of which the names of their machines are given.
    pub fn new(hosts: &[Vec<u8>], library: String) -> Self {
        Self { count: hosts.len(), hosts: hosts.iter().collect::<HashSet<_>>().len(), library }
    }

    /// The object of a record.
    pub fn record(&self) -> Value {
        json!({ "count": self.count, "hosts": self.hosts, "library": self.library })
    }
}

/// Has every world of this program played on ranks. It is to be called before any world is made.
pub fn set_ranks(ranks: Arc<dyn Ranks>) {
    RANKS.set(ranks).ok();
}

/// Sets the facts about the ranks of this program, once.
pub fn set_facts(facts: RankFacts) {
    FACTS.set(facts).ok();
}

/// The facts about the ranks of this program; `None` without ranks.
pub fn facts() -> Option<&'static RankFacts> {
    FACTS.get()
}

/// The ranks of this program.
pub fn present() -> Arc<dyn Ranks> {
    RANKS.get().cloned().unwrap_or_else(|| Arc::new(SingleRank))
}

/// Compares the bytes of a file that every rank of this program has read.
///
/// # Errors
/// `BadInput` if the file has other bytes on some ranks, or if another rank has ended.
pub fn check_file(path: &Path, bytes: &[u8]) -> Result<(), BadInput> {
    let origin = path.display().to_string();
    let cure = "give all ranks the same file";
    check_shared_inputs(&*present(), &[SharedInput::from_bytes(&origin, bytes)], cure).map_err(
        |failure| match failure {
            Failure::BadInput(wrong) => wrong,
            other => BadInput::new(origin, other.to_string(), ""),
        },
    )
}

/// Whether this process writes the files of its worlds: no other rank plays them, or it is the first one.
pub fn is_first_rank() -> bool {
    RANKS.get().is_none_or(|ranks| ranks.is_first())
}
