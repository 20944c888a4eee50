//! Which of several processes this one is, if several play its worlds together.

use murmuration_core::ranks::{Ranks, SingleRank};
use std::sync::{Arc, OnceLock};

/// The ranks of this program, if it has several.
static RANKS: OnceLock<Arc<dyn Ranks>> = OnceLock::new();

/// Has every world of this program played on ranks. It is to be called before any world is made.
pub fn set_ranks(ranks: Arc<dyn Ranks>) {
    RANKS.set(ranks).ok();
}

/// The ranks of this program.
pub fn present() -> Arc<dyn Ranks> {
    RANKS.get().cloned().unwrap_or_else(|| Arc::new(SingleRank))
}

/// Whether this process writes the files of its worlds: no other rank plays them, or it is the first one.
pub fn is_first_rank() -> bool {
    RANKS.get().is_none_or(|ranks| ranks.is_first())
}
