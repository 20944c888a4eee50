//! The ranks of this program: the processes that play its worlds together.

use murmuration_core::error::{BadInput, Failure};
use murmuration_core::ranks::{Ranks, SharedInput, SingleRank, check_shared_inputs};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

static RANKS: OnceLock<Arc<dyn Ranks>> = OnceLock::new();
static FACTS: OnceLock<RankFacts> = OnceLock::new();

/// The processes that play together, as records describe them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RankFacts {
    /// The number of ranks.
    pub count: usize,
    /// The number of machines.
    pub hosts: usize,
    /// The library that connects the ranks, with its version.
    pub library: String,
}

impl RankFacts {
    /// From the name of the machine of each rank.
    pub fn new(hosts: &[Vec<u8>], library: String) -> Self {
        Self { count: hosts.len(), hosts: hosts.iter().collect::<HashSet<_>>().len(), library }
    }

    /// The JSON object for a record.
    pub fn record(&self) -> Value {
        json!({ "count": self.count, "hosts": self.hosts, "library": self.library })
    }
}

/// Plays every world of this program on ranks. Call it before any world is made.
pub fn set_ranks(ranks: Arc<dyn Ranks>) {
    RANKS.set(ranks).ok();
}

/// Sets the facts about the ranks of this program, once.
pub fn set_facts(facts: RankFacts) {
    FACTS.set(facts).ok();
}

/// The facts about the ranks of this program; `None`: it has no ranks.
pub fn facts() -> Option<&'static RankFacts> {
    FACTS.get()
}

/// The ranks of this program; a single rank if none were set.
pub fn present() -> Arc<dyn Ranks> {
    RANKS.get().cloned().unwrap_or_else(|| Arc::new(SingleRank))
}

/// Compares the bytes of a file that every rank has read.
///
/// # Errors
/// `BadInput` if the bytes differ between ranks, or another rank has ended.
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

/// Whether this process writes files: it is the first rank, or the program has no ranks.
pub fn is_first_rank() -> bool {
    RANKS.get().is_none_or(|ranks| ranks.is_first())
}
