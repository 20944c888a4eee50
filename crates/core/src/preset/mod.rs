//! Presets: scenarios as TOML files with the world, the numbers, the seed and the look.
//!
//! `presets/reference.toml` explains every key. A file goes through `spec` (what is written), `source` (where it is
//! written, and what `--set` lays over it) and `check` (bounds and units) to `start` (the swarm before the first
//! step). Every mistake on the way is one line with the file, the line, the key, what is wrong and what would be right.

mod check;
mod headings;
pub mod raster;
mod said;
mod save;
mod solids;
mod source;
mod spec;
mod start;

pub use said::{Beginning, SightForm};
pub use save::are_alike;

use crate::agents::{self, AgentRules};
use crate::chain::plan::THE_PRESET;
use crate::chain::{self, Chain};
use crate::contents::Contents;
use crate::error::{BadInput, Failure};
use crate::host::SharedHost;
use crate::rules::Rules;
use crate::state::State;
use crate::text::is_path;
use crate::texts::Texts;
use crate::world::World;
use serde::{Deserialize, Serialize};
use source::Source;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The preset that is played where none is named.
pub const DEFAULT: &str = "droplets";

/// What a picture shows beside the state: taste, not simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The density that glows at half brightness, in boids a cell.
    pub exposure: f32,
    /// The strength of the bloom, 0 to 1.
    pub bloom: f32,
    /// The colour wheel of headings is turned by this part of a full turn, 0 to 1.
    pub hue: f32,
    /// What the hue says.
    pub colour: Colouring,
    /// The size of single boids, seen from near, as a multiple of the usual size, 0.25 to 4. In the window only.
    pub point_size: f32,
    /// How much of the last picture's light stays, 0 to 0.98: moving boids draw trails. In the window only.
    pub trails: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self { exposure: 1.0, bloom: 0.6, hue: 0.0, colour: Colouring::Heading, point_size: 1.0, trails: 0.0 }
    }
}

/// What the hue of a swarm says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colouring {
    /// Where it goes.
    #[default]
    Heading,
    /// How fast.
    Speed,
    /// How dense it is.
    Density,
}

/// What a preset says of individuals.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentModel {
    pub rules: AgentRules,
    /// Cells along z; 1: a flat world.
    pub depth: u32,
    /// The weights by name, as they were written: multiples of the force where the rules have one.
    pub weights: BTreeMap<String, f64>,
}

/// A checked scenario, ready to run.
#[derive(Debug, Clone)]
pub struct Preset {
    pub name: String,
    /// One line.
    pub description: String,
    /// A chain by name or path; `None`: the default chain of the model.
    pub chain: Option<String>,
    pub seed: u64,
    pub world: World,
    /// The numbers of the cell system; where individuals play, nothing is moved by them.
    pub rules: Rules,
    /// Those of individuals, where the preset is played by them.
    pub agents: Option<AgentModel>,
    pub look: Look,
    /// The swarm before the first step.
    pub start: State,
    /// What is said of it.
    pub beginning: Beginning,
    /// How each sight is given, by name.
    pub sights: BTreeMap<String, SightForm>,
    /// The pictures and arrays that were read for it.
    pub files: Vec<PathBuf>,
    /// Where everything was written.
    source: Arc<Source>,
    written: Written,
}

/// A preset as it was written, and the files that it names, from which it can be read again: no more than that is saved
/// of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The path by which messages name it, beside which the files that it names are looked for.
    pub origin: String,
    pub text: String,
    pub overrides: Overrides,
    /// What the pictures and arrays held that it names. What is not here is read from disk.
    #[serde(default, skip_serializing_if = "Contents::is_empty")]
    pub files: Contents,
}

impl Written {
    /// The same, to be played by individuals.
    pub fn as_individuals(&self) -> Self {
        let overrides = Overrides { individuals: true, ..self.overrides.clone() };
        Self { overrides, ..self.clone() }
    }
}

/// What the command line says instead of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overrides {
    /// Cells along x and y, at the density that the preset has on its own extents.
    pub size: Option<(u32, u32)>,
    pub seed: Option<u64>,
    /// `key=value`, such as `weights.cohesion=0.8`: a dotted key, and a value of TOML or a bare word.
    pub set: Vec<String>,
    /// A preset of the cell system is read as usual, and played by its individuals: each boid of its start is one, and
    /// lives by the rules of the cells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub individuals: bool,
}

impl Preset {
    /// The preset with this name, or in this file: a path is what contains a separator or ends in `.toml`.
    ///
    /// # Errors
    /// `BadInput` where the name is unknown, the file cannot be read, or anything in it or in the overrides is wrong.
    pub fn load(host: &SharedHost, name_or_path: &str, overrides: &Overrides) -> Result<Self, Failure> {
        if is_path(name_or_path) {
            return Ok(Self::from_text(host, name_or_path, &host.read_text(name_or_path)?, overrides)?);
        }
        let Some(text) = host.library().preset(name_or_path) else {
            let names: Vec<&str> = host.library().preset_names().collect();
            let cure = format!("known are {}; the path of a file ends in .toml", names.join(", "));
            return Err(BadInput::new(name_or_path, "there is no preset of this name", cure).into());
        };
        Ok(Self::from_text(host, &format!("presets/{name_or_path}.toml"), text, overrides)?)
    }

