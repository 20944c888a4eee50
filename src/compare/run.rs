//! A comparison under way: a pair that is played and measured.

use super::grain::{CoarseDensity, Lens};
use super::measures::{MeasurementSetup, ModelSample, Row, columns, record};
use super::pair::{Both, Pair};
use super::spectrum::Spectrum;
use crate::error::Failure;
use crate::files::write_whole;
use crate::simulation::Simulation;
use crate::state::State;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The states of both models at a step.
pub struct Snapshot {
    pub states: Both<State>,
    /// Their mean densities around every cell.
    pub coarse: Both<CoarseDensity>,
}

/// A comparison under way.
pub struct Run {
    pub pair: Pair,
    pub lens: Lens,
    pub rows: Vec<Row>,
    /// The total time spent in steps.
    pub step_time: Both<Duration>,
    /// That time and the step at the last row.
    before: (Both<Duration>, u64),
}

impl Run {
    /// A comparison before its first step.
    pub fn new(pair: Pair, lens: Lens) -> Self {
        let none = Both { cells: Duration::ZERO, individuals: Duration::ZERO };
        let before = (none, pair.step());
        Self { pair, lens, rows: Vec::new(), step_time: none, before }
    }

    /// Plays and times this many steps of both models.
    ///
    /// # Errors
    /// If a device fails.
    pub fn advance(&mut self, steps: u64) -> Result<(), Failure> {
        self.step_time.cells += timed(&mut self.pair.cells, steps)?;
        self.step_time.individuals += timed(&mut self.pair.individuals, steps)?;
        Ok(())
    }

    /// Measures the present step and adds a row. Returns the states.
    ///
    /// # Errors
    /// If a device fails.
    pub fn observe(&mut self) -> Result<Snapshot, Failure> {
        let step = self.pair.step();
        let (before, first) = self.before;
        let pace = |now: Duration, before: Duration| {
            (step > first).then(|| (now - before).as_secs_f64() * 1000.0 / (step - first) as f64)
        };
        let Pair { cells, individuals } = &mut self.pair;
        let swarms = Both { cells: cells.swarm()?, individuals: individuals.swarm()? };
        let states = Both {
            cells: cells.seen(&swarms.cells).into_owned(),
            individuals: individuals.seen(&swarms.individuals).into_owned(),
        };
        let read = Both {
            cells: ModelSample {
                state: &states.cells,
                quanta: swarms.cells.total(),
                ledger: cells.ledger()?,
                milliseconds: pace(self.step_time.cells, before.cells),
            },
            individuals: ModelSample {
                state: &states.individuals,
                quanta: swarms.individuals.total(),
                ledger: individuals.ledger()?,
                milliseconds: pace(self.step_time.individuals, before.individuals),
            },
        };
        self.before = (self.step_time, step);
        let scale = MeasurementSetup { preset: cells.preset(), lens: self.lens };
        let coarse = scale.coarse(states.as_ref());
        self.rows.push(scale.measure(step, read, &coarse));
        Ok(Snapshot { states, coarse })
    }

    /// The spectra of the present step.
    ///
    /// # Errors
    /// If a device fails.
    pub fn spectra(&mut self) -> Result<Both<Spectrum>, Failure> {
        let states = Both { cells: self.pair.cells.state()?, individuals: self.pair.individuals.state()? };
        Ok(states.as_ref().map(Spectrum::of))
    }

    /// Milliseconds per step over the whole run.
    pub fn pace(&self) -> Both<f64> {
        let steps = self.pair.step().max(1) as f64;
        self.step_time.map(|time| time.as_secs_f64() * 1000.0 / steps)
    }

    /// Writes all rows as CSV with a header, atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        write_whole(path, |to| {
            let mut table = csv::Writer::from_writer(to);
            table.write_record(columns()).map_err(io::Error::from)?;
            for row in &self.rows {
                table.write_record(record(row)).map_err(io::Error::from)?;
            }
            table.flush()
        })
    }
}

/// Plays and waits for the end of the steps. Returns the time.
fn timed(simulation: &mut Simulation, steps: u64) -> Result<Duration, Failure> {
    let begun = Instant::now();
    simulation.advance(steps)?;
    // The ledger is known only when a GPU has completed the steps.
    simulation.ledger()?;
    Ok(begun.elapsed())
}
