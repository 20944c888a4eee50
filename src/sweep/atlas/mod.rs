//! Atlases: many combinations of values of one preset, each with measures, a regime and a short film, on one page.
//!
//! An [`Atlas`] is a [`Sweep`] whose combinations are drawn from ranges ([`Sampling`]) instead of multiplied. Every
//! combination is played from every start and with every seed. A search draws its combinations near the best ones that
//! it has found ([`Search`]).

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

/// The part of the world's area that holds the swarm, which an atlas measures beside its other measures
/// (`docs/formats.md`, Atlases).
pub const COVERAGE: &str = "coverage";
/// The measure that needs long runs.
pub const LIVELINESS: &str = "liveliness";
/// The steps that it needs.
pub const LIVELY_STEPS: u64 = 1000;

/// An atlas that was checked.
#[derive(Debug)]
pub struct Atlas {
    /// Its runs.
    pub plan: AtlasPlan,
    /// The preset with the ends of all ranges, each of which can be played.
    pub sweep: Sweep,
}
