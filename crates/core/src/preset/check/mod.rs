//! Checks a preset: holds every value against the bounds of its key, and converts it to the units of the exact arithmetic.
//! The simulation uses no floating-point number of a preset.

mod agents;
mod individuals;
mod rules;
mod start;
mod world;

use super::source::Source;
use super::spec::{self, Spec};
use super::{AgentModel, Colouring, Individuals, Look, Overrides, Preset, PresetSource};
use crate::chain::{self, Chain};
use crate::error::BadInput;
use crate::memory;
use crate::rules::Rules;
use crate::text::stem;
use crate::texts::Texts;
use crate::world::Extents;
use std::path::PathBuf;
use std::sync::Arc;

/// The preset that a text and its overrides describe. `before`: the preset of which only the overrides were changed; what
/// did not change of its solids and files is taken over.
pub(super) fn preset(
    source: &Arc<Source>,
    spec: &Spec,
    text: &PresetSource,
    before: Option<&Preset>,
) -> Result<Preset, BadInput> {
    let overrides = &text.overrides;
    let description = description(source, spec)?;
    let seed = match overrides.seed {
        Some(seed) => seed,
        None => source.whole("seed", spec.seed)?.unsigned_abs(),
    };
    let (rules, agents) = match spec.model {
        spec::Model::Cell => {
            if spec.agents.is_some() {
                source.stray("agents", "model", "remove it, or say model = \"agents\"")?;
            }
            let rules = rules::rules(source, spec)?;
            let agents = overrides.individuals.then(|| cells_as_individuals(source, spec, &rules)).transpose()?;
            (rules, agents)
        }
        spec::Model::Agents if overrides.individuals => {
            let cure = "take a preset of the cell system";
            return Err(source.wrong("model", "is \"agents\": it has individuals already, and no cells", cure));
        }
        spec::Model::Agents => (agents::no_cells(), Some(agents::model(source, spec)?)),
    };
    let look = look(source, &spec.look)?;
    let own = world::size(source, &spec.world)?;
    let extents = match overrides.size {
        Some((width, height)) => other_size(width, height)?,
        None => own,
    };
    if before.is_none_or(|before| before.world.extents != extents) {
        memory::check(extents, memory::PRESET, source.host().free_memory())
            .map_err(|problem| too_large(source, overrides, problem))?;
    }
    let (solids, own_solids) = world::solids(source, &spec.world, extents, before)?;
    let world = world::world(source, spec, own, extents, own_solids.clone())?;
    let start_spec = start::start(source, &spec.start, own, &world, before)?;
    // A chain of cells means nothing to individuals.
    let own_chain = spec.chain.as_ref().filter(|_| !overrides.individuals);
    let chain = own_chain.map(|chain| place_of_chain(source, chain));
    let preset = Preset {
        name: stem(&text.origin),
        description,
        chain,
        seed,
        world,
        rules,
        agents,
        look,
        start_spec,
        files: files(source, spec),
        solids,
        own_solids,
        keys: source.clone(),
        source: PresetSource { files: source.contents(), ..text.clone() },
    };
    if preset.agents.is_some() {
        Individuals::check(&preset).map_err(|wrong| preset.locate(wrong))?;
    }
    Ok(preset)
}

/// The individuals of a preset of the cell system.
fn cells_as_individuals(source: &Source, spec: &Spec, rules: &Rules) -> Result<AgentModel, BadInput> {
    let chain = match &spec.chain {
        Some(chain) => super::own_chain(source, &place_of_chain(source, chain), &mut Texts::default())?,
        None => Chain::load(source.host().as_ref(), chain::DEFAULT)?,
    };
    individuals::model(source, rules, &chain)
}

/// A complaint about the size, at the place that names it.
pub(super) fn too_large(source: &Source, overrides: &Overrides, problem: String) -> BadInput {
    match overrides.size {
        Some((width, height)) => BadInput::new(format!("--size {width}x{height}"), problem, memory::CURE),
        None => source.wrong("world.size", problem, memory::CURE),
    }
}

fn description(source: &Source, spec: &Spec) -> Result<String, BadInput> {
    let cure = "add one line that says what there is to see, as in description = \"ribbons that curl at the walls\"";
    match spec.description.as_deref().map(str::trim) {
        None => Err(source.wrong("description", "is missing", cure)),
        Some("") => Err(source.wrong("description", "is empty", cure)),
        Some(text) if text.contains('\n') => Err(source.wrong("description", "is longer than one line", cure)),
        Some(text) => Ok(text.to_owned()),
    }
}

fn other_size(width: u32, height: u32) -> Result<Extents, BadInput> {
    let extents = Extents { width, height };
    if world::is_possible(extents) {
        return Ok(extents);
    }
    Err(BadInput::new(format!("--size {width}x{height}"), world::IMPOSSIBLE_SIZE, world::POSSIBLE_SIZE))
}

/// The files that the preset names, but for its chain.
fn files(source: &Source, spec: &Spec) -> Vec<PathBuf> {
    let masks = spec.world.solid.iter().enumerate().filter_map(|(index, solid)| {
        let mask = solid.mask.as_ref()?;
        Some(source.resolve(&format!("world.solid[{index}].mask"), mask))
    });
    masks.chain(spec.start.file.as_ref().map(|file| source.resolve("start.file", file))).collect()
}

/// A chain's name as it is, and a chain's path beside the preset's file.
fn place_of_chain(source: &Source, chain: &str) -> String {
    if super::is_path(chain) { source.resolve("chain", chain).to_string_lossy().into_owned() } else { chain.to_owned() }
}

fn look(source: &Source, look: &spec::Look) -> Result<Look, BadInput> {
    let decimal = |key, value| source.decimal(key, value).map(|value| value as f32);
    Ok(Look {
        exposure: decimal("look.exposure", look.exposure)?,
        bloom: decimal("look.bloom", look.bloom)?,
        hue: decimal("look.hue", look.hue)?,
        colour: match look.colour {
            spec::Colouring::Heading => Colouring::Heading,
            spec::Colouring::Speed => Colouring::Speed,
            spec::Colouring::Density => Colouring::Density,
        },
        point_size: decimal("look.point_size", look.point_size)?,
        trails: decimal("look.trails", look.trails)?,
    })
}

/// A decimal in units of 1/`one`, to nearest.
fn fixed(value: f64, one: i32) -> i64 {
    (value * f64::from(one)).round() as i64
}

/// The place of a fraction of an extent, in 1/16 cell from the centre of the first cell, held inside the lattice.
///
/// It is counted in billionths and from the middle, so that mirrored fractions (0.3 and 0.7) have mirrored places,
/// whatever a decimal lacks in binary. The fraction is within 0 and 1.
fn place(fraction: f64, extent: u32) -> i32 {
    const BILLION: i64 = 1_000_000_000;
    let parts = i64::from(crate::world::PARTS) * i64::from(extent);
    let from_middle = (2 * (fraction * BILLION as f64).round() as i64 - BILLION) * parts;
    let rounded = (from_middle.abs() + BILLION) / (2 * BILLION) * from_middle.signum();
    let half_a_cell = i64::from(crate::world::PARTS / 2);
    (rounded + parts / 2 - half_a_cell).clamp(0, parts - 2 * half_a_cell) as i32
}

/// The place of a point given in fractions of the extents, in 1/16 cell.
fn point(source: &Source, key: &str, fractions: spec::Fractions, extents: Extents) -> Result<[i32; 2], BadInput> {
    let spec::Pair([x, y]) = fractions;
    source.decimal(key, Some(x))?;
    source.decimal(key, Some(y))?;
    Ok([place(x, extents.width), place(y, extents.height)])
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
