//! Presets: scenarios as TOML files with the world, the numbers, the seed and the look.
//!
//! `keys` is the table of all keys, which `presets/reference.toml` shows. `source` reads a file, applies settings and
//! knows the line of every key. `check` compares every value with the bounds of its key and converts it to the units of
//! the exact arithmetic. `start` makes the swarm before the first step. Every error message is one line with the file,
//! the number of the line, the key, the problem and an advice.

mod check;
mod effective;
mod headings;
mod individuals;
pub mod keys;
pub mod mixture;
mod save;
mod shares;
mod solids;
mod start;
mod values;

pub use individuals::IndividualsStart;
pub use save::are_alike;
pub use start::StartSpec;

use crate::cells::numbers::Rules;
use crate::chain::plan::THE_PRESET;
use crate::chain::{self, Chain};
use crate::engine::platform::SharedHost;
use crate::error::{BadInput, Failure};
use crate::falcons::{FALCONS, Falcon, free_in_cells};
use crate::host::contents::{Contents, Texts};
use crate::host::file_path::FilePath;
use crate::individuals::IndividualRules;
use crate::individuals::feature::WorldFeatures;
use crate::look::Look;
use crate::source::{self, Source};
use crate::species::SpeciesRules;
use crate::state::{ORIGIN, State, WorldColumn, WorldColumns};
use crate::terrain::Terrain;
use crate::terrain::plan::TerrainPlan;
use crate::text::{did_you_mean, is_path};
use crate::world::{Extents, ScalarField, Slab, Space, World, memory};
use serde::{Deserialize, Serialize};
use solids::Solid;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The default preset.
pub const DEFAULT: &str = "murmuration";

/// The columns that a world may have.
pub(crate) fn columns() -> impl Iterator<Item = &'static WorldColumn> {
    [&FALCONS, &ORIGIN].into_iter().chain(crate::FEATURES.iter().map(|row| row.column))
}

/// The individuals of a preset.
#[derive(Debug, Clone, PartialEq)]
pub struct IndividualModel {
    /// The rules of each species, in the order of their seeds; at least one.
    pub rules: Vec<IndividualRules>,
    /// Extent along z in cells; 1: a flat world.
    pub depth: u32,
    /// The weights by rule, as in the preset. If the rules have a force, weights are multiples of the force.
    pub weights: BTreeMap<String, f64>,
}

impl IndividualModel {
    /// The rules of the first species.
    pub fn first(&self) -> &IndividualRules {
        &self.rules[0]
    }

    /// Whether individuals have lives in the engine. Several species always have them, even if no life changes.
    pub fn has_lives(&self) -> bool {
        self.first().lives.is_some() || self.rules.len() > 1
    }

    /// The largest radius (Q16 of a cell) of any rule.
    pub fn reach(&self) -> u32 {
        self.rules.iter().map(IndividualRules::reach).max().unwrap_or(0)
    }

    /// The largest radius (Q16 of a cell) within which individuals of a species see each other.
    pub fn link_radius(&self) -> u32 {
        self.rules.iter().map(IndividualRules::link_radius).max().unwrap_or(0)
    }

    /// The maximum speed (Q14) of any species.
    pub fn max(&self) -> i32 {
        self.rules.iter().map(|rules| rules.max).max().unwrap_or(0)
    }
}

