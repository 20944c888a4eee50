//! The start: the number of boids, their shape and their headings.

use crate::error::BadInput;
use crate::numbers::{BOID, Vector3};
use crate::preset::Preset;
use crate::preset::headings::Headings;
use crate::preset::start::keys::{KEYS, StartNumbers};
use crate::preset::start::{Centres, FILE, PARTS_OF_A_LENGTH, RasterFile, Shape, StartSpec, capacity_of};
use crate::source::Source;
use crate::source::places::{of_smallest_extent, place, places, with_depth};
use crate::world::{Extents, Place, World};
use std::sync::Arc;

/// The plan of the start on the world that is played. The number of boids keeps the density that it has on the extents
/// `written`. `before`: a preset whose files are known; a file that was checked for the same world is not read again.
pub(super) fn start(
    source: &Source,
    written: Extents,
    world: &World,
    before: Option<&Preset>,
) -> Result<StartSpec, BadInput> {
    let mut numbers = StartNumbers::default();
    source.read(KEYS, &mut numbers)?;
    let headings = headings(source, world, &numbers)?;
    let run_in = numbers.run_in;
    if source.word("start.shape") == Some("array") && source.item("start.boids").is_none() {
        if world.extents != written {
            let cure = format!("leave the size at {written}, or say start.boids");
            return Err(BadInput::new(format!("--size {}", world.extents), "the start is an array of quanta", cure));
        }
        let (file, known) = file(source, world, before)?;
        let quanta = match known {
            Some(known) => known.start_spec.quanta,
            None => file.quanta(source, world)?.into_iter().map(u64::from).sum(),
        };
        return Ok(StartSpec { quanta, shape: Shape::Exact(with_content(source, file)), headings, run_in });
    }
    let asked = boids(source, written, world)? * u64::from(BOID);
    let (shape, quanta) = shape(source, world, before, asked, &numbers)?;
    Ok(StartSpec { quanta, shape, headings, run_in })
}

/// The number of boids on the extents that are played, which all fit.
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

/// The shape, and its quanta: as many as are asked for, or the sum of the shares of a map.
fn shape(
    source: &Source,
    world: &World,
    before: Option<&Preset>,
    asked: u64,
    numbers: &StartNumbers,
) -> Result<(Shape, u64), BadInput> {
    let [radius, width] =
        [numbers.radius, numbers.width].map(|part| of_smallest_extent(part, world.extents, PARTS_OF_A_LENGTH));
    let shape = match source.word("start.shape") {
        Some("blobs") => Shape::Blobs { centres: centres(source, world, numbers.count)?, radius },
        Some("ring") if world.extents.depth.is_some() => {
            let cure = "take blobs, which are balls there, or uniform";
            return Err(source.wrong("start.shape", "a ring is flat, and the world is deep", cure));
        }
        Some("ring") => Shape::Ring { centre: centre(source, world)?, radius, width },
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

/// The file of the start, and the preset `before` if it was checked there for the same world, so that it need not be read.
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

/// The file with what it contains, which is known by now.
fn with_content(source: &Source, file: RasterFile) -> RasterFile {
    RasterFile { content: source.content(&file.path), ..file }
}

/// The places of the start. Places of individuals are columns through the whole depth of their world.
fn places_of_start(source: &Source, world: &World) -> Result<Vec<Place>, BadInput> {
    let key = "start.at";
    if source.has_individuals() && source.vectors(key)?.iter().any(|place| place.len() > 2) {
        return Err(source.wrong(key, "has a place of three numbers, and individuals start in columns", "give two"));
    }
    places(source, key, world.extents)
}

fn centres(source: &Source, world: &World, count: u32) -> Result<Centres, BadInput> {
    let key = "start.at";
    if source.choice("start", &["count", "at"])? != Some("at") {
        return Ok(Centres::Random(count));
    }
    let places = places_of_start(source, world)?;
    if places.is_empty() {
        return Err(source.wrong(key, "has no places", "give the centres, as in at = [[0.3, 0.5], [0.7, 0.5]]"));
    }
    Ok(Centres::Given(places.into_iter().map(|place| with_depth(place, world.extents)).collect()))
}

/// The centre of a ring or a swirl, in 1/16 cell; left out: the middle.
fn centre(source: &Source, world: &World) -> Result<Vector3, BadInput> {
    let key = "start.at";
    // The elements of one place are numbers.
    let is_one = source.item("start.at[0]").is_some_and(|first| first.as_array().is_none());
    if source.item(key).is_some() && !is_one {
        if source.word("start.shape") == Some("ring") {
            return Err(source.wrong(key, "has many places", "a ring has one centre, as in at = [0.5, 0.5]"));
        }
        return Ok(middle(world));
    }
    let centre = places_of_start(source, world)?.pop();
    Ok(centre.map_or_else(|| middle(world), |place| with_depth(place, world.extents)))
}

fn middle(world: &World) -> Vector3 {
    world.extents.along_axes().map(|extent| place(0.5, extent))
}

fn headings(source: &Source, world: &World, numbers: &StartNumbers) -> Result<Headings, BadInput> {
    let StartNumbers { speed, patch, .. } = *numbers;
    Ok(match source.word("start.headings") {
        Some("random") => Headings::Random { speed, patch },
        Some("swirl") => Headings::Swirl { speed, centre: centre(source, world)? },
        _ => Headings::None,
    })
}
