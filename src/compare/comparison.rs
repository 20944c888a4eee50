//! An observer that measures both models of a pair during its run.

use super::grain::{CoarseDensity, Resolution};
use super::measures::{ModelSample, Row, columns, measure, record};
use super::pair::{ModelPair, Pair};
use super::spectrum::Spectrum;
use crate::files::write_table;
use crate::observe::{LivelinessSampler, StatisticsRecord};
use crate::run::{Moment, Observer, RunTime, Stepper};
use murmuration_core::error::Failure;
use murmuration_core::simulation::{Account, Simulation};
use murmuration_core::state::{State, Swarm};
use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

/// The states of both models at a step.
pub struct Snapshot {
    pub states: ModelPair<State>,
    /// The mean densities around every cell, by model.
    pub coarse: ModelPair<CoarseDensity>,
}

/// The results of the last step.
pub struct FinalResults {
    pub accounts: ModelPair<Account>,
    pub hashes: ModelPair<String>,
    pub spectra: ModelPair<Spectrum>,
    pub statistics: ModelPair<StatisticsRecord>,
}

impl FinalResults {
    /// The results of the present step.
    ///
    /// # Errors
    /// If a device fails.
    pub fn new(pair: &mut Pair) -> Result<Self, Failure> {
        let (accounts, spectra) = (pair.accounts()?, pair.spectra()?);
        let Pair { cells, individuals, .. } = pair;
        let hashes = ModelPair { cells: cells.state_hash()?, individuals: individuals.state_hash()? };
        let mut statistics = ModelPair { cells: StatisticsRecord::default(), individuals: StatisticsRecord::default() };
        for (record, simulation) in [(&mut statistics.cells, cells), (&mut statistics.individuals, individuals)] {
            let swarm = simulation.swarm()?;
            record.add(simulation, &swarm);
        }
        Ok(Self { accounts, hashes, spectra, statistics })
    }
}

/// Measures both models of a pair at regular steps and at the last step.
pub struct Comparison {
    pub resolution: Resolution,
    pub rows: Vec<Row>,
    every: u64,
    liveliness: ModelPair<LivelinessSampler>,
    /// At the last row: the total time of the steps of each model, and the step.
    before: (ModelPair<Duration>, u64),
}

impl Comparison {
    /// A comparison without rows. `every`: the number of steps between two rows.
    pub fn new(pair: &Pair, resolution: Resolution, every: u64) -> Self {
        let sampler = |simulation: &Simulation| LivelinessSampler::from_preset(simulation.preset());
        let liveliness = ModelPair { cells: sampler(&pair.cells), individuals: sampler(&pair.individuals) };
        Self { resolution, rows: Vec::new(), every: every.max(1), liveliness, before: (pair.step_time, pair.step()) }
    }

    /// Samples the liveliness of both models if a sample is due. Returns whether a row is due at this step too.
    ///
    /// # Errors
    /// If a device fails.
    pub fn sample(&mut self, moment: &mut Moment<'_, Pair>) -> Result<bool, Failure> {
        self.liveliness.cells.sample(&mut moment.model.cells)?;
        self.liveliness.individuals.sample(&mut moment.model.individuals)?;
        Ok(moment.is_last || moment.time.until(self.every) == 0)
    }

    /// Measures the present step and adds a row. Returns the states.
    ///
    /// # Errors
    /// If a device fails.
    pub fn measure(&mut self, pair: &mut Pair) -> Result<Snapshot, Failure> {
        let (step, now, (before, first)) = (pair.step(), pair.step_time, self.before);
        let Pair { cells, individuals, .. } = pair;
        let swarms = ModelPair { cells: cells.swarm()?, individuals: individuals.swarm()? };
        let ledgers = ModelPair { cells: cells.account()?.ledger, individuals: individuals.account()?.ledger };
        let states =
            ModelPair { cells: cells.deposit(&swarms.cells), individuals: individuals.deposit(&swarms.individuals) };
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0 / (step - first) as f64;
        let space = individuals.preset().space();
        let sample = |state, swarm: &Swarm, ledger, time, sampler: &LivelinessSampler| ModelSample {
            state,
            liveliness: sampler.value(),
            measures: swarm.measures(&space),
            quanta: swarm.total(),
            ledger,
            milliseconds: (step > first).then(|| milliseconds(time)),
        };
        let (in_cells, in_individuals) = (now.cells - before.cells, now.individuals - before.individuals);
        let samples = ModelPair {
            cells: sample(&*states.cells, &swarms.cells, ledgers.cells, in_cells, &self.liveliness.cells),
            individuals: sample(
                &*states.individuals,
                &swarms.individuals,
                ledgers.individuals,
                in_individuals,
                &self.liveliness.individuals,
            ),
        };
        self.before = (now, step);
        let (row, coarse) = measure(step, cells.preset(), self.resolution, &samples);
        self.rows.push(row);
        Ok(Snapshot { states: states.map(Cow::into_owned), coarse })
    }

    /// Writes all rows as CSV with a header, atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        write_table(path, std::iter::once(columns()).chain(self.rows.iter().map(record)))
    }
}

impl Observer<Pair> for Comparison {
    fn until_due(&self, time: RunTime) -> u64 {
        let samplers = [&self.liveliness.cells, &self.liveliness.individuals];
        samplers.iter().map(|sampler| sampler.until_due(time)).fold(time.until(self.every), u64::min)
    }

    fn takes_last(&self, _: bool) -> bool {
        true
    }

    fn observe(&mut self, moment: &mut Moment<'_, Pair>) -> Result<(), Failure> {
        if self.sample(moment)? {
            self.measure(moment.model)?;
        }
        Ok(())
    }
}