/// A checked scenario, ready to run.
#[derive(Debug, Clone)]
pub struct Preset {
    /// The host that the preset was loaded with.
    host: SharedHost,
    /// The name of the preset's file without the extension.
    pub name: String,
    /// One line that describes the preset.
    pub description: String,
    /// A chain by name or path; `None`: the default chain of the model.
    pub chain: Option<FilePath>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The world of the swarm.
    pub world: World,
    /// The rules of the cell system; unused if the preset has individuals.
    pub rules: Rules,
    /// The individuals; `None`: the preset is of cells.
    pub individuals: Option<IndividualModel>,
    /// The features of the world of individuals, such as food.
    pub features: WorldFeatures,
    /// How pictures show the swarm.
    pub look: Look,
    /// The plan of the start; [`Preset::start`] makes the state.
    pub start_spec: StartSpec,
    /// The species, in the order of their seeds. Empty: a single species without keys of its own. `rules` and
    /// `start_spec` belong to the first species.
    pub species: Vec<Species>,
    /// The pictures and arrays that the preset names.
    pub files: Vec<PathBuf>,
    /// The bodies of the preset's text, and whether they or rock cover each cell. The solids of `world` may have
    /// changed since.
    solids: Vec<Solid>,
    own_solids: Arc<Vec<bool>>,
    terrain: Option<TerrainPlan>,
    /// The value and the line of every key.
    keys: Arc<Source>,
    source: PresetSource,
}

/// A species. [`IndividualModel`] has the rules of a species of individuals.
#[derive(Debug, Clone, PartialEq)]
pub struct Species {
    /// The name that other species' meetings use.
    pub name: String,
    /// The hue of the species, as a fraction of the colour wheel.
    pub colour: f32,
    /// The seed of its start.
    pub seed: u64,
    /// The rules of its cells.
    pub own: SpeciesRules,
    /// The plan of its start.
    pub start_spec: StartSpec,
}

/// The text of a preset with its overrides, and the contents of the files that it names. A preset can be read from this
/// source alone, so replays and checkpoints save only the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresetSource {
    /// The path in messages. Files are searched for beside it.
    pub origin: FilePath,
    /// The text in TOML.
    pub text: String,
    /// The overrides of the command line.
    pub overrides: Overrides,
    /// The contents of the pictures and arrays that the text names. A missing file is read from disk.
    #[serde(default, skip_serializing_if = "Contents::is_empty")]
    pub files: Contents,
}

impl PresetSource {
    /// This preset as a preset of individuals.
    pub fn as_individuals(&self) -> Self {
        let overrides = Overrides { individuals: true, ..self.overrides.clone() };
        Self { overrides, ..self.clone() }
    }
}

/// The parts of a preset that the command line replaces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overrides {
    /// Extents in cells along x and y. The number of boids is scaled, so that the density stays the same.
    pub size: Option<(u32, u32)>,
    /// The extent along z of a deep world, together with a size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The seed that replaces the preset's seed.
    pub seed: Option<u64>,
    /// `key=value`, such as `weights.cohesion=0.8` or `world.solid[1].circle.radius=0.1`: a dotted key with indices,
    /// and a TOML value or a bare word.
    pub set: Vec<String>,
    /// Whether individuals replace the cells of a preset of the cell system. Each boid of the start becomes an
    /// individual, which follows the rules of the cells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub individuals: bool,
    /// Whether a number of boids in `set` scales with the size, as in old recordings.
    #[serde(default = "is_recorded", skip_serializing_if = "Clone::clone")]
    pub scales_boids: bool,
}

/// The value of `scales_boids` in recordings without it.
fn is_recorded() -> bool {
    true
}

impl Overrides {
    /// The settings with file names instead of paths, for users with other folders.
    pub fn settings_without_folders(&self) -> Vec<String> {
        self.set.iter().map(|setting| source::without_folders(setting)).collect()
    }

    /// The size in the notation of `--size`.
    pub fn written_size(&self) -> Option<String> {
        let (width, height) = self.size?;
        Some(Extents { width, height, depth: self.depth }.to_string())
    }
}

impl Preset {
    /// The rock that the preset describes, without the voxels of a file. [`World::rock`] is the field of this rock.
    pub fn terrain(&self) -> Option<&Terrain> {
        self.terrain.as_ref().map(|plan| &plan.terrain)
    }

