//! The start: the number of boids, their shape and their headings.

use super::point;
use super::world::of_smaller_extent;
use crate::error::BadInput;
use crate::numbers::{BOID, ONE};
use crate::preset::Preset;
use crate::preset::headings::Headings;
use crate::preset::source::Source;
use crate::preset::spec::{self, At, Shape as Form};
use crate::preset::start::{Centres, PARTS_OF_A_LENGTH, RasterFile, Shape, StartSpec, room};
use crate::world::{Extents, World};
use std::sync::Arc;

/// The plan of the start on the world that is played. The number of boids keeps the density that it has on the extents
/// `written`. `before`: a preset whose files are known; a file that was checked for the same world is not read again.
pub(super) fn start(
    source: &Source,
    start: &spec::Start,
    written: Extents,
    world: &World,
    before: Option<&Preset>,
) -> Result<StartSpec, BadInput> {
    let headings = headings(source, start, world)?;
    let is_array = start.shape == Form::Array;
    if is_array && start.boids.is_none() {
        let Extents { width, height } = world.extents;
        if world.extents != written {
            let cure = format!("leave the size at {}x{}, or say start.boids", written.width, written.height);
            return Err(BadInput::new(format!("--size {width}x{height}"), "the start is an array of quanta", cure));
        }
        let (file, is_known) = file(source, start, world, before)?;
        let quanta = match before {
            Some(before) if is_known => before.start_spec.quanta,
            _ => file.quanta(source, world)?.into_iter().map(u64::from).sum(),
        };
        return Ok(StartSpec { quanta, shape: Shape::Exact(with_content(source, file)), headings });
    }
    let boids = boids(source, start, written, world)?;
    let shape = shape(source, start, world, before)?;
    Ok(StartSpec { quanta: boids * u64::from(BOID), shape, headings })
}

/// The number of boids on the extents that are played, which all fit.
fn boids(source: &Source, start: &spec::Start, written: Extents, world: &World) -> Result<u64, BadInput> {
    let key = "start.boids";
    let missing = || source.wrong(key, "is missing", "add their number, as in boids = 16000");
    let boids = source.whole(key, Some(start.boids.ok_or_else(missing)?))?;
    let scaled = boids as u128 * world.extents.cells() as u128 / written.cells() as u128;
    let room = room(world);
    if scaled * u128::from(BOID) > u128::from(room) {
        let cure = format!("at most {} fit; raise world.size or world.capacity, or lower it", room / u64::from(BOID));
        return Err(source.wrong(key, format!("{scaled} boids do not fit into this world"), cure));
    }
    Ok(scaled as u64)
}

fn shape(source: &Source, start: &spec::Start, world: &World, before: Option<&Preset>) -> Result<Shape, BadInput> {
    let length = |key: &str, fraction: Option<f64>| {
        Ok(of_smaller_extent(source.decimal(key, fraction)?, world.extents, PARTS_OF_A_LENGTH))
    };
    Ok(match start.shape {
        Form::Uniform => Shape::Uniform,
        Form::Blobs => {
            Shape::Blobs { centres: centres(source, start, world)?, radius: length("start.radius", start.radius)? }
        }
        Form::Ring => Shape::Ring {
            centre: centre(source, start, world)?,
            radius: length("start.radius", start.radius)?,
            width: length("start.width", start.width)?,
        },
        Form::Map | Form::Array => {
            let (file, is_known) = file(source, start, world, before)?;
            if !is_known {
                file.weights(source, world)?;
            }
            Shape::Weights(with_content(source, file))
        }
    })
}

/// The file of the start, and whether it was checked for the same world before, so that it need not be read.
fn file(
    source: &Source,
    start: &spec::Start,
    world: &World,
    before: Option<&Preset>,
) -> Result<(RasterFile, bool), BadInput> {
    let key = "start.file";
    let Some(path) = &start.file else {
        return Err(source.wrong(key, "is missing", "name the picture or the array, as in file = \"start.png\""));
    };
    let file = RasterFile { path: source.resolve(key, path), is_array: start.shape == Form::Array, content: None };
    let is_known = before.is_some_and(|before| {
        let (Shape::Weights(old) | Shape::Exact(old)) = &before.start_spec.shape else { return false };
        let is_exact = start.boids.is_none();
        (old.is_array, &old.path) == (file.is_array, &file.path)
            && matches!(before.start_spec.shape, Shape::Exact(_)) == is_exact
            && (before.world.extents, before.world.capacity) == (world.extents, world.capacity)
            && Arc::ptr_eq(&before.own_solids, &world.solids)
    });
    Ok((file, is_known))
}

/// The file with what it contains, which is known by now.
fn with_content(source: &Source, file: RasterFile) -> RasterFile {
    RasterFile { content: source.content(&file.path), ..file }
}

fn centres(source: &Source, start: &spec::Start, world: &World) -> Result<Centres, BadInput> {
    let given = source.choice("start", &[("count", start.count.is_some()), ("at", start.at.is_some())])?;
    let points = match &start.at {
        Some(At::Many(points)) => points.as_slice(),
        Some(At::One(point)) => std::slice::from_ref(point),
        None => &[],
    };
    if given != Some("at") {
        let count = source.whole("start.count", start.count)?;
        return Ok(Centres::Random(count as u32));
    }
    if points.is_empty() {
        return Err(source.wrong("start.at", "has no points", "give the centres, as in at = [[0.3, 0.5], [0.7, 0.5]]"));
    }
    let points = points.iter().map(|fractions| point(source, "start.at", *fractions, world.extents));
    Ok(Centres::Given(points.collect::<Result<_, _>>()?))
}

/// The centre of a ring or a swirl, in 1/16 cell; left out: the middle.
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
    let speed = source.decimal("start.speed", start.speed)?;
    let speed = super::fixed(speed, ONE) as i32;
    let patch = source.whole("start.patch", start.patch)? as u32;
    Ok(match start.headings {
        spec::Headings::None => Headings::None,
        spec::Headings::Random => Headings::Random { speed, patch },
        spec::Headings::Swirl => Headings::Swirl { speed, centre: centre(source, start, world)? },
    })
}
