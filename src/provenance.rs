//! The origin of a result: the record in pictures, films, tables, arrays, pages and JSON objects
//! (`docs/formats.md`, Provenance).

use crate::files::json::with_exact;
use crate::files::{is_replaced, write_atomically};
use crate::ranks::{self, RankFacts};
use murmuration_core::chain::Chain;
use murmuration_core::engine::Dispatch;
use murmuration_core::error::Failure;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The keyword of the record in pictures and pages.
pub const KEYWORD: &str = "murmuration";
/// The key of the record in a JSON object.
pub const KEY: &str = "provenance";

/// A record that contains only the name and the version of this program, for a result whose preset is not known.
pub fn program() -> Value {
    json!({ "program": "murmuration", "version": env!("CARGO_PKG_VERSION") })
}

/// The origin of a result. The swarm does not depend on the fields `look` and `engine`.
///
/// The record contains the names of files without their folders, because users share pictures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The preset's name.
    pub preset: String,
    /// The changes of the preset by options or by the user.
    pub overrides: Overrides,
    /// The name of the chain.
    pub chain: String,
    /// The model: `cell` for cells, `agents` for individuals.
    pub model: &'static str,
    /// The numbers of cells along the axes of the world, `WxH` or `WxHxD`.
    pub size: String,
    /// The names of the species, in the order of their numbers; empty if the preset names no species.
    pub species: Vec<String>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The hash of the preset, settings and chain as they take effect
    /// ([`Preset::effective_hash`](crate::Preset::effective_hash)).
    pub effective: String,
    /// The step of the checkpoint from which the run was resumed; `None`: the run began at step 0.
    pub resumed_at: Option<u64>,
    /// The number of inputs from the user or a replay. The preset does not contain these inputs.
    pub inputs: u64,
    /// The user's own look chain that drew the pictures; `None`: the built-in look.
    pub look: Option<LookFacts>,
    /// The engine that played the swarm; `None`: the preset was not played.
    pub engine: Option<EngineFacts>,
}

/// A look chain: the kernels that draw pictures of the swarm.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LookFacts {
    /// The name of the chain.
    pub chain: String,
    /// The hash of the chain as it takes effect ([`Chain::effective_hash`]).
    pub effective: String,
}

/// The engine that plays a swarm. Every engine computes the same swarm.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineFacts {
    /// `cpu` or `gpu`.
    pub name: &'static str,
    /// The kind of GPU shader that plays the steps, `compute` or `fragment`; `None`: the engine is the CPU.
    pub dispatch: Option<&'static str>,
    /// A description of the hardware: the threads and the instruction set of the CPU, or the graphics adapter.
    pub device: String,
    /// The ranks, if several processes play the world together.
    pub ranks: Option<RankFacts>,
}

impl EngineFacts {
    fn new(simulation: &Simulation) -> Self {
        let dispatch = match simulation.choice() {
            EngineChoice::Gpu(Dispatch::Compute { .. }) => Some("compute"),
            EngineChoice::Gpu(Dispatch::Fragment) => Some("fragment"),
            _ => None,
        };
        let ranks = ranks::facts().cloned();
        Self { name: simulation.engine_name(), dispatch, device: simulation.describe_engine(), ranks }
    }

    fn record(&self) -> Value {
        let mut object = json!({ "name": self.name, "dispatch": self.dispatch, "device": self.device });
        if let Some(ranks) = &self.ranks {
            object["ranks"] = ranks.record();
        }
        object
    }
}

impl Provenance {
    /// The provenance of the present state of a simulation.
    pub fn new(simulation: &Simulation) -> Self {
        Self {
            resumed_at: simulation.resumed_at(),
            inputs: simulation.inputs(),
            engine: Some(EngineFacts::new(simulation)),
            ..Self::from_preset(simulation.preset(), simulation.chain())
        }
    }

