//! Sweeps: a preset with every combination of values of some keys, each with several seeds, and the means over steps
//! and seeds.
//!
//! A [`Request`] is what a person asks for, a [`Plan`] the runs that follow from it, and a [`Sweep`] a plan that was
//! checked and can be played. The [`Journal`] keeps finished runs, and [`write_results`] writes them.

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

/// The seeds of the option `--seeds`.
///
/// # Errors
/// If the text is no list of seeds.
pub fn seeds_of_option(text: &str) -> Result<Placed<Vec<u64>>, BadInput> {
    let place = Place::from_option(format!("seeds {text}"));
    let value = values::seeds(text).map_err(|(problem, cure)| place.wrong(problem, cure))?;
    Ok(Placed { value, place })
}

/// The most runs of a sweep.
pub const MAX_RUNS: u64 = 100_000;
/// The parameter that is the size of the lattice, with as many boids as the density of the preset asks for.
pub const SIZE: &str = "size";
