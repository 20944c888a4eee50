//! Snapshots of a simulation, which the window shows.

use super::compare_pane::IndividualsSnapshot;
use super::features::{LifeOrigin, SceneFeatures};
use crate::compare::measures::Row;
use crate::observe::Observation;
use crate::provenance::Provenance;
use murmuration_core::chain::DEFAULT;
use murmuration_core::look::Look;
use murmuration_core::preset::keys::Value;
use murmuration_core::preset::{Overrides, PresetSource};
use murmuration_core::simulation::probe::{IndividualProbe, Probe};
use murmuration_core::simulation::{Account, EngineChoice, Pointer, RunIn, Simulation};
use murmuration_core::state::WorldColumns;
use murmuration_core::world::World;
use murmuration_gpu::look::{IndividualsSource, SwarmSource};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A simulation at one step, with its latest measurements.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The lattice of cells. If the swarm is of individuals: the lattice to which each individual adds one boid.
    pub source: SwarmSource,
    /// The individuals; `None`: the swarm is of cells.
    pub individuals: Option<IndividualsSource>,
    /// The swarm of individuals that is compared with the cells; `None`: no comparison is played, or the first account
    /// of the individuals has not arrived.
    pub compared: Option<Arc<IndividualsSnapshot>>,
    /// The measures of the last comparison of cells and individuals; `None`: no comparison is played, or the first
    /// comparison is not made yet.
    pub comparison: Option<Arc<Row>>,
    pub step: u64,
    /// The progress of the run-in, which is played before step 0; `None`: step 0 is reached.
    pub run_in: Option<RunIn>,
    /// The last known account. It can be some steps older than the snapshot ([`Account::step`]), because a GPU device
    /// answers later.
    pub account: Account,
    pub info: Arc<SceneInfo>,
    /// The number of inputs since the start of the run.
    pub inputs: u64,
    pub is_paused: bool,
    /// The progress of the replay; `None`: no replay plays.
    pub replay: Option<ReplayProgress>,
    /// The mean place of the individuals of an endless world, in cells from the corner of the window that travels with
    /// them; `None`: the world has edges.
    pub school: Option<[f32; 3]>,
    /// The distance of the mean place of the individuals from the middle of the first window, in cells; `None`: the
    /// world has edges.
    pub travelled: Option<f64>,
    /// The values of features of the world, such as food, at this step or a few steps ago.
    pub columns: Arc<WorldColumns>,
    /// The values of the probed cell, at the step of the metrics or of the last request; `None`: no cell is probed, or
    /// its values have not arrived.
    pub probe: Option<Arc<Probe>>,
    /// The probed individual, at this step or a few steps ago; `None`: no individual is probed, or none was found yet.
    pub probed_individual: Option<Arc<IndividualProbe>>,
    /// The step at which the life of the probed individual began, and its parent; `None`: they are not known, or no
    /// individual with a life is probed.
    pub origin_of_life: Option<LifeOrigin>,
    /// The last metrics. They can be older than the snapshot ([`Observation::step`]), because metrics are taken less
    /// often.
    pub metrics: Arc<Observation>,
    /// For each pass of a step: the name of its kernel, and its duration in seconds per step, smoothed over time.
    pub passes: Arc<Vec<(String, f64)>>,
    /// The number of steps played per second of wall-clock time.
    pub steps_a_second: f64,
    /// The number of readbacks of the whole swarm from the device of its engine.
    pub state_readbacks: u64,
    /// The number of commands that the controller has handled.
    pub commands: u64,
    /// The number of scenes that were begun after the first scene.
    pub scene: u64,
    /// The number of times that the rules of changed files were applied to the present swarm.
    pub reloads: u64,
}

/// The progress of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayProgress {
    /// The number of steps that were played.
    pub steps: u64,
    /// The number of all steps of the replay.
    pub of: u64,
    /// The hunter of the replay, and the radius of its jaws in cells; `None`: there is no hunter at this step.
    pub pointer: Option<(Pointer, u32)>,
}

/// The preset and the engine of a simulation.
#[derive(Debug, Clone)]
pub struct SceneInfo {
    pub preset: String,
    pub description: String,
    pub seed: u64,
    pub world: Arc<World>,
    /// Whether the swarm is of cells, which can be compared with individuals.
    pub has_cells: bool,
    pub features: SceneFeatures,
    /// The number of cells along z; 1 in a flat world.
    pub depth: u32,
    pub look: Look,
    /// `cpu` or `gpu`.
    pub engine: &'static str,
    /// The engine that plays the swarm; never `Auto`.
    pub choice: EngineChoice,
    /// A description of the hardware of the engine.
    pub hardware: String,
    /// The name of the built-in preset, or the absolute path of the file of the preset.
    pub named: String,
    /// Whether the chain is the chain that the preset names.
    pub has_own_chain: bool,
    /// The record of the origin of the swarm, for pictures and films.
    pub provenance: Arc<Provenance>,
    /// The changes of the preset by options before the start, and by the user since the start.
    pub overrides: Overrides,
    /// The present values of the keys of the preset, by the names of the keys.
    pub values: BTreeMap<String, Value>,
}

impl SceneInfo {
    /// Whether the world is drawn in perspective, with a camera around it. `is_above`: the user asks for a view from
    /// above.
    pub fn is_around(&self, is_above: bool) -> bool {
        self.depth > 1 && !is_above && !self.look.shows_values()
    }

    /// Whether the picture shows values on a plane across x or y of a deep world.
    pub fn is_sideways(&self) -> bool {
        self.look.shows_values() && self.world.extents.depth.is_some() && self.look.axis != 2
    }

    /// Describes a simulation. `before`: the world of an earlier description. If the world is equal to `before`, the
    /// pointer is shared and the world is not copied.
    pub fn new(simulation: &Simulation, before: Option<&Arc<World>>) -> Self {
        let preset = simulation.preset();
        let world = match before {
            Some(before) if **before == preset.world => before.clone(),
            _ => Arc::new(preset.world.clone()),
        };
        // If the world has no hunters, the preset has no key for the weight of the rule `hunter`.
        let mut weights = simulation.plan().map_or(Vec::new(), |plan| plan.weights_of_rules());
        weights.retain(|(rule, _)| rule != "hunter" || !preset.world.hunters.is_empty());
        let PresetSource { origin, text, .. } = preset.source();
        let is_built_in = preset.host().library().preset(&preset.name) == Some(text);
        let path = || preset.host().absolute_path(origin).display().to_string();
        Self {
            named: if is_built_in { preset.name.clone() } else { path() },
            has_own_chain: *simulation.chain().named == *preset.chain.as_deref().unwrap_or(DEFAULT.as_ref()),
            preset: preset.name.clone(),
            description: preset.description.clone(),
            seed: preset.seed,
            world,
            has_cells: preset.individuals.is_none(),
            features: SceneFeatures::new(simulation),
            depth: preset.individuals.as_ref().map_or(preset.world.extents.slices(), |model| model.depth),
            look: preset.look.clone(),
            engine: simulation.engine_name(),
            choice: simulation.choice(),
            hardware: simulation.describe_engine(),
            provenance: Arc::new(Provenance::new(simulation)),
            overrides: preset.source().overrides.clone(),
            values: preset.values(&weights),
        }
    }
}