    /// The provenance of a preset that was not played: without engine, inputs and checkpoint.
    pub fn from_preset(preset: &Preset, chain: &Chain) -> Self {
        Self {
            preset: preset.name.clone(),
            overrides: preset.source().overrides.clone(),
            chain: chain.name.clone(),
            model: preset.model(),
            size: preset.size().to_string(),
            species: preset.species.iter().map(|species| species.name.clone()).collect(),
            seed: preset.seed,
            effective: preset.effective_hash(chain),
            ..Self::default()
        }
    }

    /// Sets the look chain that draws the pictures; `None`: the built-in look.
    #[must_use]
    pub fn with_look(self, look: Option<&Chain>) -> Self {
        let facts = |look: &Chain| LookFacts { chain: look.name.clone(), effective: look.effective_hash() };
        Self { look: look.map(facts), ..self }
    }

    /// This provenance with another number of inputs.
    pub fn with_inputs(self: &Arc<Self>, inputs: u64) -> Arc<Self> {
        if inputs == self.inputs { self.clone() } else { Arc::new(Self { inputs, ..(**self).clone() }) }
    }

    /// The provenance of the present state of a simulation. Returns a copy of the same pointer if the number of inputs
    /// and the engine are unchanged.
    pub fn renewed(self: &Arc<Self>, simulation: &Simulation) -> Arc<Self> {
        let engine = self.engine.as_ref().map(|engine| engine.name);
        let is_same = (self.inputs, engine) == (simulation.inputs(), Some(simulation.engine_name()));
        if is_same { self.clone() } else { Arc::new(Self { look: self.look.clone(), ..Self::new(simulation) }) }
    }

    /// The provenance record of a result, as a JSON object. `step`: the step of the result.
    pub fn record(&self, step: u64) -> Value {
        let Self { preset, overrides, chain, model, size, species, seed, effective, resumed_at, inputs, look, engine } =
            self;
        let set = (!overrides.set.is_empty()).then(|| overrides.settings_without_folders());
        let overridden: [(&str, Option<Value>); 4] = [
            ("size", overrides.written_size().map(Value::from)),
            ("seed", overrides.seed.map(Value::from)),
            ("set", set.map(Value::from)),
            ("individuals", overrides.individuals.then_some(true.into())),
        ];
        let overridden: Map<_, _> =
            overridden.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        json!({
            "program": "murmuration",
            "version": env!("CARGO_PKG_VERSION"),
            "preset": preset,
            "overrides": overridden,
            "chain": chain,
            "model": model,
            "size": size,
            "species": species,
            "seed": seed,
            "steps": step,
            "effective": effective,
            "resumed_at": resumed_at,
            "inputs": inputs,
            "units": { "length": "cell", "time": "step", "velocity": "cell/step", "amount": "1/65536 boid" },
            "look": look.as_ref().map(|look| json!({ "chain": look.chain, "effective": look.effective })),
            "engine": engine.as_ref().map(EngineFacts::record),
        })
    }

    /// The record as JSON text, for a picture or a film. Integers beyond 2^53 are added as decimal digits under the key
    /// `exact`.
    pub fn text(&self, step: u64) -> String {
        with_exact(self.record(step)).to_string()
    }

    /// The JSON text of the file beside a result: the record under [`KEY`], and the keys of `more`.
    pub fn text_beside(&self, step: u64, more: Map<String, Value>) -> String {
        let mut object = Map::from_iter([(KEY.to_owned(), self.record(step))]);
        object.extend(more);
        format!("{:#}\n", with_exact(object.into()))
    }

    /// Writes the record and the keys of `more` into the file [`record_path`], atomically. Writes nothing beside a
    /// stream or a device.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_beside(&self, path: &Path, step: u64, more: Map<String, Value>) -> Result<(), Failure> {
        let Some(beside) = record_path(path) else { return Ok(()) };
        write_atomically(&beside, |to| to.write_all(self.text_beside(step, more).as_bytes()))
    }
}

/// The path of the record beside a file: `run.csv.json` for `run.csv`. `None` for a stream or a device.
pub fn record_path(path: &Path) -> Option<PathBuf> {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    is_replaced(path).then(|| name.into())
}
