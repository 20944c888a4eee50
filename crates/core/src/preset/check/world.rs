//! The world: extents, edges, margin, capacity, solids and the hunter.

use super::{fixed, place, point};
use crate::error::BadInput;
use crate::numbers::{BOID, RULE_ONE};
use crate::preset::Preset;
use crate::preset::solids::{self, Solid};
use crate::preset::source::Source;
use crate::preset::spec::{self, Spec};
use crate::world::{Edges, Extents, Hunter, LARGEST_EXTENT, Mood, PARTS, World};
use std::sync::Arc;

pub(super) const IMPOSSIBLE_SIZE: &str = "there is no lattice of this size";
pub(super) const POSSIBLE_SIZE: &str = "each extent must be from 1 to 16384 cells";
/// Every cell is held against every solid, so their number is bounded.
const MOST_SOLIDS: usize = 256;
const MOST_CORNERS: usize = 1024;

pub(super) fn is_possible(extents: Extents) -> bool {
    [extents.width, extents.height].iter().all(|extent| (1..=LARGEST_EXTENT).contains(extent))
}

/// The extents that the preset names.
pub(super) fn size(source: &Source, world: &spec::World) -> Result<Extents, BadInput> {
    let Some(size) = world.size else {
        return Err(source.wrong("world.size", "is missing", "add the cells along each axis, as in size = [256, 256]"));
    };
    // What does not fit in 32 bits is as impossible as 0.
    let [width, height] = size.0.map(|extent| u32::try_from(extent).unwrap_or(0));
    let extents = Extents { width, height };
    if is_possible(extents) { Ok(extents) } else { Err(source.wrong("world.size", IMPOSSIBLE_SIZE, POSSIBLE_SIZE)) }
}

/// The world on the extents that are played, which differ from those `written` if `--size` names others.
/// `solids`: the flags of the solid cells.
pub(super) fn world(
    source: &Source,
    spec: &Spec,
    written: Extents,
    extents: Extents,
    solids: Arc<Vec<bool>>,
) -> Result<World, BadInput> {
    Ok(World {
        extents,
        edges: edges(&spec.world),
        margin: margin(source, &spec.world, written)?.min(widest_margin(extents)),
        capacity: capacity(source, &spec.world)?,
        hunter: spec.hunter.as_ref().map(|hunter| self::hunter(source, hunter, extents)).transpose()?,
        solids,
    })
}

fn edges(world: &spec::World) -> Edges {
    match world.edges {
        spec::Edges::Torus => Edges::Torus,
        spec::Edges::Walls => Edges::Walls,
    }
}

/// The widest margin: half of each axis stays free between the margins.
fn widest_margin(extents: Extents) -> u32 {
    extents.width.min(extents.height) / 4
}

fn margin(source: &Source, world: &spec::World, written: Extents) -> Result<u32, BadInput> {
    let key = "world.margin";
    let margin = source.whole(key, world.margin)? as u32;
    if world.edges == spec::Edges::Torus {
        return Ok(0);
    }
    let widest = widest_margin(written);
    if margin > widest {
        let cure = format!("it must be at most a quarter of the smaller extent, here {widest}");
        return Err(source.wrong(key, format!("{margin} cells are too wide for this world"), cure));
    }
    Ok(margin)
}

/// The capacity of a cell in quanta.
fn capacity(source: &Source, world: &spec::World) -> Result<u32, BadInput> {
    let quanta = world.capacity.map_or(f64::from(u32::MAX - BOID + 1), |boids| (boids * f64::from(BOID)).round());
    if (1.0..=f64::from(u32::MAX)).contains(&quanta) {
        return Ok(quanta as u32);
    }
    let problem = "is no number of boids that a cell can hold";
    Err(source.wrong("world.capacity", problem, "it must be above 0 and at most 65535.99998"))
}