    /// The preset with this name, or in this file. A text is a path if it contains a separator or ends in `.toml`.
    ///
    /// # Errors
    /// `BadInput` if the name is unknown, the file cannot be read, or anything in it or in the overrides is wrong.
    pub fn load(host: &SharedHost, name_or_path: impl AsRef<Path>, overrides: &Overrides) -> Result<Self, Failure> {
        let path = name_or_path.as_ref();
        if is_path(path) {
            return Ok(Self::from_text(host, path, &host.read_text(path)?, overrides)?);
        }
        let name = &*path.to_string_lossy();
        let Some(text) = host.library().preset(name) else {
            let names: Vec<&str> = host.library().preset_names().collect();
            let meant = did_you_mean(name, names.iter().copied());
            let cure = format!("known are {}; the path of a file ends in .toml{meant}", names.join(", "));
            return Err(BadInput::new(name, "there is no preset of this name", cure).into());
        };
        Ok(Self::from_text(host, format!("presets/{name}.toml"), text, overrides)?)
    }

    /// The preset of a text. `origin` is the path in messages. Files are searched for beside it, and its stem is the
    /// preset's name.
    ///
    /// # Errors
    /// If anything in the text, in a file that it names or in the overrides is wrong.
    pub fn from_text(
        host: &SharedHost,
        origin: impl AsRef<Path>,
        text: &str,
        overrides: &Overrides,
    ) -> Result<Self, BadInput> {
        let source = PresetSource {
            origin: origin.as_ref().into(),
            text: text.to_owned(),
            overrides: overrides.clone(),
            files: Contents::default(),
        };
        Self::from_source(host, &source)
    }

    /// Reads the preset.
    ///
    /// # Errors
    /// As [`Preset::from_text`].
    pub fn from_source(host: &SharedHost, source: &PresetSource) -> Result<Self, BadInput> {
        Self::read(host, source, None)
    }

    fn read(host: &SharedHost, source: &PresetSource, before: Option<&Self>) -> Result<Self, BadInput> {
        let keys = Source::new(
            host.clone(),
            &keys::KEYS,
            &*source.origin,
            &source.text,
            &source.overrides.set,
            &source.files,
        )?;
        check::preset(host, Arc::new(keys), source, before)
    }

    /// The preset with one more `key=value`, which replaces an earlier setting of the same key.
    ///
    /// Files are not read again, and unchanged flags of solid cells are shared. The time does not depend on the size of
    /// the lattice unless the files or the solids change.
    ///
    /// # Errors
    /// If the setting is wrong.
    pub fn with(&self, setting: &str) -> Result<Self, BadInput> {
        let key = |setting: &str| setting.split('=').next().map(|key| source::normalized(key).unwrap_or(key.into()));
        let mut source = self.source.clone();
        source.overrides.set.retain(|earlier| key(earlier) != key(setting));
        source.overrides.set.push(setting.to_owned());
        Self::read(self.host(), &source, Some(self))
    }

    /// The preset with another seed. It is read again only if the seed also affects food, lives, rock or species.
    ///
    /// # Errors
    /// If a value that the new seed draws is refused, as in [`Preset::from_source`].
    pub fn with_seed(&self, seed: u64) -> Result<Self, BadInput> {
        let overrides = Overrides { seed: Some(seed), ..self.source.overrides.clone() };
        let source = PresetSource { overrides, ..self.source.clone() };
        let is_drawn = !self.features.0.is_empty()
            || self.terrain.is_some()
            || !self.species.is_empty()
            || self.individuals.as_ref().is_some_and(IndividualModel::has_lives);
        if is_drawn { Self::from_source(self.host(), &source) } else { Ok(Self { seed, source, ..self.clone() }) }
    }

    /// Makes the swarm before the first step on the lattice, 8 bytes a cell. The preset does not keep the swarm. For
    /// individuals use [`IndividualsStart`].
    ///
    /// # Errors
    /// If too little memory is free, the start's file is missing and was too long to keep, or individuals start at
    /// exact places.
    pub fn start(&self) -> Result<State, BadInput> {
        self.start_in(&Slab::whole(self.world.extents))
    }

