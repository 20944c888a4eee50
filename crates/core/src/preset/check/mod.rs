//! Checks a preset: compares every value with the bounds of its key, and converts it to the units of the exact
//! arithmetic. The simulation uses no float of a preset.

mod endless;
mod hunters;
mod individuals;
mod species;
mod start;
mod world;

use super::solids::Solid;
use super::{IndividualModel, IndividualsStart, Overrides, Preset, PresetSource};
use crate::cells::numbers::{self, Rules};
use crate::chain::{self, Chain};
use crate::engine::platform::SharedHost;
use crate::error::BadInput;
use crate::host::contents::Texts;
use crate::host::file_path::FilePath;
use crate::individuals::IndividualRules;
use crate::individuals::feature::{FeatureSource, WorldFeatures};
use crate::look::{Colouring, Look, Style};
use crate::source::conflicts::ConflictCheck;
use crate::source::places::is_endless;
use crate::source::{Source, TERRAIN_FILE};
use crate::terrain;
use crate::terrain::plan::{TerrainPlan, VoxelFile};
use crate::text::stem;
use crate::world::{Extents, MAX_SPECIES, Slab, World, memory};
use start::StartPlace;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The preset of a text and its overrides. `before`: the preset with other overrides. Its unchanged solids and files
/// are reused.
pub(super) fn preset(
    host: &SharedHost,
    source: Arc<Source>,
    text: &PresetSource,
    before: Option<&Preset>,
) -> Result<Preset, BadInput> {
    let overrides = &text.overrides;
    let description = description(&source)?;
    let seed = overrides.seed.map_or_else(|| source.integer("seed").map(i64::unsigned_abs), Ok)?;
    let is_of_individuals = is_of_individuals(&source, overrides)?;
    let base_seed = (overrides.seed.is_some() || source.item("seed").is_some()).then_some(seed);
    let species_sources = species::sources(&source, overrides.individuals)?;
    let first_source = species_sources.first().map_or(&*source, |(_, own)| own);
    let chain = source.text("chain").map(|chain| place_of_chain(&source, chain));
    let (rules, mut individuals) = match is_of_individuals {
        true => (Rules::default(), Some(species::model(&source, &species_sources, seed, base_seed)?)),
        false => cells(&source, first_source, chain.as_deref(), overrides)?,
    };
    let sizes = sizes(&source, overrides, &mut individuals)?;
    let extents = sizes.extents;
    let look = look(&source, extents, individuals.as_ref())?;
    if before.is_none_or(|before| before.world.extents != extents) {
        check_memory(&source, overrides, extents, species_sources.len())?;
    }
    let (world, terrain, solids) = world(&source, overrides, &sizes, seed, before)?;
    let written = |source: &Source| sizes.of_boids(source, overrides);
    let space = world.space(individuals.as_ref().map(|model| model.depth));
    let place =
        |rules: Option<&IndividualRules>| StartPlace { world: &world, space, max: rules.map_or(0, |own| own.max) };
    let first = place(individuals.as_ref().map(IndividualModel::first));
    let start_spec = start::start(first_source, written(first_source), &first, before)?;
    let features = features(&FeatureSource { source: &source, seed, space, world: &world })?;
    let place = |species: usize| place(individuals.as_ref().map(|model| &model.rules[species]));
    let species = species::all(&source, &species_sources, base_seed, &written, &place, before, is_of_individuals)?;
    let look = species::look(&source, look, &species, is_of_individuals)?;
    let preset = Preset {
        host: host.clone(),
        name: stem(&text.origin),
        description,
        // Individuals have no chain.
        chain: chain.filter(|_| !overrides.individuals),
        seed,
        own_solids: world.solids.clone(),
        world,
        rules,
        individuals,
        features,
        look,
        start_spec,
        species,
        files: files(&source, sizes.own_deep),
        solids,
        terrain,
        source: PresetSource { files: source.contents(), ..text.clone() },
        keys: source,
    };
    check_model(&preset)?;
    Ok(preset)
}

/// Refuses a start that the model of individuals cannot simulate.
fn check_model(preset: &Preset) -> Result<(), BadInput> {
    match preset.individuals {
        Some(_) => IndividualsStart::units(preset).map(drop).map_err(|wrong| preset.locate(wrong)),
        None => Ok(()),
    }
}

fn is_of_individuals(source: &Source, overrides: &Overrides) -> Result<bool, BadInput> {
    let is_of_individuals = source.has_individuals();
    if is_of_individuals && overrides.individuals {
        let cure = "take a preset of the cell system";
        return Err(source.wrong("model", "is \"agents\": it has individuals already, and no cells", cure));
    }
    if !is_of_individuals && source.item("agents").is_some() {
        source.refuse("agents", "model", "remove it, or say model = \"agents\"")?;
    }
    Ok(is_of_individuals)
}