/// The solid bodies on a lattice, and the flags of the cells that they cover. The flags of `before` are used again if its
/// bodies were the same.
pub(super) fn solids(
    source: &Source,
    world: &spec::World,
    extents: Extents,
    before: Option<&Preset>,
) -> Result<(Vec<Solid>, Arc<Vec<bool>>), BadInput> {
    if world.solid.len() > MOST_SOLIDS {
        let problem = format!("there are {} solids", world.solid.len());
        let cure = format!("at most {MOST_SOLIDS} are possible; a mask can draw any number of them");
        return Err(source.wrong("world.solid", problem, cure));
    }
    let solid = |(index, spec)| solid(source, &format!("world.solid[{index}]"), spec, extents);
    let solids = world.solid.iter().enumerate().map(solid).collect::<Result<Vec<_>, _>>()?;
    let edges = edges(world);
    let is_same =
        |before: &&Preset| before.solids == solids && (before.world.extents, before.world.edges) == (extents, edges);
    if let Some(before) = before.filter(is_same) {
        for solid in &solids {
            if let Solid::Mask(path) = solid {
                source.content(path);
            }
        }
        return Ok((solids, before.own_solids.clone()));
    }
    let mut masks = Vec::new();
    for (index, solid) in solids.iter().enumerate() {
        if let Solid::Mask(path) = solid {
            let picture = source.picture(&format!("world.solid[{index}].mask"), path)?;
            masks.push(picture.resampled(extents));
        }
    }
    let cells = solids::paint(&solids, &masks, extents, edges);
    Ok((solids, Arc::new(cells)))
}

fn solid(source: &Source, key: &str, spec: &spec::Solid, extents: Extents) -> Result<Solid, BadInput> {
    let forms =
        [("circle", spec.circle.is_some()), ("rectangle", spec.rectangle.is_some()), ("mask", spec.mask.is_some())];
    source.choice(key, &forms)?;
    if let Some(spec::Circle { at, radius }) = &spec.circle {
        let centre = point(source, &format!("{key}.circle.at"), *at, extents)?;
        let radius = source.decimal(&format!("{key}.circle.radius"), Some(*radius))?;
        return Ok(Solid::Circle { centre, radius: of_smaller_extent(radius, extents, PARTS) as i32 });
    }
    if let Some(spec::Rectangle { from, to }) = &spec.rectangle {
        let (from_key, to_key) = (format!("{key}.rectangle.from"), format!("{key}.rectangle.to"));
        if from.0[0] > to.0[0] || from.0[1] > to.0[1] {
            let cure = "`from` is the corner with the smaller fractions on both axes";
            return Err(source.wrong(&to_key, "lies before `from`", cure));
        }
        let from = point(source, &from_key, *from, extents)?;
        return Ok(Solid::Rectangle { from, to: point(source, &to_key, *to, extents)? });
    }
    if let Some(path) = &spec.mask {
        return Ok(Solid::Mask(source.resolve(&format!("{key}.mask"), path)));
    }
    Err(source.wrong(
        key,
        "says no form",
        "add circle, rectangle or mask, as in circle = { at = [0.5, 0.5], radius = 0.1 }",
    ))
}

/// A fraction of the smaller extent, in units of 1/`one` of a cell.
pub(super) fn of_smaller_extent(fraction: f64, extents: Extents, one: i32) -> i64 {
    fixed(fraction * f64::from(extents.width.min(extents.height)), one)
}

fn hunter(source: &Source, hunter: &spec::Hunter, extents: Extents) -> Result<Hunter, BadInput> {
    let reach = source.whole("hunter.reach", hunter.reach)? as u32;
    let walks =
        source.choice("hunter", &[("at", hunter.at.is_some()), ("path", hunter.path.is_some())])? == Some("path");
    if hunter.speed.is_some() && !walks {
        source.stray("hunter.speed", "hunter.at", "only a hunter with a path walks: remove it, or give a path")?;
    }
    let speed = source.decimal("hunter.speed", hunter.speed)?;
    Ok(Hunter {
        mood: match hunter.mood {
            spec::Mood::Flee => Mood::Flee,
            spec::Mood::Follow => Mood::Follow,
        },
        reach,
        path: if walks { path(source, hunter, extents)? } else { vec![stand(source, hunter, extents)?] },
        speed: if walks { fixed(speed, RULE_ONE) as u32 } else { 0 },
        jaws: source.whole("hunter.jaws", hunter.jaws)? as u32,
    })
}

fn stand(source: &Source, hunter: &spec::Hunter, extents: Extents) -> Result<[i32; 2], BadInput> {
    match hunter.at {
        Some(at) => point(source, "hunter.at", at, extents),
        None => Ok([place(0.5, extents.width), place(0.5, extents.height)]),
    }
}

fn path(source: &Source, hunter: &spec::Hunter, extents: Extents) -> Result<Vec<[i32; 2]>, BadInput> {
    let (key, corners) = ("hunter.path", hunter.path.as_deref().unwrap_or_default());
    if !(1..=MOST_CORNERS).contains(&corners.len()) {
        let cure = format!("give from 1 to {MOST_CORNERS} points, as in [[0.2, 0.2], [0.8, 0.5]]");
        return Err(source.wrong(key, format!("has {} points", corners.len()), cure));
    }
    corners.iter().map(|corner| point(source, key, *corner, extents)).collect()
}
