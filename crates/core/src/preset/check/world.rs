//! Reads and checks the world of a preset: extents, edges, margin, capacity, solids and the roost.

use super::individuals::OWN_DEPTH;
use crate::error::BadInput;
use crate::numbers::BOID;
use crate::preset::check::hunters::hunters;
use crate::preset::solids::{self, Solid};
use crate::preset::{Overrides, Preset};
use crate::source::Source;
use crate::source::places::{flat_place, is_endless, middle, of_smallest_extent, places, window, with_depth};
use crate::world::keys::ROOST;
use crate::world::{
    Edges, Extents, MAX_CELLS, MAX_EXTENT, MAX_PLACE_EXTENT, MAX_QUANTA, PARTS, Roost, ScalarField, World,
};
use std::sync::Arc;

const IMPOSSIBLE_SIZE: &str = "there is no lattice of this size";
/// The max number of solids. It is bounded because each cell is tested against each solid.
const MAX_SOLIDS: usize = 256;

/// Reads the extents that the preset gives, and the extents of the world that is simulated, which `--size` may change.
pub(super) fn sizes(source: &Source, overrides: &Overrides) -> Result<[Extents; 2], BadInput> {
    // Numbers beyond 32 bits become the nearest 32-bit number, and are then refused as too large.
    let mut own = match source.unbounded("world.size")[..] {
        [width, height] => Extents::flat(width as u32, height as u32),
        [width, height, depth] => Extents::deep(width as u32, height as u32, depth as u32),
        _ => {
            let cure = "add the cells along each axis, as in size = [256, 256]";
            return Err(source.wrong("world.size", "is missing", cure));
        }
    };
    if let Some(depth) = depth_of_individuals(source)? {
        own.depth = Some(depth).filter(|depth| *depth > 1);
    }
    let has_individuals = source.has_individuals() || overrides.individuals;
    if !is_possible(own, has_individuals) {
        return Err(source.wrong("world.size", IMPOSSIBLE_SIZE, possible_size(own, has_individuals)));
    }
    let (Some((width, height)), Some(written)) = (overrides.size, overrides.written_size()) else {
        return Ok([own, own]);
    };
    let wrong = |problem, cure| Err(BadInput::of_argument("size", &written, problem, cure));
    let played = Extents { width, height, depth: overrides.depth.or(own.depth) };
    match (overrides.depth, own.depth) {
        (Some(_), None) => wrong("the preset's world is flat", format!("give two extents, as in {width}x{height}")),
        _ if !is_possible(played, has_individuals) => wrong(IMPOSSIBLE_SIZE, possible_size(played, has_individuals)),
        _ => Ok([own, played]),
    }
}

/// The depth given by the old key `agents.depth`; `None`: `world.size` gives all extents.
fn depth_of_individuals(source: &Source) -> Result<Option<u32>, BadInput> {
    let key = OWN_DEPTH;
    if !source.has_individuals() || source.item(key).is_none() {
        return Ok(None);
    }
    let depth = source.integer(key)?;
    // If a setting (`--set`) gives the depth, it replaces the depth in the preset, which may be in the other key.
    if source.length("world.size") == 3 && (!source.is_set(key) || source.is_set("world.size")) {
        return Err(source.wrong(key, "world.size has a third extent already", "remove it"));
    }
    Ok(Some(depth as u32))
}

/// Whether a world of cells or individuals may have these extents.
fn is_possible(extents: Extents, has_individuals: bool) -> bool {
    extents.is_possible() && (!has_individuals || extents.has_places())
}

fn possible_size(extents: Extents, has_individuals: bool) -> String {
    let largest = match extents.depth {
        None if !has_individuals => MAX_EXTENT,
        _ => MAX_PLACE_EXTENT,
    };
    let of = if has_individuals { " of a world of individuals" } else { "" };
    format!("each extent{of} must be from 1 to {largest} cells, and all cells together at most {MAX_CELLS}")
}

