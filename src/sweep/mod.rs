//! Sweeps: runs of a preset with every combination of values of some keys. Each combination is played with several
//! seeds, and measures are averaged over steps and seeds.
//!
//! A [`Request`] has the values that the user gives. A [`Plan`] lists the runs that follow from a request. A [`Sweep`]
//! is a plan that was checked and can be played. The [`Journal`] stores the results of finished runs, and
//! [`write_results`] writes tables and a page.

pub mod atlas;
mod journal;
mod moments;
mod page;
mod plan;
mod play;
mod prepared;
pub mod reproduce;
mod request;
mod results;
mod table;
mod values;

pub use journal::{Contents, Journal, Kept};
pub use moments::{Moments, Record, Summary, with_error};
pub use page::page;
use page::{axis, axis_of_measure, figures_of_means};
pub use plan::{ParameterValues, Plan, Records, Results, RunPlan, Shard};
pub use play::{Combination, Jobs, Progress, Study, Watch, measure, play_runs};
pub use prepared::{Sweep, USUAL_INTERVAL, USUAL_STEPS, names_of_measures};
pub use request::{Parameter, Place, Placed, Request};
pub use results::write_results;
pub use values::shown as shown_value;

use murmuration_core::error::BadInput;

/// Parses the text of the command-line option `--seeds`, such as `1..20`.
///
/// # Errors
/// If the text is not a list of seeds.
pub fn seeds_of_option(text: &str) -> Result<Placed<Vec<u64>>, BadInput> {
    let place = Place::from_option(format!("seeds {text}"));
    let value = values::seeds(text).map_err(|(problem, cure)| place.wrong(problem, cure))?;
    Ok(Placed { value, place })
}

/// The maximum number of runs of a sweep.
pub const MAX_RUNS: u64 = 100_000;
/// The key of the parameter that is the size of the lattice. Each size has the number of boids that gives the density
/// of the preset.
pub const SIZE: &str = "size";
