//! A comparison under way: a pair that is played and measured.

use super::grain::{CoarseDensity, Resolution};
use super::measures::{ModelSample, Row, columns, measure, record};
use super::pair::{ModelPair, Pair};
use super::spectrum::Spectrum;
use crate::files::write_table;
use crate::observe::{LivelinessSampler, StatisticsRecord};
use murmuration_core::error::Failure;
use murmuration_core::simulation::{Account, Simulation};
use murmuration_core::state::{State, Swarm};
use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, Instant};

/// The states of both models at a step.
pub struct Snapshot {
    pub states: ModelPair<State>,
    /// Their mean densities around every cell.
    pub coarse: ModelPair<CoarseDensity>,
}

/// The results of the last step.
pub struct FinalResults {
    pub accounts: ModelPair<Account>,
    pub hashes: ModelPair<String>,
    pub spectra: ModelPair<Spectrum>,
    pub statistics: ModelPair<StatisticsRecord>,
}

/// A comparison under way.
pub struct Run {
    pub pair: Pair,
    pub resolution: Resolution,
    pub rows: Vec<Row>,
    /// What the liveliness of each model is made of.
    samplers: ModelPair<LivelinessSampler>,
    /// The total time spent in steps.
    pub step_time: ModelPair<Duration>,
    /// That time and the step at the last row.
    before: (ModelPair<Duration>, u64),
}

impl Run {
    /// A comparison before its first step.
    pub fn new(pair: Pair, resolution: Resolution) -> Self {
        let none = ModelPair { cells: Duration::ZERO, individuals: Duration::ZERO };
        let before = (none, pair.step());
        let sampler = |simulation: &Simulation| LivelinessSampler::from_preset(simulation.preset());
        let samplers = ModelPair { cells: sampler(&pair.cells), individuals: sampler(&pair.individuals) };
        Self { pair, resolution, rows: Vec::new(), samplers, step_time: none, before }
    }

    /// Plays and times this many steps of both models; fewer if the individuals are stopped, whom the cells follow.
    ///
    /// # Errors
    /// If a device fails.
    pub fn advance(&mut self, steps: u64) -> Result<(), Failure> {
        let last = self.pair.step() + steps;
        while self.pair.step() < last {
            self.sample()?;
            let before = self.pair.step();
            let piece = LivelinessSampler::until_due(before).min(last - before);
            self.step_time.individuals += timed(&mut self.pair.individuals, piece)?;
            let played = self.pair.individuals.step() - before;
            self.step_time.cells += timed(&mut self.pair.cells, played)?;
            if played < piece {
                break;
            }
        }
        Ok(())
    }

    /// Samples the present step of both models for their liveliness, if it is due and was not sampled.
    fn sample(&mut self) -> Result<(), Failure> {
        self.samplers.cells.sample(&mut self.pair.cells)?;
        self.samplers.individuals.sample(&mut self.pair.individuals)
    }

    /// Measures the present step and adds a row. Returns the states.
    ///
    /// # Errors
    /// If a device fails.
    pub fn observe(&mut self) -> Result<Snapshot, Failure> {
        self.sample()?;
        let (step, now, (before, first)) = (self.pair.step(), self.step_time, self.before);
        let Pair { cells, individuals } = &mut self.pair;
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
            cells: sample(&*states.cells, &swarms.cells, ledgers.cells, in_cells, &self.samplers.cells),
            individuals: sample(
                &*states.individuals,
                &swarms.individuals,
                ledgers.individuals,
                in_individuals,
                &self.samplers.individuals,
            ),
        };
        self.before = (self.step_time, step);
        let (row, coarse) = measure(step, cells.preset(), self.resolution, &samples);
        self.rows.push(row);
        Ok(Snapshot { states: states.map(Cow::into_owned), coarse })
    }

    /// The results of the present step.
    ///
    /// # Errors
    /// If a device fails.
    pub fn end(&mut self) -> Result<FinalResults, Failure> {
        let Pair { cells, individuals } = &mut self.pair;
        let hashes = ModelPair { cells: cells.state_hash()?, individuals: individuals.state_hash()? };
        let mut statistics = ModelPair { cells: StatisticsRecord::default(), individuals: StatisticsRecord::default() };
        for (record, simulation) in [(&mut statistics.cells, cells), (&mut statistics.individuals, individuals)] {
            let swarm = simulation.swarm()?;
            record.add(simulation, &swarm);
        }
        Ok(FinalResults { accounts: self.pair.accounts()?, hashes, spectra: self.spectra()?, statistics })
    }

    /// The spectra of the present step.
    ///
    /// # Errors
    /// If a device fails.
    pub fn spectra(&mut self) -> Result<ModelPair<Spectrum>, Failure> {
        Ok(ModelPair { cells: self.pair.cells.state()?, individuals: self.pair.individuals.state()? }
            .map_ref(Spectrum::new))
    }

    /// Milliseconds per step over the whole run.
    pub fn pace(&self) -> ModelPair<f64> {
        let steps = self.pair.step().max(1) as f64;
        self.step_time.map(|time| time.as_secs_f64() * 1000.0 / steps)
    }

    /// Writes all rows as CSV with a header, atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        write_table(path, std::iter::once(columns()).chain(self.rows.iter().map(record)))
    }
}

/// Plays and waits for the end of the steps. Returns the time.
fn timed(simulation: &mut Simulation, steps: u64) -> Result<Duration, Failure> {
    let begun = Instant::now();
    simulation.advance(steps)?;
    simulation.wait()?;
    Ok(begun.elapsed())
}