    /// The state of [`Self::start`] within a slab. The state has the extents of the slab.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_in(&self, slab: &Slab) -> Result<State, BadInput> {
        self.check_memory(slab)?;
        let seed = self.species.first().map_or(self.seed, |first| first.seed);
        let mut layers = vec![self.start_spec.layer(&self.keys, &self.world, slab, seed)?];
        for species in self.species.iter().skip(1) {
            layers.push(species.start_spec.layer(&self.keys, &self.world, slab, species.seed)?);
        }
        Ok(State { columns: self.columns()?, ..State::new(slab.extents(), layers) })
    }

    /// Checks that memory for the swarm before the first step is free.
    fn check_memory(&self, slab: &Slab) -> Result<(), BadInput> {
        memory::check(slab.extents(), memory::PRESET, self.host().free_memory())
            .map_err(|problem| self.too_large(problem))
    }

    /// The columns of the world before the first step.
    pub(crate) fn columns(&self) -> Result<WorldColumns, BadInput> {
        let mut falcons = Falcon::from_world(&self.world, self.space().ends());
        free_in_cells(&mut falcons, &self.world);
        let mut columns = WorldColumns::default().with_origin(self.world.window.map(|window| window.origin));
        Falcon::set_all(&falcons, &mut columns);
        for feature in &self.features.0 {
            columns.set(feature.column(), feature.start(&self.keys)?);
        }
        Ok(columns)
    }

    /// Whether both presets start with equal swarms in equal solids. Solids that brushes have painted since the start
    /// do not count.
    pub fn begins_like(&self, other: &Self) -> bool {
        (self.seed, self.world.extents, self.depth()) == (other.seed, other.world.extents, other.depth())
            && are_alike(&self.own_solids, &other.own_solids)
            && self.has_terrain_of(other)
            && self.start_spec == other.start_spec
            && self.species.len() == other.species.len()
            && self
                .species
                .iter()
                .zip(&other.species)
                .all(|(own, other)| (own.seed, &own.start_spec) == (other.seed, &other.start_spec))
    }

    /// Whether both presets have the same rock. In an endless world, the place of the window does not count.
    pub(crate) fn has_terrain_of(&self, other: &Self) -> bool {
        let first = |preset: &Self| preset.world.window.map(|window| window.first);
        let is_same = match first(self) {
            Some(_) => self.terrain == other.terrain,
            None => self.world.rock == other.world.rock,
        };
        is_same && first(self) == first(other)
    }

    /// The rock of an endless world with the window at `origin`. Reuses the current rock where the windows overlap.
    pub(crate) fn rock_at(&self, origin: [i64; 3]) -> Option<Arc<ScalarField>> {
        let (plan, before) = (self.terrain.as_ref()?, self.world.rock.as_ref()?);
        let [from, to] = [self.world.window?.origin, origin].map(|place| plan.in_noise(place));
        Some(Arc::new(plan.terrain.moved(before, from, to)))
    }

    /// The extents in the notation of `world.size`: the lattice, with the depth of individuals.
    pub fn size(&self) -> Extents {
        let depth = self.depth().filter(|depth| *depth > 1);
        Extents { depth: depth.or(self.world.extents.depth), ..self.world.extents }
    }

    /// Remarks about the preset, one line each.
    pub fn notes(&self) -> Vec<String> {
        let size = self.size();
        let is_empty = self.start_spec.quanta == 0 && self.keys.integer("start.boids").is_ok_and(|boids| boids > 0);
        let none = || {
            let problem = format!("at this density no boid is left on {size} cells");
            self.keys.wrong("start.boids", problem, "take a larger size, or set start.boids=1").to_string()
        };
        let is_old = self.keys.is_in_use("agents.depth") && !self.keys.is_set("agents.depth");
        let cure = format!("write size = [{}, {}, {}]", size.width, size.height, size.slices());
        let note = self.keys.wrong("agents.depth", "is read as the third extent of world.size", cure);
        let notes = is_old.then(|| note.to_string()).into_iter().chain(is_empty.then(none));
        let of_terrain = self.terrain.as_ref().zip(self.world.rock.as_deref());
        let of_terrain = of_terrain.and_then(|(plan, field)| plan.note(&self.keys, field));
        let of_pictures = solids::notes(&self.solids, &self.keys, self.world.extents).chain(of_terrain);
        notes.chain(of_pictures.map(|note| note.to_string())).collect()
    }

    /// The depth of a world of individuals, in cells.
    pub fn depth(&self) -> Option<u32> {
        self.individuals.as_ref().map(|model| model.depth)
    }

    /// The space of the swarm's cells or individuals.
    pub fn space(&self) -> Space {
        self.world.space(self.depth())
    }

    /// The individuals of a preset of the cell system.
    ///
    /// # Errors
    /// If individuals do not know one of its rules or weights, the world is too narrow, there are too many individuals,
    /// or the preset has individuals already.
    pub fn as_individuals(&self) -> Result<Self, BadInput> {
        Self::from_source(self.host(), &self.source.as_individuals())
    }

    /// The host that the preset was loaded with.
    pub fn host(&self) -> &SharedHost {
        &self.host
    }

    /// The source of the preset, with all files that it names.
    pub fn source(&self) -> &PresetSource {
        &self.source
    }

    /// The chain of a run: `asked`, else the preset's chain, else the default.
    ///
    /// # Errors
    /// If there is no chain of this name, or anything in it is wrong.
    pub fn load_chain(&self, asked: Option<&Path>) -> Result<Chain, BadInput> {
        self.load_chain_from(asked, &mut Texts::default())
    }

    /// Loads the chain as [`Preset::load_chain`], but with [`Chain::load_from`].
    ///
    /// # Errors
    /// As [`Preset::load_chain`].
    pub fn load_chain_from(&self, asked: Option<&Path>, texts: &mut Texts) -> Result<Chain, BadInput> {
        match (asked, &self.chain) {
            (None, Some(chain)) => own_chain(&self.keys, chain, texts),
            (asked, _) => Chain::load_from(self.host().as_ref(), asked.unwrap_or(self.default_chain().as_ref()), texts),
        }
    }

    /// The chain of a run if neither the preset nor the caller names one.
    pub fn default_chain(&self) -> &'static str {
        if self.individuals.is_some() { chain::DEFAULT_OF_INDIVIDUALS } else { chain::DEFAULT }
    }

    /// The model's name in presets: `cell` or `agents`.
    pub fn model(&self) -> &'static str {
        if self.individuals.is_some() { "agents" } else { "cell" }
    }

    /// Adds the line of the preset to a complaint about the preset.
    pub fn locate(&self, wrong: BadInput) -> BadInput {
        match &wrong.key {
            Some(key) if wrong.origin == THE_PRESET => self.keys.wrong(key, &wrong.problem, &wrong.cure),
            _ => wrong,
        }
    }

    /// A complaint that the preset does not fit into memory, at the line or argument of its size.
    pub fn too_large(&self, problem: String) -> BadInput {
        check::too_large(&self.keys, &self.source.overrides, problem)
    }
}

/// The chain that a preset names. A complaint about the whole chain gets the preset's line.
fn own_chain(keys: &Source, chain: &Path, texts: &mut Texts) -> Result<Chain, BadInput> {
    Chain::load_from(keys.host().as_ref(), chain, texts).map_err(|wrong| match wrong.line {
        Some(_) => wrong,
        None => keys.wrong("chain", format!("{}: {}", wrong.origin, wrong.problem), wrong.cure),
    })
}

/// The name and description of every built-in preset. Reads nothing else of the presets.
pub fn descriptions(host: &SharedHost) -> impl Iterator<Item = (&'static str, String)> {
    host.library().folder("presets").map(move |(name, text)| {
        let source = Source::new(host.clone(), &keys::KEYS, name, text, &[], &Contents::default());
        (name, source.ok().and_then(|source| source.text("description").map(str::to_owned)).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests;
