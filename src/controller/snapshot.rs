//! Snapshots of a simulation, for the window.

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

/// The simulation at one step.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The lattice. Of individuals it is their density.
    pub source: SwarmSource,
    /// The individuals, if the scene is one of individuals.
    pub individuals: Option<IndividualsSource>,
    /// The individuals that are compared with the cells.
    pub compared: Option<Arc<IndividualsSnapshot>>,
    /// The last comparison of cells and individuals.
    pub comparison: Option<Arc<Row>>,
    pub step: u64,
    /// The progress of the run-in before step 0; `None`: step 0 is reached.
    pub run_in: Option<RunIn>,
    /// The last account. Its step is [`Account::step`], because a device may tell it some steps later.
    pub account: Account,
    pub info: Arc<SceneInfo>,
    /// Inputs so far.
    pub inputs: u64,
    pub is_paused: bool,
    /// The progress of the replay, while one plays.
    pub replay: Option<ReplayProgress>,
    /// The place of the school in an endless world, in cells of its window; `None`: the world has edges.
    pub school: Option<[f32; 3]>,
    /// The distance of the school from its first place, in cells.
    pub travelled: Option<f64>,
    /// The columns of the world, at this step or a few steps ago.
    pub columns: Arc<WorldColumns>,
    /// The probed cell, as of the metrics or of the last request.
    pub probe: Option<Arc<Probe>>,
    /// The probed individual, at this step or a few steps ago.
    pub probed_individual: Option<Arc<IndividualProbe>>,
    /// The beginning of the probed individual's life, and its parent; `None`: unknown, or no individual with a life is
    /// probed.
    pub origin_of_life: Option<LifeOrigin>,
    /// The last metrics. Their step is [`Observation::step`], because they are taken less often than snapshots.
    pub metrics: Arc<Observation>,
    /// Kernel and seconds per step of each pass, smoothed.
    pub passes: Arc<Vec<(String, f64)>>,
    /// Steps per second of wall-clock time.
    pub steps_a_second: f64,
    /// The number of readbacks of the whole swarm from the device of its engine.
    pub state_readbacks: u64,
    /// The number of commands that were handled.
    pub commands: u64,
    /// The number of scenes begun since the first one.
    pub scene: u64,
    /// The number of times that changed files were applied to the present swarm.
    pub reloads: u64,
}

/// The progress of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayProgress {
    /// Steps played.
    pub steps: u64,
    /// Steps in total.
    pub of: u64,
    /// The hunter of the replay, and the reach of its jaws in cells.
    pub pointer: Option<(Pointer, u32)>,
}

/// The preset and the engine of a simulation.
#[derive(Debug, Clone)]
pub struct SceneInfo {
    pub preset: String,
    pub description: String,
    pub seed: u64,
    pub world: Arc<World>,
    /// Whether the model is that of cells, which can be compared with individuals.
    pub has_cells: bool,
    pub features: SceneFeatures,
    /// Cells along z; 1 for cells and for flat worlds.
    pub depth: u32,
    pub look: Look,
    /// `cpu` or `gpu`.
    pub engine: &'static str,
    /// The engine in use; never `Auto`.
    pub choice: EngineChoice,
    /// The hardware that the engine runs on, in words.
    pub hardware: String,
    /// The name of a built-in preset, or the absolute path of its file.
    pub named: String,
    /// Whether the chain is the one that the preset names.
    pub has_own_chain: bool,
    /// The provenance, for pictures and films.
    pub provenance: Arc<Provenance>,
    /// Changes of the preset, before the start and since.
    pub overrides: Overrides,
    /// The settings of the preset by their keys.
    pub values: BTreeMap<String, Value>,
}

impl SceneInfo {
    /// Whether the world is drawn in perspective, with a camera around it. `is_above`: the person asks for a view from
    /// above.
    pub fn is_around(&self, is_above: bool) -> bool {
        self.depth > 1 && !is_above && !self.look.shows_values()
    }

    /// Whether the view is a plane across x or y of a deep world.
    pub fn is_sideways(&self) -> bool {
        self.look.shows_values() && self.world.extents.depth.is_some() && self.look.axis != 2
    }

    /// Describes a simulation. A world equal to that of `before` is shared, not copied.
    pub fn new(simulation: &Simulation, before: Option<&Arc<World>>) -> Self {
        let preset = simulation.preset();
        let world = match before {
            Some(before) if **before == preset.world => before.clone(),
            _ => Arc::new(preset.world.clone()),
        };
        // A preset without hunters has no weight for them.
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
