//! Reads and checks the start of a preset: the number of boids, their shape and their headings.

use crate::error::BadInput;
use crate::keys::rows::INDIVIDUALS_ONLY;
use crate::numbers::{BOID, Vector3};
use crate::preset::Preset;
use crate::preset::headings::Headings;
use crate::preset::start::arrays::{StartArrays, VELOCITIES};
use crate::preset::start::keys::{KEYS, StartNumbers};
use crate::preset::start::{Centres, FILE, PARTS_OF_A_LENGTH, RasterFile, Shape, StartSpec, capacity_of};
use crate::source::Source;
use crate::source::places::{of_smallest_extent, place, places, with_depth};
use crate::world::{Extents, Space, World};
use std::sync::Arc;

const AT: &str = "start.at";

/// The world in which a start must fit.
pub(super) struct StartPlace<'a> {
    pub world: &'a World,
    /// The space of the swarm. For individuals it has their depth.
    pub space: Space,
    /// The max speed of individuals, in cells a step (Q14).
    pub max: i32,
}

/// Reads the start of the simulated world. `written`: the extents that the preset gives. If the world has other
/// extents, the number of boids is scaled, so that the density stays the same. `before`: an earlier version of the
/// preset. A file of the start is not read again if `before` has read it for an equal world.
pub(super) fn start(
    source: &Source,
    written: Extents,
    at: &StartPlace<'_>,
    before: Option<&Preset>,
) -> Result<StartSpec, BadInput> {
    let world = at.world;
    let mut numbers = StartNumbers::default();
    source.read(KEYS, &mut numbers)?;
    let headings = headings(source, at, &numbers)?;
    let run_in = numbers.run_in;
    if source.word("start.shape") == Some("positions") {
        let arrays = arrays(source, written, at, before)?;
        let quanta = arrays.positions.len() as u64 * u64::from(BOID);
        return Ok(StartSpec { quanta, shape: Shape::Arrays(arrays), headings, run_in });
    }
    if source.word("start.shape") == Some("array") && source.item("start.boids").is_none() {
        if world.extents != written {
            let cure = format!("leave the size at {written}, or say start.boids");
            return Err(other_size(world, "the start is an array of quanta", cure));
        }
        let (file, known) = file(source, world, before)?;
        let quanta = match known {
            Some(known) => known.start_spec.quanta,
            None => file.quanta(source, world)?.into_iter().map(u64::from).sum(),
        };
        return Ok(StartSpec { quanta, shape: Shape::Exact(with_content(source, file)), headings, run_in });
    }
    let asked = boids(source, written, world)? * u64::from(BOID);
    let (shape, quanta) = shape(source, at, before, asked, &numbers)?;
    Ok(StartSpec { quanta, shape, headings, run_in })
}

/// The error of a start whose file does not fit the size given by `--size`.
fn other_size(world: &World, problem: &str, cure: String) -> BadInput {
    BadInput::of_argument("size", world.extents, problem, cure)
}

/// Reads the arrays of a start of individuals. If `before` has arrays from equal paths for an equal world, they are
/// reused.
fn arrays(
    source: &Source,
    written: Extents,
    at: &StartPlace<'_>,
    before: Option<&Preset>,
) -> Result<StartArrays, BadInput> {
    let StartPlace { world, space, max } = *at;
    if !source.has_individuals() {
        return Err(source.wrong("start.shape", "is \"positions\", and the preset is of cells", INDIVIDUALS_ONLY));
    }
    if world.extents != written {
        let cure = format!("leave the size at {written}, or set world.size");
        return Err(other_size(world, "the start is an array of places", cure));
    }
    if source.item("start.boids").is_some() {
        source.refuse("start.boids", "start.shape", "remove it; the array has a row for each individual")?;
    }
    let paths = StartArrays::paths(source)?;
    if paths[1].is_some() {
        let given = ["headings", "speed", "direction", "patch"].map(|name| format!("start.{name}"));
        for key in given.iter().filter(|key| source.item(key).is_some()) {
            source.refuse(key, VELOCITIES, "remove it; the array has the velocities")?;
        }
    }
    let known = before.and_then(|before| {
        let Shape::Arrays(arrays) = &before.start_spec.shape else { return None };
        let is_same_rock = match (&before.world.rock, &world.rock) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (old, new) => old.is_none() && new.is_none(),
        };
        let is_same = arrays.paths == paths
            && before.space() == space
            && is_same_rock
            && Arc::ptr_eq(&before.own_solids, &world.solids)
            && before.individuals.as_ref().is_some_and(|model| model.first().max == max);
        is_same.then(|| arrays.clone())
    });
    let arrays = known.map_or_else(|| StartArrays::read(source, paths, world, &space, max), Ok)?;
    // Keeps the contents of the files with the preset.
    arrays.paths.iter().flatten().for_each(|path| _ = source.content(path));
    Ok(arrays)
}

