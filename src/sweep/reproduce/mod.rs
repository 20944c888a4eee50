//! Experiments: published results about collective motion, compared with the results of sweeps.
//!
//! An [`Experiment`] is a sweep and the results that follow from its runs ([`Estimate`]). Each [`PublishedResult`] has
//! a band, and is reproduced if its value lies within. A band reaches at most twice the published error to either side,
//! or 7.5 % of the published value (see `docs/experiments.md`).

mod charts;
mod estimate;
mod experiment;
#[cfg(feature = "look")]
mod folder;
mod page;

pub use estimate::{Estimate, EstimateKind};
pub use experiment::{Experiment, PublishedResult};
#[cfg(feature = "look")]
pub use folder::{experiments, make, summary};
pub use page::{counts, found_text, page};

use super::{Plan, Records};
use serde_json::{Value, json};

/// The name and the text of each built-in experiment.
macro_rules! experiments {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../experiments/", $name, ".toml")))),*]
    };
}

/// The built-in experiments, in the order in which they are made.
pub const EXPERIMENTS: &[(&str, &str)] = experiments!(
    "random-headings"
    "random-places"
    "random-places-in-space"
    "turning"
    "mean-field"
    "mean-field-vectorial"
    "kinetic-theory"
    "kinetic-theory-of-nearest"
    "order-over-noise"
    "critical-noise"
    "critical-noise-at-density-4"
    "vectorial-noise"
    "number-fluctuations"
    "fluctuations-of-polar-flocks"
    "fluctuations-in-space"
    "correlation-length"
    "neighbours"
    "zones"
    "memory-of-the-zones"
    "locusts"
    "flat-flocks"
    "rules-of-the-aquarium"
    "moods"
    "loss-of-boids"
);

/// A value that was found from runs, with its standard error over the seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// The value; `None`: no value follows from the runs.
    pub value: Option<f64>,
    /// The standard error of the value; `None`: fewer than two seeds have values.
    pub error: Option<f64>,
    /// The number of seeds in whose runs the measure has values.
    pub seeds: usize,
}

/// The outcome of an experiment whose runs were played.
#[derive(Debug)]
pub struct Outcome {
    /// The experiment.
    pub experiment: Experiment,
    /// The plan of the runs.
    pub plan: Plan,
    /// The records of the runs.
    pub records: Records,
    /// The value that was found for each result, in the order of the results.
    pub found: Vec<Measurement>,
    /// A picture of the swarm as PNG; empty: no picture.
    pub picture: Vec<u8>,
}

impl Outcome {
    /// The outcome of an experiment without a picture. `plan` and `records`: the runs and their records.
    pub fn new(experiment: Experiment, plan: Plan, records: Records) -> Self {
        let found = experiment.results.iter().map(|result| result.estimate.measure(&plan, &records)).collect();
        Self { experiment, plan, records, found, picture: Vec::new() }
    }

    /// Each result, the value that was found for it, and whether this value lies within the band.
    pub fn results(&self) -> impl Iterator<Item = (&PublishedResult, Measurement, bool)> {
        self.experiment
            .results
            .iter()
            .zip(&self.found)
            .map(|(result, found)| (result, *found, result.is_inside(*found)))
    }

    /// The outcome as JSON.
    pub fn to_json(&self) -> Value {
        let result = |(result, found, is_inside): (&PublishedResult, Measurement, bool)| {
            json!({
                "title": result.title,
                "source": result.source,
                "published": result.published,
                "published_error": result.error,
                "band": result.band,
                "value": found.value,
                "error": found.error,
                "seeds": found.seeds,
                "is_inside": is_inside,
            })
        };
        json!({
            "experiment": self.experiment.name,
            "title": self.experiment.title,
            "source": self.experiment.source,
            "is_instrument": self.experiment.is_instrument,
            "runs": self.plan.record(),
            "results": self.results().map(result).collect::<Vec<_>>(),
        })
    }
}
