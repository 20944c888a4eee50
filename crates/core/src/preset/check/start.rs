//! The plan of the start: how many boids, in which shape, with which headings.

use super::point;
use super::world::of_smaller_extent;
use crate::error::BadInput;
use crate::numbers::{BOID, ONE};
use crate::preset::headings::Headings;
use crate::preset::raster::Raster;
use crate::preset::source::Source;
use crate::preset::spec::{self, At, Shape as Form};
use crate::preset::start::{Centres, PARTS_OF_A_LENGTH, Plan, Shape};
use crate::world::{Extents, LARGEST_EXTENT, World};

/// More boids than any lattice holds.
const MOST_BOIDS: i64 = 1 << 44;
const MOST_BLOBS: i64 = 1 << 20;

/// The plan on the world that is played. The boids are as many as the density on the extents `written` makes of them.
pub(super) fn plan(source: &Source, start: &spec::Start, written: Extents, world: &World) -> Result<Plan, BadInput> {
    strays(source, start)?;
    let headings = headings(source, start, world)?;
    if start.shape == Form::Array && start.boids.is_none() {
        return Ok(Plan { quanta: 0, shape: Shape::Exact(array(source, start, written, world)?), headings });
    }
    let boids = boids(source, start, written, world)?;
    Ok(Plan { quanta: boids * u64::from(BOID), shape: shape(source, start, world)?, headings })
}

/// Refuses the keys that another shape or other headings would need.
fn strays(source: &Source, start: &spec::Start) -> Result<(), BadInput> {
    let (shape, headings) = (start.shape, start.headings);
    let blobs_or_ring = matches!(shape, Form::Blobs | Form::Ring);
    let map_or_array = matches!(shape, Form::Map | Form::Array);
    let turned = headings != spec::Headings::None;
    let patched = headings == spec::Headings::Random;
    for (key, given, fits, decider, cure) in [
        ("count", start.count.is_some(), shape == Form::Blobs, "shape", "blobs have it"),
        ("radius", start.radius.is_some(), blobs_or_ring, "shape", "blobs and a ring have it"),
        ("at", start.at.is_some(), blobs_or_ring, "shape", "blobs and a ring have it"),
        ("width", start.width.is_some(), shape == Form::Ring, "shape", "a ring has it"),
        ("file", start.file.is_some(), map_or_array, "shape", "a map and an array have it"),
        ("speed", start.speed.is_some(), turned, "headings", "random and swirl have it"),
        ("patch", start.patch.is_some(), patched, "headings", "random has it"),
    ] {
        if given && !fits {
            source.stray(&format!("start.{key}"), &format!("start.{decider}"), format!("remove it; {cure}"))?;
        }
    }
    Ok(())
}

/// The number of boids on the extents that are played, which all fit.
fn boids(source: &Source, start: &spec::Start, written: Extents, world: &World) -> Result<u64, BadInput> {
    let key = "start.boids";
    let boids = start.boids.ok_or_else(|| source.wrong(key, "is missing", "add their number, as in boids = 16000"))?;
    let boids = source.within(key, boids, 0..=MOST_BOIDS)?;
    let scaled = boids as u128 * world.extents.cells() as u128 / written.cells() as u128;
    let room = room(world);
    if scaled * u128::from(BOID) > u128::from(room) {
        let cure = format!("at most {} fit; raise world.size or world.capacity, or lower it", room / u64::from(BOID));
        return Err(source.wrong(key, format!("{scaled} boids do not fit into this world"), cure));
    }
    Ok(scaled as u64)
}

/// The quanta that all cells together can hold.
fn room(world: &World) -> u64 {
    let solid = world.solids.iter().filter(|solid| **solid).count();
    (world.extents.cells() - solid) as u64 * u64::from(world.capacity)
}

fn shape(source: &Source, start: &spec::Start, world: &World) -> Result<Shape, BadInput> {
    let length = |key: &str, value: Option<f64>, usual| {
        let fraction = source.within(key, value.unwrap_or(usual), 0.0..=1.0)?;
        Ok(of_smaller_extent(fraction, world.extents, PARTS_OF_A_LENGTH))
    };
    Ok(match start.shape {
        Form::Uniform => Shape::Uniform,
        Form::Blobs => Shape::Blobs {
            centres: centres(source, start, world)?,
            radius: length("start.radius", start.radius, spec::BLOB_RADIUS)?,
        },
        Form::Ring => Shape::Ring {
            centre: centre(source, start, world)?,
            radius: length("start.radius", start.radius, spec::RING_RADIUS)?,
            width: length("start.width", start.width, spec::RING_WIDTH)?,
        },
        Form::Map => weights(source, start, world, Source::picture)?,
        Form::Array => weights(source, start, world, Source::array)?,
    })
}

