//! The statistics of a run: a row for each step that was observed.

#[cfg(feature = "data")]
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;
use murmuration_core::state::{Individuals, Swarm};
use murmuration_core::statistics::Statistics;
#[cfg(feature = "data")]
use murmuration_core::statistics::fluctuations::MeanFluctuations;
#[cfg(feature = "data")]
use murmuration_core::statistics::pairs::MeanCorrelation;
#[cfg(feature = "data")]
use murmuration_core::statistics::{CORRELATION_LENGTH, FLUCTUATION_EXPONENT, SCALARS};
use serde_json::{Map, Value, json};

/// The statistics of a swarm. Turning angles are measured from the individuals in `before` to the individuals of this
/// swarm, which then replace them.
fn sample(before: &mut Option<Individuals>, simulation: &Simulation, swarm: &Swarm) -> Statistics {
    let (step, preset) = (simulation.step(), simulation.preset());
    let statistics = Statistics::new(step, swarm, &preset.space(), preset.seed, before.as_ref());
    *before = swarm.individuals().cloned().or(before.take());
    statistics
}

/// The statistics with a single number, for the sampled steps of a run.
#[cfg(feature = "data")]
#[derive(Default)]
pub struct StatisticsSamples {
    before: Option<Individuals>,
    samples: [Vec<f64>; SCALARS.len()],
    correlation: MeanCorrelation,
    fluctuations: MeanFluctuations,
}

#[cfg(feature = "data")]
impl StatisticsSamples {
    /// Whether a name is the name of a statistic with a single number.
    pub fn has(measure: &str) -> bool {
        SCALARS.contains(&measure)
    }

    /// Adds a sample: the statistics of the present step of a simulation.
    ///
    /// # Errors
    /// If the swarm cannot be read.
    pub fn add(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        let swarm = simulation.swarm()?;
        let statistics = sample(&mut self.before, simulation, &swarm);
        self.correlation.add(&statistics.pairs);
        self.fluctuations.add(&statistics.number_fluctuations);
        for (samples, value) in self.samples.iter_mut().zip(statistics.scalars()) {
            samples.extend(value);
        }
        Ok(())
    }

    /// The values of a statistic, one for each sampled step that has a value. Two statistics are one value for all
    /// steps: the correlation length, at which the mean correlation C(r) becomes 0, and the exponent of the mean
    /// fluctuations.
    pub fn values(&self, measure: &str) -> Vec<f64> {
        match measure {
            CORRELATION_LENGTH => self.correlation.length().into_iter().collect(),
            FLUCTUATION_EXPONENT => self.fluctuations.exponent().into_iter().collect(),
            _ => {
                let position = SCALARS.iter().position(|name| *name == measure);
                position.map_or(Vec::new(), |position| self.samples[position].clone())
            }
        }
    }
}

/// The statistics of the sampled steps of a run, in the order of the steps.
#[derive(Debug, Default)]
pub struct StatisticsRecord {
    rows: Vec<Statistics>,
    before: Option<Individuals>,
}

impl StatisticsRecord {
    /// Adds the statistics of a swarm that was read from the present step of a simulation.
    pub fn add(&mut self, simulation: &Simulation, swarm: &Swarm) {
        self.rows.push(sample(&mut self.before, simulation, swarm));
    }

    /// The keys of the JSON file: the rows, and the units of their numbers (`docs/formats.md`, Statistics).
    pub fn describe(&self) -> Map<String, Value> {
        let units = json!({
            "width": "cell", "correlation": "1", "correlation_length": "cell", "greatest_distance": "cell",
            "distribution": "1", "sides": "cell", "means": "boid", "deviations": "boid", "gamma": "1",
            "distances": "cell", "mean": "radian", "root_mean_square": "radian", "histogram": "individual",
        });
        Map::from_iter([("units".to_owned(), units), ("rows".to_owned(), json!(self.rows))])
    }
}