/// The rules of a preset of cells. If individuals follow them, also the rules of the individuals.
fn cells(
    source: &Source,
    first: &Source,
    chain: Option<&Path>,
    overrides: &Overrides,
) -> Result<(Rules, Option<IndividualModel>), BadInput> {
    let rules = numbers::check::rules(first)?;
    if !overrides.individuals {
        return Ok((rules, None));
    }
    let chain = match chain {
        Some(chain) => super::own_chain(source, chain, &mut Texts::default())?,
        None => Chain::load(source.host().as_ref(), chain::DEFAULT)?,
    };
    let individuals = individuals::of_cells(source, &rules, &chain)?;
    Ok((rules, Some(individuals)))
}

/// The sizes of a preset. `own` and `own_deep` are the lattice and the world as the preset gives them. `extents` and
/// `space` are the lattice and the world after overrides.
struct Sizes {
    own: Extents,
    own_deep: Extents,
    extents: Extents,
    space: Extents,
}

impl Sizes {
    /// The extents for which a source gives its number of boids. A number in the preset's text is for the extents in
    /// the text. A number in a setting (`--set`) is for the extents after overrides, except if
    /// [`scales_boids`](Overrides::scales_boids) is true.
    fn of_boids(&self, source: &Source, overrides: &Overrides) -> Extents {
        match source.is_set(&source.own_key("start.boids")) {
            true if !overrides.scales_boids => self.extents,
            _ => self.own,
        }
    }
}

/// The sizes of a preset. In a deep world of individuals, the individuals get the depth, and their lattice is flat.
fn sizes(source: &Source, overrides: &Overrides, individuals: &mut Option<IndividualModel>) -> Result<Sizes, BadInput> {
    let [own_deep, space] = world::sizes(source, overrides)?;
    let is_deep = space.depth.is_some_and(|depth| depth > 1);
    let is_of_individuals = individuals.is_some();
    let played = ConflictCheck { source, is_of_individuals, is_endless: is_endless(source), is_deep };
    let of_features = crate::FEATURES.iter().map(|row| row.conflicts);
    played.check([endless::CONFLICTS, terrain::check::CONFLICTS].into_iter().chain(of_features))?;
    let Some(model) = individuals else { return Ok(Sizes { own: own_deep, own_deep, extents: space, space }) };
    if overrides.individuals && space.depth.is_some() {
        let problem = "the world is deep, and individuals play flat presets of cells";
        return Err(source.wrong("world.size", problem, "take a flat preset"));
    }
    // The lattice of individuals is flat.
    model.depth = individuals::depth(source, space)?;
    Ok(Sizes { own: own_deep.columns(), own_deep, extents: space.columns(), space })
}

/// The world after overrides, the plan of its rock, and its solid bodies. The rock and the solids of `before` are
/// reused if they are equal.
fn world(
    source: &Source,
    overrides: &Overrides,
    sizes: &Sizes,
    seed: u64,
    before: Option<&Preset>,
) -> Result<(World, Option<TerrainPlan>, Vec<Solid>), BadInput> {
    let Sizes { own, own_deep, extents, space } = *sizes;
    let edges = world::edges(source);
    let known =
        (before.and_then(|before| before.terrain.as_ref()), before.and_then(|before| before.world.rock.as_ref()));
    let too_large = |problem| too_large(source, overrides, problem);
    let (terrain, rock) = terrain::check::terrain(source, [own_deep, space], edges, seed, known, too_large)?;
    let (solids, covered) = world::solids(source, extents, rock.as_ref(), before)?;
    let world = World { rock, ..world::world(source, own, extents, space, covered)? };
    Ok((world, terrain, solids))
}

/// Checks that a preset with this number of species fits into memory.
fn check_memory(source: &Source, overrides: &Overrides, extents: Extents, species: usize) -> Result<(), BadInput> {
    // Each rank has one slab.
    let ranks = source.host().ranks();
    let slab = Slab::of_rank(extents, &*ranks);
    memory::check(slab.extents(), memory::PRESET * species.max(1) as u64, source.host().free_memory())
        .map_err(|problem| too_large(source, overrides, problem))
}

/// The features of the world.
fn features(source: &FeatureSource<'_>) -> Result<WorldFeatures, BadInput> {
    let features = crate::FEATURES.iter().filter_map(|row| (row.read)(source).transpose());
    Ok(WorldFeatures(features.collect::<Result<_, _>>()?))
}

/// The pictures and arrays that the preset names. Each layer of a stack is one file.
fn files(source: &Source, space: Extents) -> Vec<PathBuf> {
    let named = source.file_keys().filter_map(|key| {
        let path = source.resolve(&key, source.text(&key)?);
        let is_terrain = key == TERRAIN_FILE;
        Some(if is_terrain { VoxelFile { path, extents: space }.files(source) } else { vec![path] })
    });
    named.flatten().collect()
}