/// The number of boids for the world that is simulated. It is an error if they do not fit into the world.
fn boids(source: &Source, written: Extents, world: &World) -> Result<u64, BadInput> {
    let key = "start.boids";
    if source.item(key).is_none() {
        return Err(source.wrong(key, "is missing", "add their number, as in boids = 16000"));
    }
    let scaled = source.integer(key)? as u128 * world.extents.cells() as u128 / written.cells() as u128;
    let room = capacity_of(world);
    if scaled * u128::from(BOID) > u128::from(room) {
        let cure = format!("at most {} fit; raise world.size or world.capacity, or lower it", room / u64::from(BOID));
        return Err(source.wrong(key, format!("{scaled} boids do not fit into this world"), cure));
    }
    Ok(scaled as u64)
}

/// Reads the shape of the start. Returns it with its quanta: `asked`, or slightly more for a picture or an array, whose
/// shares are rounded.
fn shape(
    source: &Source,
    at: &StartPlace<'_>,
    before: Option<&Preset>,
    asked: u64,
    numbers: &StartNumbers,
) -> Result<(Shape, u64), BadInput> {
    let world = at.world;
    let [radius, width] =
        [numbers.radius, numbers.width].map(|part| of_smallest_extent(part, world.extents, PARTS_OF_A_LENGTH));
    let shape = match source.word("start.shape") {
        Some("blobs") => match centres(source, at, numbers.count)? {
            Centres::Given(centres) if are_balls(source)? => {
                let extents = at.space.deep_extents();
                Shape::Balls { centres, radius: of_smallest_extent(numbers.radius, extents, PARTS_OF_A_LENGTH) }
            }
            centres => Shape::Blobs { centres, radius },
        },
        Some("ring") if world.extents.depth.is_some() => {
            let cure = "take blobs, which are balls there, or uniform";
            return Err(source.wrong("start.shape", "a ring is flat, and the world is deep", cure));
        }
        Some("ring") => Shape::Ring { centre: centre(source, at)?, radius, width },
        Some("map" | "array") => {
            let (file, known) = file(source, world, before)?;
            let known = known.map(|known| &known.start_spec).filter(|spec| spec.asked() == asked);
            let quanta = match known {
                Some(known) => known.quanta,
                None => file.shares(source, world, asked)?.into_iter().map(u64::from).sum(),
            };
            return Ok((Shape::Weights(with_content(source, file), asked), quanta));
        }
        _ => Shape::Uniform,
    };
    Ok((shape, asked))
}

/// The file of the start. If `before` has read this file for an equal world, `before` is also returned, so that the
/// file is not read again.
fn file<'a>(
    source: &Source,
    world: &World,
    before: Option<&'a Preset>,
) -> Result<(RasterFile, Option<&'a Preset>), BadInput> {
    let Some(path) = source.text(FILE) else {
        return Err(source.wrong(FILE, "is missing", "name the picture or the array, as in file = \"start.png\""));
    };
    let is_array = source.word("start.shape") == Some("array");
    let file = RasterFile { path: source.resolve(FILE, path), is_array, content: None };
    let known = before.filter(|before| {
        let (Shape::Weights(old, _) | Shape::Exact(old)) = &before.start_spec.shape else { return false };
        (old.is_array, &old.path) == (file.is_array, &file.path)
            && matches!(before.start_spec.shape, Shape::Exact(_)) == source.item("start.boids").is_none()
            && (before.world.extents, before.world.capacity) == (world.extents, world.capacity)
            && Arc::ptr_eq(&before.own_solids, &world.solids)
    });
    Ok((file, known))
}

