//! The liveliness of a simulation, sampled while it runs.

use murmuration_core::error::Failure;
use murmuration_core::measures::liveliness::{
    Blocks, INTERVAL, Liveliness, LivelinessReading, LivelinessRecord, SwarmSample,
};
use murmuration_core::preset::Preset;
use murmuration_core::simulation::Simulation;
use murmuration_core::state::Swarm;
use murmuration_core::world::{Edges, Space};

/// Collects samples of a simulation's swarm, and computes the liveliness from them (`docs/formats.md, Liveliness`).
#[derive(Debug, Clone)]
pub struct LivelinessSampler {
    record: LivelinessRecord,
    /// The last step that was sampled. Every rank stores the step, so all ranks sample at the same steps.
    last_read: Option<u64>,
}

impl LivelinessSampler {
    /// A sampler for the swarms of a preset, without samples.
    pub fn from_preset(preset: &Preset) -> Self {
        Self { record: LivelinessRecord::new(Self::blocks_of(preset)), last_read: None }
    }

    /// The blocks of cells into which a sample divides the world of a preset.
    pub fn blocks_of(preset: &Preset) -> Blocks {
        match &preset.individuals {
            Some(model) => {
                let space = preset.space();
                // The window of an endless world has an edge on each side.
                let edges = if preset.world.window.is_some() { Edges::Walls } else { space.edges };
                Blocks::of_individuals(Space { edges, ..space }, model.link_radius())
            }
            None => Blocks::of_cells(preset.world.extents, preset.world.edges),
        }
    }

    /// The blocks of cells into which each sample of this sampler divides the world.
    pub fn blocks(&self) -> &Blocks {
        self.record.blocks()
    }

    /// The number of steps from `step` to the next step that is sampled, at least 1.
    pub fn until_next(step: u64) -> u64 {
        INTERVAL - step % INTERVAL
    }

    /// Whether a step is to be sampled, and is not the last step that was sampled.
    pub fn is_due(&self, step: u64) -> bool {
        LivelinessRecord::is_due(step) && self.last_read != Some(step)
    }

    /// Adds a sample of a swarm if `step` is to be sampled. `origin`: the place in cells of the first cell of the
    /// window of an endless world; `None`: the world has edges.
    pub fn add(&mut self, step: u64, swarm: &Swarm, origin: Option<[i64; 3]>) {
        if !LivelinessRecord::is_due(step) {
            return;
        }
        let sample = match swarm {
            Swarm::Cells(state) => SwarmSample::from_state(state, self.record.blocks()),
            Swarm::Individuals(individuals, _) => SwarmSample::from_individuals(individuals, self.record.blocks()),
        };
        self.add_sample(step, &sample, origin);
    }

    /// Adds a sample. `step`: a step that is to be sampled. `origin`: as in [`Self::add`].
    pub fn add_sample(&mut self, step: u64, sample: &SwarmSample, origin: Option<[i64; 3]>) {
        self.last_read = Some(step);
        self.record.add(step, sample, origin.unwrap_or_default());
    }

    /// Adds the present swarm of a simulation, if its step is due and was not sampled. If several ranks hold slabs of
    /// the world, every rank makes this call, and the first rank gets the sample.
    ///
    /// # Errors
    /// If the swarm cannot be read.
    pub fn sample(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        let step = simulation.step();
        if self.is_due(step) {
            let origin = simulation.origin();
            self.last_read = Some(step);
            // A GPU device would sum 32-bit floats. The swarm is read instead, so that the liveliness is the same on
            // every engine.
            if simulation.on_device().is_some() {
                let swarm = simulation.swarm()?;
                self.add(step, &swarm, origin);
            } else {
                let sample = simulation.read(LivelinessReading { blocks: *self.blocks() })?;
                if !simulation.is_in_slabs() || simulation.preset().host().ranks().is_first() {
                    self.add_sample(step, &sample, origin);
                }
            }
        }
        Ok(())
    }

    /// The liveliness of the last 1000 steps; `None` before 1000 steps were sampled.
    pub fn liveliness(&self) -> Option<Liveliness> {
        self.record.liveliness()
    }

    /// The liveliness of the last 1000 steps as a number from 0 to 1; `None` before 1000 steps were sampled.
    pub fn value(&self) -> Option<f64> {
        self.liveliness().map(|parts| parts.value())
    }
}