/// Whether individuals of any species use the sight `sight` to meet other species.
pub(super) fn are_met_by(own: &Source, sight: &str) -> bool {
    (0..own.length("species")).any(|index| {
        let table = format!("species[{index}].meets");
        own.names(&table).into_iter().any(|name| own.text(&format!("{table}.{name}.sight")) == Some(sight))
    })
}

/// The error of a size that is too large. It is about the argument `--size` if this is given, else about `world.size`.
pub(super) fn too_large(source: &Source, overrides: &Overrides, problem: String) -> BadInput {
    match overrides.written_size() {
        Some(size) => BadInput::of_argument("size", size, problem, memory::CURE),
        None => source.wrong("world.size", problem, memory::CURE),
    }
}

fn description(source: &Source) -> Result<String, BadInput> {
    let problem = match source.text("description").map(str::trim) {
        None => "is missing",
        Some("") => "is empty",
        Some(text) if text.contains('\n') => "is longer than one line",
        Some(text) => return Ok(text.to_owned()),
    };
    let cure = "add one line that says what there is to see, as in description = \"ribbons that curl at the walls\"";
    Err(source.wrong("description", problem, cure))
}

/// The chain that a preset names. A path is relative to the folder of the preset's file. A bare name stays unchanged.
fn place_of_chain(source: &Source, chain: &str) -> FilePath {
    if super::is_path(chain) { source.resolve("chain", chain).into() } else { chain.into() }
}

/// Reads the look of a preset. The key `look.style` has no effect on individuals.
fn look(source: &Source, extents: Extents, individuals: Option<&IndividualModel>) -> Result<Look, BadInput> {
    let style =
        Style::ALL.into_iter().find(|style| individuals.is_none() && Some(style.name()) == source.word("look.style"));
    let mut perishing = [0; MAX_SPECIES];
    for (own, rules) in perishing.iter_mut().zip(individuals.into_iter().flat_map(|model| &model.rules)) {
        *own = rules.lives.map_or(0, |lives| lives.perishing as u32);
    }
    let own_style = if extents.depth.is_some() { Style::Dusk } else { Style::Cloud };
    let mut look = Look::default();
    source.read(crate::look::keys::KEYS, &mut look)?;
    let (colour, view) = (colouring(source, individuals)?, first_view(source)?);
    Ok(Look { style: style.unwrap_or(own_style), colour, perishing, view, ..look })
}

/// The meaning of the hue. The default is the species if there are several, else the mood of individuals with lives,
/// else the heading.
fn colouring(source: &Source, individuals: Option<&IndividualModel>) -> Result<Colouring, BadInput> {
    let has_lives = individuals.is_some_and(|model| model.rules.iter().any(|rules| rules.lives.is_some()));
    let has_species = source.length("species") > 1;
    let named = source.word("look.colour");
    let own = match (has_species, has_lives) {
        (true, _) => Colouring::Species,
        (false, true) => Colouring::Mood,
        (false, false) => Colouring::Heading,
    };
    let colouring = Colouring::ALL.into_iter().find(|colouring| Some(colouring.name()) == named).unwrap_or(own);
    if colouring == Colouring::Mood && !has_lives {
        let cure =
            "take \"heading\", \"speed\" or \"density\", or give individuals lives by lives.rebirth = \"starved\"";
        return Err(source.wrong("look.colour", "is \"mood\", and nobody here has one", cure));
    }
    if colouring == Colouring::Species && !has_species {
        let cure = "take \"heading\", \"speed\" or \"density\"";
        return Err(source.wrong("look.colour", "is \"species\", and there is only one here", cure));
    }
    Ok(colouring)
}

/// The first eye and target of the view of a deep world, as fractions of the extents; `None`: the preset gives none.
fn first_view(source: &Source) -> Result<Option<[[f32; 3]; 2]>, BadInput> {
    if source.item("look.eye").is_none() {
        if source.item("look.target").is_some() {
            return Err(source.wrong("look.target", "means nothing without look.eye", "add an eye, or remove it"));
        }
        return Ok(None);
    }
    let triple = |key| -> Result<[f32; 3], BadInput> {
        let numbers = source.numbers(key)?;
        Ok(std::array::from_fn(|axis| numbers[axis] as f32))
    };
    let (eye, target) = (
        triple("look.eye")?,
        match source.item("look.target") {
            Some(_) => triple("look.target")?,
            None => [0.5; 3],
        },
    );
    if eye == target {
        return Err(source.wrong(
            "look.eye",
            "is where the eye looks",
            "take another place for it, or for look.target",
        ));
    }
    Ok(Some([eye, target]))
}
