//! What is played: a preset, what was set over it, and the engine.

use super::settings::{self, Value};
use crate::chain::DEFAULT;
use crate::error::{BadInput, Failure};
use crate::memory;
use crate::preset::{Look, Overrides, Preset, Written};
use crate::simulation::replay::Replay;
use crate::simulation::{EngineChoice, Simulation};
use crate::text::stem;
use crate::world::{Extents, LARGEST_EXTENT, World};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the player asked for.
#[derive(Debug, Clone)]
pub struct Scene {
    /// A built-in preset by its name, or the path of one.
    pub preset: String,
    /// What is laid over the preset before it begins.
    pub overrides: Overrides,
    /// A chain by name or path; `None`: the preset's.
    pub chain: Option<String>,
    pub choice: EngineChoice,
    /// A hunt to be watched, in the place of all of the above but the engine.
    pub replay: Option<Arc<Replay>>,
}

impl Scene {
    /// The scene of a hunt to be watched, or taken over.
    pub fn watching(replay: Arc<Replay>, choice: EngineChoice) -> Self {
        let Written { origin, text, .. } = &replay.preset;
        // The preset's own chain is none that was asked for.
        let own = Preset::from_written(crate::host(), &replay.preset)
            .ok()
            .map(|preset| preset.chain.unwrap_or(DEFAULT.into()));
        let is_own = own.is_some_and(|own| own == replay.chain);
        let built_in = stem(origin);
        let is_built_in = crate::host().library().preset(&built_in) == Some(text);
        Self {
            preset: if is_built_in { built_in } else { origin.clone() },
            overrides: replay.preset.overrides.clone(),
            chain: (!is_own).then(|| replay.chain.clone()),
            choice,
            replay: Some(replay),
        }
    }

    /// The scene before its first step.
    ///
    /// # Errors
    /// `BadInput` where the preset, what is set over it or the chain is wrong, and `Device` where the engine is not
    /// to be had.
    pub fn begin(&self) -> Result<Simulation, Failure> {
        self.begin_after(None)
    }

    /// As [`Self::begin`], where a scene on a lattice of `before` gives way to it.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub fn begin_after(&self, before: Option<Extents>) -> Result<Simulation, Failure> {
        if let Some((width, height)) = self.overrides.size
            && width.max(height) <= LARGEST_EXTENT
        {
            // Before anything is made of that size.
            let size = format!("--size {width}x{height}");
            memory::check_window(Extents { width, height }, before, crate::host().free_memory())
                .map_err(|problem| BadInput::new(size, problem, memory::CURE))?;
        }
        let (preset, chain) = match &self.replay {
            Some(replay) => replay.load(crate::host())?,
            None => {
                let preset = Preset::load(crate::host(), &self.preset, &self.overrides)?;
                let chain = preset.load_chain(self.chain.as_deref())?;
                (preset, chain)
            }
        };
        memory::check_window(preset.world.extents, before, crate::host().free_memory())
            .map_err(|problem| preset.too_large(problem))?;
        Simulation::new(preset, &chain, self.choice)
    }
}

/// What is set before the same scene begins again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    pub seed: Option<u64>,
    /// Cells along x and y.
    pub size: Option<(u32, u32)>,
    /// Keys and values, as `--set` has them.
    pub set: Vec<(String, String)>,
}

impl Change {
    /// The change over what was laid over the preset so far.
    pub fn laid_over(self, overrides: &Overrides) -> Overrides {
        let mut set = overrides.set.clone();
        for (key, _) in &self.set {
            // What was set for another shape or other headings would be a mistake now.
            let outdated: &[&str] = match key.as_str() {
                "start.shape" => &["start.count", "start.radius", "start.width", "start.at", "start.file"],
                "start.headings" => &["start.speed", "start.patch"],
                _ => &[],
            };
            set.retain(|earlier| {
                let earlier = earlier.split('=').next().unwrap_or_default().trim();
                earlier != key && !outdated.contains(&earlier)
            });
        }
        set.extend(self.set.iter().map(|(key, value)| format!("{key}={value}")));
        Overrides {
            size: self.size.or(overrides.size),
            seed: self.seed.or(overrides.seed),
            set,
            individuals: overrides.individuals,
        }
    }
}

/// What the window has to know of a simulation under way, beside its state.
#[derive(Debug, Clone)]
pub struct Facts {
    pub preset: String,
    pub description: String,
    pub seed: u64,
    pub world: Arc<World>,
    /// Whether it is a swarm of cells, which individuals can be played beside.
    pub has_cells: bool,
    /// Cells along z; 1 where the world is flat.
    pub depth: u32,
    pub look: Look,
    /// `cpu` or `gpu`.
    pub engine: &'static str,
    /// Which of the engines; never `Auto`.
    pub choice: EngineChoice,
    /// What the engine runs on, for people.
    pub machine: String,
    /// The preset by the name of a built-in one, or by the path of its file.
    pub named: String,
    /// Whether the chain is the preset's own.
    pub has_own_chain: bool,
    /// What was laid over the preset, before and under way.
    pub overrides: Overrides,
    /// Every number of the preset by its key.
    pub values: BTreeMap<String, Value>,
}

impl Facts {
    /// The facts of a simulation. Where its world is the one of `before`, it is not copied.
    pub fn of(simulation: &Simulation, before: Option<&Arc<World>>) -> Self {
        let preset = simulation.preset();
        let world = match before {
            Some(before) if **before == preset.world => before.clone(),
            _ => Arc::new(preset.world.clone()),
        };
        // A hunter's weight is the preset's to say only where the preset has one.
        let mut weights = simulation.plan().map_or(Vec::new(), |plan| plan.weights.clone());
        weights.retain(|(rule, _)| rule != "hunter" || preset.world.hunter.is_some());
        let Written { origin, text, .. } = preset.written();
        let is_built_in = crate::host().library().preset(&preset.name) == Some(text);
        let path = || std::path::absolute(origin).unwrap_or_else(|_| origin.into()).display().to_string();
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
            machine: simulation.describe_engine(),
            overrides: preset.written().overrides.clone(),
            values: settings::values(preset, &weights),
        }
    }
}