fn centres(source: &Source, start: &spec::Start, world: &World) -> Result<Centres, BadInput> {
    let given = source.choice("start", &[("count", start.count.is_some()), ("at", start.at.is_some())])?;
    let points = match &start.at {
        Some(At::Many(points)) => points.as_slice(),
        Some(At::One(point)) => std::slice::from_ref(point),
        None => &[],
    };
    if given != Some("at") {
        let count = source.within("start.count", start.count.unwrap_or(spec::BLOBS), 1..=MOST_BLOBS)?;
        return Ok(Centres::Random(count as u32));
    }
    if points.is_empty() {
        return Err(source.wrong("start.at", "has no points", "give the centres, as in at = [[0.3, 0.5], [0.7, 0.5]]"));
    }
    let points = points.iter().map(|fractions| point(source, "start.at", *fractions, world.extents));
    Ok(Centres::Given(points.collect::<Result<_, _>>()?))
}

/// The centre of a ring or a swirl, in 1/16 cell: the middle, where nothing else is said.
fn centre(source: &Source, start: &spec::Start, world: &World) -> Result<[i32; 2], BadInput> {
    match (&start.at, start.shape) {
        (Some(At::One(fractions)), _) => point(source, "start.at", *fractions, world.extents),
        (Some(At::Many(_)), Form::Ring) => {
            Err(source.wrong("start.at", "has many points", "a ring has one centre, as in at = [0.5, 0.5]"))
        }
        _ => point(source, "start.at", spec::Pair([0.5, 0.5]), world.extents),
    }
}

fn headings(source: &Source, start: &spec::Start, world: &World) -> Result<Headings, BadInput> {
    let speed = source.within("start.speed", start.speed.unwrap_or(spec::HEADING_SPEED), 0.0..=1.0)?;
    let speed = super::fixed(speed, ONE) as i32;
    let patch = source.within("start.patch", start.patch.unwrap_or(spec::PATCH), 1..=i64::from(LARGEST_EXTENT))? as u32;
    Ok(match start.headings {
        spec::Headings::None => Headings::None,
        spec::Headings::Random => Headings::Random { speed, patch },
        spec::Headings::Swirl => Headings::Swirl { speed, centre: centre(source, start, world)? },
    })
}

type ReadRaster = fn(&Source, &str, &str) -> Result<Raster, BadInput>;

/// The values of a picture or an array on the lattice, as weights of the cells that can hold boids.
fn weights(source: &Source, start: &spec::Start, world: &World, read: ReadRaster) -> Result<Shape, BadInput> {
    let mut weights = raster(source, start, read)?.resampled(world.extents);
    for (weight, solid) in weights.iter_mut().zip(&world.solids) {
        *weight *= u32::from(!solid);
    }
    if weights.iter().all(|weight| *weight == 0) {
        let cure = "something in it must be bright where no solid is";
        return Err(source.wrong("start.file", "holds nothing outside the solids", cure));
    }
    Ok(Shape::Weights(weights))
}

/// The quanta of an array that says them itself.
fn array(source: &Source, start: &spec::Start, written: Extents, world: &World) -> Result<Vec<u32>, BadInput> {
    let key = "start.file";
    let array = raster(source, start, Source::array)?;
    let Extents { width, height } = world.extents;
    if world.extents != written {
        let cure = format!("leave the size at {}x{}, or say start.boids", written.width, written.height);
        return Err(BadInput::new(format!("--size {width}x{height}"), "the start is an array of quanta", cure));
    }
    if array.extents() != world.extents {
        let problem = format!("the array has {} × {} cells", array.extents().width, array.extents().height);
        let cure = format!("it must have {width} × {height} (shape ({height}, {width})), or say start.boids");
        return Err(source.wrong(key, problem, cure));
    }
    let quanta = array.resampled(world.extents);
    let capacities =
        quanta.iter().enumerate().map(|(cell, quanta)| (cell, *quanta, crate::preset::start::capacity(world, cell)));
    if let Some((cell, quanta, capacity)) = capacities.into_iter().find(|(_, quanta, capacity)| quanta > capacity) {
        let (x, y) = (cell % width as usize, cell / width as usize);
        let problem = format!("the array puts {quanta} quanta into the cell ({x}, {y}), which holds {capacity}");
        return Err(source.wrong(key, problem, "keep to world.capacity, and out of solids"));
    }
    Ok(quanta)
}

fn raster(source: &Source, start: &spec::Start, read: ReadRaster) -> Result<Raster, BadInput> {
    let key = "start.file";
    let Some(path) = &start.file else {
        return Err(source.wrong(key, "is missing", "name the picture or the array, as in file = \"start.png\""));
    };
    read(source, key, path)
}
