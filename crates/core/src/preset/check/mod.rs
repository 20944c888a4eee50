//! Checks a preset: holds every value against the bounds of its key, and converts it to the units of the exact arithmetic.
//! The simulation uses no floating-point number of a preset.

mod endless;
mod hunters;
mod individuals;
mod rules;
mod species;
mod start;
mod terrain;
mod world;

use super::terrain::VoxelFile;
use super::{Colouring, IndividualModel, IndividualsStart, Look, Overrides, Preset, PresetSource, Style};
use crate::chain::{self, Chain};
use crate::contents::Texts;
use crate::error::BadInput;
use crate::file_path::FilePath;
use crate::individuals::Space;
use crate::memory;
use crate::numbers::{Vector3, fixed};
use crate::rules::Rules;
use crate::source::{Source, TERRAIN_FILE};
use crate::species::MOST_SPECIES;
use crate::text::stem;
use crate::world::{Extents, PARTS, Place, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The preset that a text and its overrides describe. `before`: the preset of which only the overrides were changed; what
/// did not change of its solids and files is taken over.
pub(super) fn preset(source: Arc<Source>, text: &PresetSource, before: Option<&Preset>) -> Result<Preset, BadInput> {
    let overrides = &text.overrides;
    let description = description(&source)?;
    let seed = overrides.seed.map_or_else(|| source.whole("seed").map(i64::unsigned_abs), Ok)?;
    let is_of_individuals = is_of_individuals(&source, overrides)?;
    let base_seed = (overrides.seed.is_some() || source.item("seed").is_some()).then_some(seed);
    let species_sources = species::sources(&source, overrides.individuals)?;
    let first_source = species_sources.first().map_or(&*source, |(_, own)| own);
    let chain = source.text("chain").map(|chain| place_of_chain(&source, chain));
    let (rules, mut individuals) = match is_of_individuals {
        true => (Rules::default(), Some(species::model(&source, &species_sources, seed, base_seed)?)),
        false => cells(&source, first_source, chain.as_deref(), overrides)?,
    };
    let Sizes { own, own_deep, extents, space } = sizes(&source, overrides, &mut individuals)?;
    let look = look(&source, extents, individuals.as_ref())?;
    if before.is_none_or(|before| before.world.extents != extents) {
        check_memory(&source, overrides, extents, species_sources.len())?;
    }
    let (terrain, field) = world::terrain(&source, [own_deep, space], seed, overrides, before)?;
    let (solids, own_solids) = world::solids(&source, extents, field.as_ref(), before)?;
    let world = World { rock: field, ..world::world(&source, own, extents, space, own_solids.clone())? };
    // A number of boids that was set beside a size is one on that size.
    let written = |source: &Source| match source.is_set(&source.own_key("start.boids")) {
        true if !overrides.scales_boids => extents,
        _ => own,
    };
    let start_spec = start::start(first_source, written(first_source), &world, before)?;
    let depth = individuals.as_ref().map_or(space.slices(), |model| model.depth);
    let food_space = Space { extents: [extents.width, extents.height, depth], edges: world.edges };
    let food = crate::food::check::lattice(&source, seed, food_space, &world)?.map(Arc::new);
    let species = species::all(&source, &species_sources, base_seed, &written, &world, before, is_of_individuals)?;
    let look = species::look(&source, look, &species, is_of_individuals)?;
    drop(species_sources);
    let preset = Preset {
        name: stem(&text.origin),
        description,
        // A chain of cells means nothing to individuals.
        chain: chain.filter(|_| !overrides.individuals),
        seed,
        world,
        rules,
        individuals,
        food,
        look,
        start_spec,
        species,
        files: files(&source, own_deep),
        solids,
        own_solids,
        terrain,
        source: PresetSource { files: source.contents(), ..text.clone() },
        keys: source,
    };
    check_model(&preset)?;
    Ok(preset)
}

/// Refuses what one of the models cannot play.
fn check_model(preset: &Preset) -> Result<(), BadInput> {
    match preset.individuals {
        Some(_) => IndividualsStart::units(preset).map(drop).map_err(|wrong| preset.locate(wrong)),
        None => Ok(()),
    }
}

/// Whether a preset is one of individuals.
fn is_of_individuals(source: &Source, overrides: &Overrides) -> Result<bool, BadInput> {
    let is_of_individuals = source.has_individuals();
    if is_of_individuals && overrides.individuals {
        let cure = "take a preset of the cell system";
        return Err(source.wrong("model", "is \"agents\": it has individuals already, and no cells", cure));
    }
    if !is_of_individuals && source.item("agents").is_some() {
        source.stray("agents", "model", "remove it, or say model = \"agents\"")?;
    }
    Ok(is_of_individuals)
}

/// The rules of a preset of cells, and where they are to be played by individuals those of these.
fn cells(
    source: &Source,
    first: &Source,
    chain: Option<&Path>,
    overrides: &Overrides,
) -> Result<(Rules, Option<IndividualModel>), BadInput> {
    let rules = rules::rules(first)?;
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

/// The extents of a preset as it is written, and as they are overridden: those of its lattice, and those of its space.
struct Sizes {
    own: Extents,
    own_deep: Extents,
    extents: Extents,
    space: Extents,
}

/// The sizes of a preset. Individuals of a deep world have its depth, and their lattice is flat.
fn sizes(source: &Source, overrides: &Overrides, individuals: &mut Option<IndividualModel>) -> Result<Sizes, BadInput> {
    let [own_deep, space] = world::sizes(source, overrides)?;
    endless::check(source, individuals.is_some(), space.depth.is_some_and(|depth| depth > 1))?;
    let Some(model) = individuals else { return Ok(Sizes { own: own_deep, own_deep, extents: space, space }) };
    if overrides.individuals && space.depth.is_some() {
        let problem = "the world is deep, and individuals play flat presets of cells";
        return Err(source.wrong("world.size", problem, "take a flat preset"));
    }
    // What the lattice sees of individuals is flat.
    model.depth = individuals::depth(source, space)?;
    Ok(Sizes { own: own_deep.columns(), own_deep, extents: space.columns(), space })
}

/// Whether a preset of so many species fits into memory.
fn check_memory(source: &Source, overrides: &Overrides, extents: Extents, species: usize) -> Result<(), BadInput> {
    memory::check(extents, memory::PRESET * species.max(1) as u64, source.host().free_memory())
        .map_err(|problem| too_large(source, overrides, problem))
}

/// The pictures and arrays that the preset names, each layer of a stack by itself.
fn files(source: &Source, space: Extents) -> Vec<PathBuf> {
    let named = source.file_keys().filter_map(|key| {
        let path = source.resolve(&key, source.text(&key)?);
        let is_terrain = key == TERRAIN_FILE;
        Some(if is_terrain { VoxelFile { path, extents: space }.files(source) } else { vec![path] })
    });
    named.flatten().collect()
}

/// Whether a species of individuals meets another through the sight of a name.
pub(super) fn are_met_by(own: &Source, sight: &str) -> bool {
    (0..own.length("species")).any(|index| {
        let table = format!("species[{index}].meets");
        own.names(&table).into_iter().any(|name| own.text(&format!("{table}.{name}.sight")) == Some(sight))
    })
}

/// A fraction of the smallest extent, in units of 1/`one` of a cell.
fn of_smallest_extent(fraction: f64, extents: Extents, one: i32) -> i64 {
    fixed(fraction * f64::from(extents.smallest()), one)
}

/// A complaint about the size, at the place that names it.
pub(super) fn too_large(source: &Source, overrides: &Overrides, problem: String) -> BadInput {
    match overrides.written_size() {
        Some(size) => BadInput::new(format!("--size {size}"), problem, memory::CURE),
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

/// A chain's name as it is, and a chain's path beside the preset's file.
fn place_of_chain(source: &Source, chain: &str) -> FilePath {
    if super::is_path(chain) { source.resolve("chain", chain).into() } else { chain.into() }
}

/// Individuals are drawn in one style.
fn look(source: &Source, extents: Extents, individuals: Option<&IndividualModel>) -> Result<Look, BadInput> {
    let style =
        Style::ALL.into_iter().find(|style| individuals.is_none() && Some(style.name()) == source.word("look.style"));
    let mut perishing = [0; MOST_SPECIES];
    for (own, rules) in perishing.iter_mut().zip(individuals.into_iter().flat_map(IndividualModel::species)) {
        *own = rules.lives.map_or(0, |lives| lives.perishing as u32);
    }
    let own_style = if extents.depth.is_some() { Style::Dusk } else { Style::Cloud };
    let mut look = Look::default();
    source.read(super::look::keys::KEYS, &mut look)?;
    let (colour, view) = (colouring(source, individuals)?, first_view(source)?);
    Ok(Look { style: style.unwrap_or(own_style), colour, perishing, view, ..look })
}

/// What the hue says: the species where there are several, of individuals their mood where they have lives, unless the preset says
/// otherwise.
fn colouring(source: &Source, individuals: Option<&IndividualModel>) -> Result<Colouring, BadInput> {
    let has_lives = individuals.is_some_and(|model| model.species().any(|rules| rules.lives.is_some()));
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

/// The eye from which a deep world is first seen, and what it looks at, if the preset says so.
fn first_view(source: &Source) -> Result<Option<[[f32; 3]; 2]>, BadInput> {
    if source.item("look.eye").is_none() {
        if source.item("look.target").is_some() {
            return Err(source.wrong("look.target", "means nothing without look.eye", "add an eye, or remove it"));
        }
        return Ok(None);
    }
    let point = |key| -> Result<[f32; 3], BadInput> {
        let numbers = source.numbers(key)?;
        Ok(std::array::from_fn(|axis| numbers[axis] as f32))
    };
    let (eye, target) = (
        point("look.eye")?,
        match source.item("look.target") {
            Some(_) => point("look.target")?,
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

/// The place of a fraction of an extent, in 1/16 cell from the centre of the first cell, held inside the lattice.
///
/// It is counted in billionths and from the middle, so that mirrored fractions (0.3 and 0.7) have mirrored places,
/// whatever a decimal lacks in binary. The fraction is within 0 and 1.
fn place(fraction: f64, extent: u32) -> i32 {
    const BILLION: i64 = 1_000_000_000;
    let parts = i64::from(PARTS) * i64::from(extent);
    let from_middle = (2 * (fraction * BILLION as f64).round() as i64 - BILLION) * parts;
    let rounded = (from_middle.abs() + BILLION) / (2 * BILLION) * from_middle.signum();
    let half_a_cell = i64::from(PARTS / 2);
    (rounded + parts / 2 - half_a_cell).clamp(0, parts - 2 * half_a_cell) as i32
}

/// The points of a key, in 1/16 cell.
fn points(source: &Source, key: &str, extents: Extents) -> Result<Vec<[i32; 2]>, BadInput> {
    let place = |[x, y]: [f64; 2]| [place(x, extents.width), place(y, extents.height)];
    Ok(source.points(key)?.into_iter().map(place).collect())
}

/// The places of a key: in a deep world columns of two numbers and points of three.
fn places(source: &Source, key: &str, extents: Extents) -> Result<Vec<Place>, BadInput> {
    let place = |vector: Vec<f64>| {
        let along = |axis: usize| place(vector[axis], extents.along_axes()[axis]);
        match (vector.len(), extents.depth) {
            (2, _) => Ok(Place::Column([along(0), along(1)])),
            (_, Some(_)) => Ok(Place::Deep([along(0), along(1), along(2)])),
            (_, None) => {
                let cure = "give two, or a third extent to world.size";
                Err(source.wrong(key, "has a place of three numbers in a flat world", cure))
            }
        }
    };
    source.vectors(key)?.into_iter().map(place).collect()
}

/// A place in space; a column at the middle of z, which is 0 in a flat world.
fn with_depth(place_or_column: Place, extents: Extents) -> Vector3 {
    match place_or_column {
        Place::Column([x, y]) => [x, y, place(0.5, extents.slices())],
        Place::Deep(place) => place,
    }
}

/// The only point of a key, in 1/16 cell; the middle, if the key is left out.
fn point(source: &Source, key: &str, extents: Extents) -> Result<[i32; 2], BadInput> {
    Ok(points(source, key, extents)?.pop().unwrap_or_else(|| middle(extents)))
}

fn middle(extents: Extents) -> [i32; 2] {
    [place(0.5, extents.width), place(0.5, extents.height)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_fractions_have_mirrored_places() {
        for extent in [1, 2, 7, 250, 255, 256, 16_384] {
            let last = (extent as i32 - 1) * 16;
            for thousandth in 0..=1000 {
                let (left, right) = (f64::from(thousandth) / 1000.0, f64::from(1000 - thousandth) / 1000.0);
                assert_eq!(place(left, extent), last - place(right, extent), "{left} of {extent}");
            }
            // These lie exactly between two places, but their decimals do not in binary.
            for (left, right) in [(0.499875, 0.500125), (0.000125, 0.999875), (0.1875, 0.8125)] {
                assert_eq!(place(left, extent), last - place(right, extent), "{left} of {extent}");
            }
        }
    }

    #[test]
    fn places_are_those_of_cell_centres() {
        assert_eq!(place(0.5, 256), 127 * 16 + 8);
        assert_eq!(place(0.5, 5), 2 * 16);
        assert_eq!(place(0.0, 256), 0);
        assert_eq!(place(1.0, 256), 255 * 16);
        assert_eq!(place(0.25, 256), 64 * 16 - 8);
        assert_eq!(place(0.3, 1), 0);
    }
}
