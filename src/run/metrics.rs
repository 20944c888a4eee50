//! Measures the metrics and the liveliness of a run.

use super::{Moment, Observer, RunTime};
use crate::observe::{LivelinessSampler, Observation, column_units, metrics_table};
use murmuration_core::error::Failure;
use murmuration_core::measures::liveliness::INTERVAL;
use murmuration_core::simulation::Simulation;
use serde_json::Map;
use std::path::PathBuf;

/// An observer of a run that stores the metrics of every few steps as rows, and can write them as a table. If several
/// ranks play the world, only the first rank has rows.
#[derive(Debug, Clone)]
pub struct Metrics {
    every: u64,
    has_last: bool,
    liveliness: LivelinessSampler,
    link: Option<f64>,
    path: Option<PathBuf>,
    rows: Vec<Observation>,
}

impl Metrics {
    /// Measures the first step of a run and every `every`-th step after it.
    pub fn every(every: u64, simulation: &Simulation) -> Self {
        let liveliness = LivelinessSampler::from_preset(simulation.preset());
        Self { every: every.max(1), has_last: false, liveliness, link: None, path: None, rows: Vec::new() }
    }

    /// Sets the maximum distance at which two individuals belong to the same cluster, in cells; `None`: the greatest
    /// radius of sight.
    pub fn link(mut self, link: Option<f64>) -> Self {
        self.link = link;
        self
    }

    /// Adds a row for the last step of the run even if that step is not due.
    pub fn with_last(mut self) -> Self {
        self.has_last = true;
        self
    }

    /// Writes the rows as a CSV table into a file at the end of the run.
    pub fn write_to(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The rows that were measured, in the order of their steps.
    pub fn rows(&self) -> &[Observation] {
        &self.rows
    }

    /// The sampler of the liveliness, with all samples of the run.
    pub fn liveliness(&self) -> &LivelinessSampler {
        &self.liveliness
    }
}

/// Samples only the liveliness, at every step that is a multiple of [`INTERVAL`].
impl Observer for LivelinessSampler {
    fn until_due(&self, time: RunTime) -> u64 {
        time.until_step(INTERVAL)
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        self.sample(moment.model)
    }
}

impl Observer for Metrics {
    fn until_due(&self, time: RunTime) -> u64 {
        time.until(self.every).min(self.liveliness.until_due(time))
    }

    fn takes_last(&self, is_stopped: bool) -> bool {
        self.has_last || is_stopped
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        self.liveliness.sample(moment.model)?;
        // At some steps only the liveliness is sampled. These steps have no row.
        if moment.time.until(self.every) > 0 && !moment.is_last {
            return Ok(());
        }
        // Every rank contributes to the account.
        let account = moment.model.account()?;
        let observed = if moment.model.is_in_slabs() {
            Observation::over_ranks(moment.model, &account)?
        } else {
            let reading = moment.lattice()?;
            let read = reading.as_ref().and_then(|reading| Some((&reading.swarm, reading.state()?)));
            read.map(|(swarm, state)| Observation::from_swarm(moment.model, swarm, state, &account, self.link))
        };
        self.rows.extend(observed.map(|observed| observed.with_liveliness(Some(&self.liveliness))));
        Ok(())
    }

    fn finish(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        let table = metrics_table(&self.rows);
        let columns = Map::from_iter([("columns".to_owned(), column_units(&self.rows))]);
        moment.write_result(path, columns, |to| to.write_all(&table))
    }
}
