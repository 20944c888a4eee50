//! What the window shows of a simulation besides its state.

use crate::chain::DEFAULT;
use crate::preset::keys::Value;
use crate::preset::{Look, Overrides, PresetSource};
use crate::simulation::{EngineChoice, Simulation};
use crate::world::World;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The preset and the engine of a simulation.
#[derive(Debug, Clone)]
pub struct Facts {
    pub preset: String,
    pub description: String,
    pub seed: u64,
    pub world: Arc<World>,
    /// Whether the model is that of cells, which can be compared with individuals.
    pub has_cells: bool,
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
    /// Changes of the preset, before its beginning and since.
    pub overrides: Overrides,
    /// The settings of the preset by their keys.
    pub values: BTreeMap<String, Value>,
}

impl Facts {
    /// Reads the facts of a simulation. A world equal to `before` is shared, not copied.
    pub fn of(simulation: &Simulation, before: Option<&Arc<World>>) -> Self {
        let preset = simulation.preset();
        let world = match before {
            Some(before) if **before == preset.world => before.clone(),
            _ => Arc::new(preset.world.clone()),
        };
        // Without a hunter of its own the preset has no weight for it.
        let mut weights = simulation.plan().map_or(Vec::new(), |plan| plan.weights.clone());
        weights.retain(|(rule, _)| rule != "hunter" || preset.world.hunter.is_some());
        let PresetSource { origin, text, .. } = preset.source();
        let is_built_in = preset.host().library().preset(&preset.name) == Some(text);
        let path = || preset.host().absolute_path(Path::new(origin)).display().to_string();
        Self {
            named: if is_built_in { preset.name.clone() } else { path() },
            has_own_chain: simulation.chain().named == preset.chain.as_deref().unwrap_or(DEFAULT),
            preset: preset.name.clone(),
            description: preset.description.clone(),
            seed: preset.seed,
            world,
            has_cells: preset.agents.is_none(),
            depth: preset.agents.as_ref().map_or(1, |model| model.depth),
            look: preset.look.clone(),
            engine: simulation.engine_name(),
            choice: simulation.choice(),
            hardware: simulation.describe_engine(),
            overrides: preset.source().overrides.clone(),
            values: preset.values(&weights),
        }
    }
}
