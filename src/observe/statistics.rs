//! The statistics of a run: a row for each step that was observed.

#[cfg(feature = "data")]
use murmuration_core::error::Failure;
use murmuration_core::individuals::Individuals;
use murmuration_core::simulation::Simulation;
#[cfg(feature = "data")]
use murmuration_core::statistics::SCALARS;
use murmuration_core::statistics::Statistics;
use murmuration_core::swarm::Swarm;
use serde_json::{Map, Value, json};

/// Samples the statistics of a swarm, each sample with the angles by which individuals have turned since the last one.
#[derive(Debug, Default)]
pub struct StatisticsSampler {
    /// The individuals of the last sample.
    before: Option<Individuals>,
}

impl StatisticsSampler {
    /// The statistics of a swarm that was read of a simulation.
    fn sample(&mut self, simulation: &Simulation, swarm: &Swarm) -> Statistics {
        let (step, preset) = (simulation.step(), simulation.preset());
        let statistics = Statistics::new(step, swarm, &preset.space(), preset.seed, self.before.as_ref());
        if let Swarm::Individuals(individuals) = swarm {
            self.before = Some(individuals.clone());
        }
        statistics
    }
}

#[cfg(feature = "data")]
impl StatisticsSampler {
    /// The names of the statistics that are one number, which sweeps measure.
    pub const SCALARS: [&str; SCALARS.len()] = SCALARS;

    /// Their values at the present step; `None` where there is no value.
    ///
    /// # Errors
    /// If the swarm cannot be read.
    pub fn scalars(&mut self, simulation: &mut Simulation) -> Result<[Option<f64>; SCALARS.len()], Failure> {
        let swarm = simulation.swarm()?;
        Ok(self.sample(simulation, &swarm).scalars())
    }
}

/// The statistics of the steps of a run, in their order.
#[derive(Debug, Default)]
pub struct StatisticsRecord {
    rows: Vec<Statistics>,
    sampler: StatisticsSampler,
}

impl StatisticsRecord {
    /// Adds the statistics of a swarm that was read of a simulation.
    pub fn add(&mut self, simulation: &Simulation, swarm: &Swarm) {
        self.rows.push(self.sampler.sample(simulation, swarm));
    }

    /// The rows, and the units of their numbers (`docs/formats.md`, Statistics).
    pub fn describe(&self) -> Map<String, Value> {
        let units = json!({
            "width": "cell", "correlation": "1", "correlation_length": "cell", "distribution": "1", "sides": "cell", "means": "boid",
            "deviations": "boid", "gamma": "1", "distances": "cell", "mean": "radian", "root_mean_square": "radian", "histogram": "individual",
        });
        Map::from_iter([("units".to_owned(), units), ("rows".to_owned(), json!(self.rows))])
    }
}
