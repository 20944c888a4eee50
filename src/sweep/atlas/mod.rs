//! Atlases: many combinations of values of one preset, each with measures, a regime and a short film, on one page.
//!
//! A [`Sweep`] plays every combination of listed values. The combinations of an [`Atlas`] are drawn from ranges
//! ([`Sampling`]). Each combination is played with every seed. A search draws new combinations near the best
//! combinations that it has found ([`Search`]).

mod clip;
mod page;
mod plan;
mod play;
mod regime;
mod request;
mod results;
mod sampling;
mod search;
mod sheets;
mod tiles;

pub use page::page;
pub use plan::{AtlasPlan, Tile, Tiles};
pub use regime::Regime;
pub use results::{check_base, write_results};
pub use sampling::{Range, Sampling, Search, SearchAxis};
pub use search::Elite;
pub use tiles::write_tiles;

use super::Sweep;

/// The name of a measure that only atlases have: the part of the world's area that the swarm holds (`docs/formats.md`,
/// Atlases).
pub const COVERAGE: &str = "coverage";
/// The name of the measure that needs runs of at least [`LIVELY_STEPS`] steps.
pub const LIVELINESS: &str = "liveliness";
/// The minimum number of steps of a run that has a liveliness.
pub const LIVELY_STEPS: u64 = 1000;

/// An atlas whose preset and ranges were checked, so that it can be played.
#[derive(Debug)]
pub struct Atlas {
    /// The plan of all runs.
    pub plan: AtlasPlan,
    /// A sweep over the words and the ends of all ranges. All its combinations can be played. The atlas loads its
    /// presets from this sweep.
    pub sweep: Sweep,
}
