//! The ranks of this program: several processes that play one world together. Each rank holds a slab of the world.

use murmuration_core::error::{BadInput, Failure};
use murmuration_core::ranks::{Ranks, SharedInput, SingleRank, check_shared_inputs};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

static RANKS: OnceLock<Arc<dyn Ranks>> = OnceLock::new();
static FACTS: OnceLock<RankFacts> = OnceLock::new();

/// Facts about the ranks that play together, for the provenance record of a result.
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
    /// The facts about ranks. `hosts`: for each rank, the name of its machine. Equal names count as one machine.
    pub fn new(hosts: &[Vec<u8>], library: String) -> Self {
        Self { count: hosts.len(), hosts: hosts.iter().collect::<HashSet<_>>().len(), library }
    }

    /// The facts as a JSON object with the keys `count`, `hosts` and `library`.
    pub fn record(&self) -> Value {
        json!({ "count": self.count, "hosts": self.hosts, "library": self.library })
    }
}

/// Sets the ranks on which this program plays every world. Call this function before any world is made. A second call
/// has no effect.
pub fn set_ranks(ranks: Arc<dyn Ranks>) {
    RANKS.set(ranks).ok();
}

/// Sets the facts about the ranks of this program. A second call has no effect.
pub fn set_facts(facts: RankFacts) {
    FACTS.set(facts).ok();
}

/// The facts that [`set_facts`] has set; `None`: none were set, because the program is a single process.
pub fn facts() -> Option<&'static RankFacts> {
    FACTS.get()
}

/// The ranks that [`set_ranks`] has set, else a single rank.
pub fn present() -> Arc<dyn Ranks> {
    RANKS.get().cloned().unwrap_or_else(|| Arc::new(SingleRank))
}

/// Checks that every rank has read the same bytes of a file. Every rank makes this call with its own `bytes`.
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
