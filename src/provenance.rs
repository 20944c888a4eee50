//! What made a result: the record that pictures, films, tables, arrays, pages and objects of JSON carry (`docs/formats.md`, Provenance).

use crate::files::{is_replaced, write_atomically};
use crate::json::with_exact;
use crate::ranks::{self, RankFacts};
use murmuration_core::chain::Chain;
use murmuration_core::engine::Dispatch;
use murmuration_core::error::Failure;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The keyword under which pictures and pages hold the record.
pub const KEYWORD: &str = "murmuration";
/// The key of the record in an object of JSON.
pub const KEY: &str = "provenance";

/// The program that made a result, of which nothing else is to be known.
pub fn program() -> Value {
    json!({ "program": "murmuration", "version": env!("CARGO_PKG_VERSION") })
}

/// What made a result. All but the look and the engine determines the swarm.
///
/// Of files it has the names alone, without folders: pictures are shared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The preset's name.
    pub preset: String,
    /// What replaces numbers of the preset.
    pub overrides: Overrides,
    /// The name of the chain.
    pub chain: String,
    /// `cell` or `agents`.
    pub model: &'static str,
    /// The size of the world, `WxH` or `WxHxD`.
    pub size: String,
    /// The names of the species, in the order of their numbers; empty: there is one.
    pub species: Vec<String>,
    /// The seed of all chance.
    pub seed: u64,
    /// The hash of preset, settings and chain as they take effect ([`Preset::effective_hash`](crate::Preset::effective_hash)).
    pub effective: String,
    /// The step of the checkpoint from which the run went on.
    pub resumed_at: Option<u64>,
    /// Inputs of a person or a replay, which the preset does not have.
    pub inputs: u64,
    /// The chain of a look of the user's own, which drew the pictures.
    pub look: Option<LookFacts>,
    /// What played it; `None`: nothing was played.
    pub engine: Option<EngineFacts>,
}

/// A chain of the look. The swarm does not depend on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LookFacts {
    /// The name of the chain.
    pub chain: String,
    /// The hash of the chain as it takes effect ([`Chain::effective_hash`]).
    pub effective: String,
}

/// The engine that plays a swarm. The swarm does not depend on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineFacts {
    /// `cpu` or `gpu`.
    pub name: &'static str,
    /// `compute` or `fragment`, on a GPU.
    pub dispatch: Option<&'static str>,
    /// Threads and instruction set, or the graphics adapter, in words.
    pub device: String,
    /// The processes that play together; `None` without ranks.
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

    /// The object of a record.
    fn record(&self) -> Value {
        let mut object = json!({ "name": self.name, "dispatch": self.dispatch, "device": self.device });
        if let Some(ranks) = &self.ranks {
            object["ranks"] = ranks.record();
        }
        object
    }
}

impl Provenance {
    /// The provenance of what is read of a simulation now.
    pub fn new(simulation: &Simulation) -> Self {
        Self {
            resumed_at: simulation.resumed_at(),
            inputs: simulation.inputs(),
            engine: Some(EngineFacts::new(simulation)),
            ..Self::from_preset(simulation.preset(), simulation.chain())
        }
    }

    /// The provenance of what is known of a preset before it is played.
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

    /// The same provenance of pictures that a chain of the look draws; `None`: the built-in one.
    #[must_use]
    pub fn with_look(self, look: Option<&Chain>) -> Self {
        let facts = |look: &Chain| LookFacts { chain: look.name.clone(), effective: look.effective_hash() };
        Self { look: look.map(facts), ..self }
    }

    /// The same provenance after so many inputs.
    pub fn with_inputs(self: &Arc<Self>, inputs: u64) -> Arc<Self> {
        if inputs == self.inputs { self.clone() } else { Arc::new(Self { inputs, ..(**self).clone() }) }
    }

    /// The provenance of what is read of a simulation now; it is this one as long as no input came and the engine is the same.
    pub fn renewed(self: &Arc<Self>, simulation: &Simulation) -> Arc<Self> {
        let engine = self.engine.as_ref().map(|engine| engine.name);
        let is_same = (self.inputs, engine) == (simulation.inputs(), Some(simulation.engine_name()));
        if is_same { self.clone() } else { Arc::new(Self { look: self.look.clone(), ..Self::new(simulation) }) }
    }

    /// The record of a result at a step.
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

    /// The record as the one text that is in a picture or a film.
    pub fn text(&self, step: u64) -> String {
        with_exact(self.record(step)).to_string()
    }

    /// The text of the file beside a result: the record, with more that is to be known of the result.
    pub fn text_beside(&self, step: u64, more: Map<String, Value>) -> String {
        let mut object = Map::from_iter([(KEY.to_owned(), self.record(step))]);
        object.extend(more);
        format!("{:#}\n", with_exact(object.into()))
    }

    /// Writes the record beside a file, with more that is to be known of the file, atomically.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_beside(&self, path: &Path, step: u64, more: Map<String, Value>) -> Result<(), Failure> {
        let Some(beside) = record_path(path) else { return Ok(()) };
        write_atomically(&beside, |to| to.write_all(self.text_beside(step, more).as_bytes()))
    }
}

/// The file of the record beside a file: `run.csv.json` beside `run.csv`. A stream or a device has none.
pub fn record_path(path: &Path) -> Option<PathBuf> {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    is_replaced(path).then(|| name.into())
}