/// Reads the world that is simulated. `written`: the extents that the preset gives. `space`: the extents with the depth
/// of individuals. `solids`: whether each cell is solid.
pub(super) fn world(
    source: &Source,
    written: Extents,
    extents: Extents,
    space: Extents,
    solids: Arc<Vec<bool>>,
) -> Result<World, BadInput> {
    let hunters = hunters(source, space)?;
    let margin = margin(source, written)?.min(widest_margin(extents));
    Ok(World {
        extents,
        edges: edges(source),
        window: window(source)?,
        margin,
        capacity: capacity(source, extents)?,
        solids,
        obstacles: Arc::default(),
        rock: None,
        hunters,
        roost: roost(source, space)?,
        cuts: None,
    })
}

/// The edges of the lattice. In an endless world, the rim of the window counts as walls.
pub(super) fn edges(source: &Source) -> Edges {
    match source.word("world.edges") {
        Some("walls" | "endless") => Edges::Walls,
        _ => Edges::Torus,
    }
}

/// The max margin at walls, in cells. It leaves half of each axis free.
fn widest_margin(extents: Extents) -> u32 {
    extents.smallest() / 4
}

fn margin(source: &Source, written: Extents) -> Result<u32, BadInput> {
    let key = "world.margin";
    let widest = widest_margin(written);
    let margin = source.integer(key)? as u32;
    match edges(source) {
        Edges::Torus => Ok(0),
        Edges::Walls if margin <= widest => Ok(margin),
        // In a small world the default margin is the max margin.
        Edges::Walls if source.item(key).is_none() => Ok(widest),
        Edges::Walls => {
            let cure = format!("it must be at most a quarter of the smaller extent, here {widest}");
            Err(source.wrong(key, format!("{margin} cells are too wide for this world"), cure))
        }
    }
}

/// The max number of quanta in a cell.
fn capacity(source: &Source, extents: Extents) -> Result<u32, BadInput> {
    let key = "world.capacity";
    let boids = source.unbounded(key).first().copied();
    let cells = extents.cells() as u64 * source.length("species").max(1) as u64;
    let most = u32::try_from(MAX_QUANTA / cells).unwrap_or(u32::MAX);
    let quanta = match boids {
        Some(boids) => (boids * f64::from(BOID)).round(),
        None => f64::from(most.min(u32::MAX - BOID + 1)),
    };
    if (1.0..=f64::from(most)).contains(&quanta) {
        return Ok(quanta as u32);
    }
    let problem = if quanta > f64::from(most) && most < u32::MAX {
        format!("is more than a cell can hold where there are {cells} of them")
    } else {
        "is no number of boids that a cell can hold".into()
    };
    // Rounded down to five decimals, so that the number in the message is possible.
    let most = (f64::from(most) / f64::from(BOID) * 1e5).floor() / 1e5;
    Err(source.wrong(key, problem, format!("it must be above 0 and at most {most}")))
}