/// Adds the content of the file, if it was read.
fn with_content(source: &Source, file: RasterFile) -> RasterFile {
    RasterFile { content: source.content(&file.path), ..file }
}

/// Whether individuals start in balls. Then the centres have three numbers. Otherwise individuals fill columns through
/// the whole depth.
fn are_balls(source: &Source) -> Result<bool, BadInput> {
    Ok(source.has_individuals() && source.vectors(AT)?.iter().any(|place| place.len() > 2))
}

/// The extents to which places of the start are relative. If individuals start in columns, they are the extents of the
/// plane.
fn extents_of_places(source: &Source, at: &StartPlace<'_>) -> Result<Extents, BadInput> {
    Ok(if are_balls(source)? { at.space.deep_extents() } else { at.world.extents })
}

fn centres(source: &Source, at: &StartPlace<'_>, count: u32) -> Result<Centres, BadInput> {
    if source.choice("start", &["count", "at"])? != Some("at") {
        return Ok(Centres::Random(count));
    }
    if are_balls(source)? && source.vectors(AT)?.iter().any(|place| place.len() == 2) {
        let cure = "give three to all: x, y and z";
        return Err(source.wrong(AT, "has places of two numbers and of three, and individuals start here", cure));
    }
    let extents = extents_of_places(source, at)?;
    let places = places(source, AT, extents)?;
    if places.is_empty() {
        return Err(source.wrong(AT, "has no places", "give the centres, as in at = [[0.3, 0.5], [0.7, 0.5]]"));
    }
    Ok(Centres::Given(places.into_iter().map(|place| with_depth(place, extents)).collect()))
}

/// The centre of a ring or a swirl, in 1/16 cell. The default is the middle of the world.
fn centre(source: &Source, at: &StartPlace<'_>) -> Result<Vector3, BadInput> {
    // `start.at` may be one place (a list of numbers) or several places (a list of lists).
    let is_one = source.item("start.at[0]").is_some_and(|first| first.as_array().is_none());
    let middle = || at.world.extents.along_axes().map(|extent| place(0.5, extent));
    if source.item(AT).is_some() && !is_one {
        if source.word("start.shape") == Some("ring") {
            return Err(source.wrong(AT, "has many places", "a ring has one centre, as in at = [0.5, 0.5]"));
        }
        return Ok(middle());
    }
    let extents = extents_of_places(source, at)?;
    let centre = places(source, AT, extents)?.pop();
    Ok(centre.map_or_else(middle, |place| with_depth(place, extents)))
}

fn headings(source: &Source, at: &StartPlace<'_>, numbers: &StartNumbers) -> Result<Headings, BadInput> {
    let StartNumbers { speed, patch, .. } = *numbers;
    Ok(match source.word("start.headings") {
        Some("random") => Headings::Random { speed, patch },
        Some("aligned") => aligned(source, at, speed)?,
        Some("swirl") => Headings::Swirl { speed, centre: centre(source, at)? },
        _ => Headings::None,
    })
}

/// Headings in one direction for all, which the preset gives or the seed decides.
fn aligned(source: &Source, at: &StartPlace<'_>, speed: i32) -> Result<Headings, BadInput> {
    let key = "start.direction";
    let direction = source.numbers(key)?;
    let axes = at.space.axes();
    if source.item(key).is_none() {
        return Ok(Headings::AlignedAtRandom { speed, axes });
    }
    if direction.len() > axes {
        let cure = "give two, or a third extent to world.size";
        return Err(source.wrong(key, "has three numbers, and the world is flat", cure));
    }
    let length = direction.iter().map(|along| along * along).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err(source.wrong(key, "has no length", "say where they go, as in direction = [1, 0]"));
    }
    let along = |axis: usize| direction.get(axis).map_or(0, |along| (along / length * f64::from(speed)).round() as i32);
    Ok(Headings::Aligned([along(0), along(1), along(2)]))
}