    /// The preset that a text describes. `origin` is the path by which messages name it, beside which the files that
    /// it names are looked for, and whose stem is the preset's name.
    ///
    /// # Errors
    /// Where anything in the text, in a file that it names or in the overrides is wrong.
    pub fn from_text(host: &SharedHost, origin: &str, text: &str, overrides: &Overrides) -> Result<Self, BadInput> {
        let written = Written {
            origin: origin.to_owned(),
            text: text.to_owned(),
            overrides: overrides.clone(),
            files: Contents::default(),
        };
        Self::from_written(host, &written)
    }

    /// The preset that was written so.
    ///
    /// # Errors
    /// As [`Preset::from_text`].
    pub fn from_written(host: &SharedHost, written: &Written) -> Result<Self, BadInput> {
        let (source, spec) = Source::read(host, &written.origin, &written.text, &written.overrides.set)?;
        check::preset(&Arc::new(source.knowing(&written.files)), &spec, written)
    }

    /// The preset with one more `key=value` set, in the place of an earlier one of that key.
    ///
    /// # Errors
    /// Where the setting is wrong.
    pub fn with(&self, setting: &str) -> Result<Self, BadInput> {
        let key = |setting: &str| setting.split('=').next().map(|key| key.trim().to_owned());
        let mut written = self.written.clone();
        written.overrides.set.retain(|earlier| key(earlier) != key(setting));
        written.overrides.set.push(setting.to_owned());
        Self::from_written(self.host(), &written)
    }

    /// The individuals of this preset of the cell system.
    ///
    /// # Errors
    /// Where they do not know one of its rules or weights, their world is too narrow, or they are too many; and where the
    /// preset is one of individuals already.
    pub fn as_individuals(&self) -> Result<Self, BadInput> {
        Self::from_written(self.host(), &self.written.as_individuals())
    }

    /// The host that it was loaded with.
    pub fn host(&self) -> &SharedHost {
        self.source.host()
    }

    /// What it was read from, with all files that it names.
    pub fn written(&self) -> &Written {
        &self.written
    }

    /// The chain that is to be played: the one `asked` for, else the preset's, else the default.
    ///
    /// # Errors
    /// Where there is none of this name, or anything in it is wrong.
    pub fn load_chain(&self, asked: Option<&str>) -> Result<Chain, BadInput> {
        self.load_chain_from(asked, &mut Texts::default())
    }

    /// As [`Preset::load_chain`], with [`Chain::load_from`].
    ///
    /// # Errors
    /// As [`Preset::load_chain`].
    pub fn load_chain_from(&self, asked: Option<&str>, texts: &mut Texts) -> Result<Chain, BadInput> {
        match (asked, &self.chain) {
            (None, Some(chain)) => own_chain(&self.source, chain, texts),
            (asked, _) => Chain::load_from(self.host().as_ref(), asked.unwrap_or(self.default_chain()), texts),
        }
    }

    /// The chain that is played where neither a preset nor anyone else names one.
    pub fn default_chain(&self) -> &'static str {
        if self.agents.is_some() { agents::chain::DEFAULT } else { chain::DEFAULT }
    }

    /// The model by its name: `cell` or `agents`.
    pub fn model(&self) -> &'static str {
        if self.agents.is_some() { "agents" } else { "cell" }
    }

    /// A complaint of the plan's about the preset, at its line.
    pub fn locate(&self, wrong: BadInput) -> BadInput {
        match &wrong.key {
            Some(key) if wrong.origin == THE_PRESET => self.source.wrong(key, &wrong.problem, &wrong.cure),
            _ => wrong,
        }
    }

    /// A complaint about its size, where that was said: that it does not fit into memory.
    pub fn too_large(&self, problem: String) -> BadInput {
        check::too_large(&self.source, &self.written.overrides, problem)
    }

    /// Checks a text as [`Preset::from_text`] does, and keeps nothing.
    ///
    /// # Errors
    /// Where anything in the text or in a file that it names is wrong.
    pub fn check(host: &SharedHost, origin: &str, text: &str) -> Result<(), BadInput> {
        Self::from_text(host, origin, text, &Overrides::default()).map(drop)
    }
}

/// The chain that a preset names; what is wrong with it as a whole is said at the preset's line.
fn own_chain(source: &Source, chain: &str, texts: &mut Texts) -> Result<Chain, BadInput> {
    Chain::load_from(source.host().as_ref(), chain, texts).map_err(|wrong| match wrong.line {
        Some(_) => wrong,
        None => source.wrong("chain", format!("{}: {}", wrong.origin, wrong.problem), wrong.cure),
    })
}

/// Name and description of every built-in preset; nothing else of it is worked out.
pub fn descriptions(host: &SharedHost) -> impl Iterator<Item = (&'static str, String)> {
    host.library().folder("presets").map(move |(name, text)| {
        let spec = Source::read(host, name, text, &[]).map(|(_, spec)| spec).unwrap_or_default();
        (name, spec.description.unwrap_or_default())
    })
}

#[cfg(test)]
mod tests;