/// Reads the solid bodies. Returns them, and for each cell whether a body or rock covers it. If `before` has equal
/// bodies and equal rock, its flags are reused.
pub(super) fn solids(
    source: &Source,
    extents: Extents,
    rock: Option<&Arc<ScalarField>>,
    before: Option<&Preset>,
) -> Result<(Vec<Solid>, Arc<Vec<bool>>), BadInput> {
    let count = source.length("world.solid");
    if count > MAX_SOLIDS {
        let cure = format!("at most {MAX_SOLIDS} are possible; a mask can draw any number of them");
        return Err(source.wrong("world.solid", format!("there are {count} solids"), cure));
    }
    let key = |index: usize| format!("world.solid[{index}]");
    let solids = (0..count).map(|index| solid(source, &key(index), extents)).collect::<Result<Vec<_>, _>>()?;
    let edges = edges(source);
    let is_same = |before: &&Preset| {
        before.solids == solids
            && (before.world.extents, before.world.edges) == (extents, edges)
            && before.world.rock.as_ref() == rock
    };
    let before = before.filter(is_same);
    let mut masks = Vec::new();
    for (index, solid) in solids.iter().enumerate() {
        let Solid::Mask(path) = solid else { continue };
        if before.is_some() {
            source.content(path);
        } else {
            masks.push(source.raster(&format!("{}.mask", key(index)), path, false)?.resampled(extents.columns()));
        }
    }
    let cells = before.map(|before| before.own_solids.clone());
    let cells = cells.unwrap_or_else(|| {
        let mut cells = solids::paint(&solids, &masks, extents, edges);
        // The window of an endless world moves, so its rock cannot be solid cells at fixed places. Such rock is only in
        // the field of distances from rock.
        if let Some(field) = rock.filter(|_| !is_endless(source)) {
            let rock = if extents.depth.is_some() { field.rock() } else { field.columns_of_rock() };
            cells.resize(rock.len(), false);
            cells.iter_mut().zip(rock).for_each(|(solid, rock)| *solid |= rock);
        }
        Arc::new(cells)
    });
    Ok((solids, cells))
}

fn solid(source: &Source, key: &str, extents: Extents) -> Result<Solid, BadInput> {
    let form = source.choice(key, &["circle", "rectangle", "mask", "ball", "box"])?;
    let of_form = |name: &str| format!("{key}.{}.{name}", form.unwrap_or_default());
    if let (Some(form @ ("ball" | "box")), None) = (form, extents.depth) {
        let cure = if form == "ball" { "say circle instead of ball" } else { "say rectangle instead of box" };
        let problem = if source.has_individuals() {
            "is of space, and solids of individuals are columns"
        } else {
            "is deep, and the world is flat"
        };
        return Err(source.wrong(&format!("{key}.{form}"), problem, cure));
    }
    let radius = |of: Extents| Ok(of_smallest_extent(source.decimal(&of_form("radius"))?, of, PARTS) as i32);
    let deep_point = |key: &str| {
        let places = places(source, key, extents)?;
        Ok(places.first().map_or([0; 3], |place| with_depth(*place, extents)))
    };
    let corners = || {
        let keys = ["from", "to"].map(of_form);
        let [from, to] = keys.each_ref().map(|key| source.unbounded(key));
        if from.iter().zip(&to).any(|(from, to)| from > to) {
            let cure = "`from` is the corner with the smaller fractions on every axis";
            return Err(source.wrong(&keys[1], "lies before `from`", cure));
        }
        Ok(keys)
    };
    Ok(match form {
        Some("circle") => {
            Solid::Circle { centre: flat_place(source, &of_form("at"), extents)?, radius: radius(extents.columns())? }
        }
        Some("rectangle") => {
            let [from, to] = corners()?;
            Solid::Rectangle { from: flat_place(source, &from, extents)?, to: flat_place(source, &to, extents)? }
        }
        Some("ball") => Solid::Ball { centre: deep_point(&of_form("at"))?, radius: radius(extents)? },
        Some("box") => {
            let [from, to] = corners()?;
            Solid::Box { from: deep_point(&from)?, to: deep_point(&to)? }
        }
        Some(_) => {
            let key = format!("{key}.mask");
            Solid::Mask(source.resolve(&key, source.text(&key).unwrap_or_default()))
        }
        None => {
            let cure = "add circle, rectangle or mask, as in circle = { at = [0.5, 0.5], radius = 0.1 }";
            return Err(source.wrong(key, "says no form", cure));
        }
    })
}

fn roost(source: &Source, space: Extents) -> Result<Roost, BadInput> {
    let place = places(source, "roost.at", space)?.pop().unwrap_or(middle(space).into());
    let mut roost = Roost { place: with_depth(place, space), vertical: 0 };
    source.read(ROOST, &mut roost)?;
    Ok(roost)
}
