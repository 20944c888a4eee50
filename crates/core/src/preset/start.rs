//! The swarm before the first step, in integers only: the same bits on every machine.

pub(super) mod arrays;
pub(super) mod individuals;
pub(super) mod keys;

use super::headings::Headings;
use super::shares;
use crate::error::BadInput;
use crate::host::contents::Content;
use crate::host::raster::Raster;
use crate::numbers::random::{Random, generator};
use crate::numbers::{BOID, Vector3, each_axis};
use crate::source::Source;
use crate::state::Layer;
use crate::world::{Extents, PARTS, Slab, World};
use arrays::StartArrays;
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;

/// Parts of a cell in which lengths are counted here.
pub(super) const PARTS_OF_A_LENGTH: i32 = 1024;
/// The most packets of one start. Up to here a packet is one boid; beyond, it is larger.
const MAX_PACKETS: u64 = 1 << 22;
/// How often a packet is drawn anew before it takes the next cell that has room.
const MAX_TRIES: usize = 32;
pub(super) const FILE: &str = "start.file";

/// The plan of a start, checked against its world, which has room for all its quanta. [`super::Preset::start`] makes the
/// state from it.
///
/// Two plans are equal if they make the same state of the same world and seed.
#[derive(Debug, Clone, PartialEq)]
pub struct StartSpec {
    pub(super) quanta: u64,
    pub(super) shape: Shape,
    pub(super) headings: Headings,
    /// Steps played before step 0.
    pub(super) run_in: u64,
}

/// Places are in 1/16 cell, lengths in 1/1024 cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// Every cell is as likely.
    Uniform,
    /// Nearly normal around each centre: four fifths within the radius, none farther than twice of it along an axis.
    Blobs {
        centres: Centres,
        radius: i64,
    },
    Ring {
        centre: Vector3,
        radius: i64,
        width: i64,
    },
    /// As blobs, for individuals in a deep world. Each centre lies on three axes.
    Balls {
        centres: Vec<Vector3>,
        radius: i64,
    },
    /// In proportion to the value of each cell in a picture or an array, so many quanta at least.
    Weights(RasterFile, u64),
    /// The quanta of an array.
    Exact(RasterFile),
    /// The places and velocities of individuals.
    Arrays(StartArrays),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Centres {
    /// As many at random.
    Random(u32),
    /// At least one.
    Given(Vec<Vector3>),
}

/// A file with a value for each cell.
#[derive(Debug, Clone)]
pub(super) struct RasterFile {
    pub path: PathBuf,
    /// Whether it is an array, and not a picture.
    pub is_array: bool,
    pub content: Option<Content>,
}

/// Files are equal if their contents are, because the same content makes the same start.
impl PartialEq for RasterFile {
    fn eq(&self, other: &Self) -> bool {
        (self.is_array, &self.content) == (other.is_array, &other.content)
    }
}

impl RasterFile {
    /// The picture or array.
    pub fn read(&self, source: &Source) -> Result<Raster, BadInput> {
        source.raster(FILE, &self.path, self.is_array)
    }

    /// The values as weights of the cells that can hold boids; some weight is not 0.
    fn weights(&self, source: &Source, world: &World) -> Result<Vec<u32>, BadInput> {
        let raster = self.read(source)?;
        if raster.extents().axes() > world.extents.axes() {
            let (problem, cure) = match source.has_individuals() {
                true => ("the array has three axes, and individuals start in columns", "give an array of two axes"),
                false => (
                    "the array has three axes, and the world is flat",
                    "give an array of two axes, or a third extent to world.size",
                ),
            };
            return Err(source.wrong(FILE, problem, cure));
        }
        let mut weights = raster.resampled(world.extents);
        for (weight, solid) in weights.iter_mut().zip(&*world.solids) {
            *weight *= u32::from(!solid);
        }
        if weights.iter().all(|weight| *weight == 0) {
            let cure = "something in it must be bright where no solid is";
            return Err(source.wrong(FILE, "holds nothing outside the solids", cure));
        }
        Ok(weights)
    }

    /// At least so many quanta, divided among the cells in proportion to the values.
    pub fn shares(&self, source: &Source, world: &World, quanta: u64) -> Result<Vec<u32>, BadInput> {
        Ok(shares::in_proportion(world, quanta, &self.weights(source, world)?))
    }

    /// The values as quanta, which fit into the cells of a lattice of the same extents.
    pub fn quanta(&self, source: &Source, world: &World) -> Result<Vec<u32>, BadInput> {
        let array = self.read(source)?;
        if array.extents() != world.extents {
            let along_axes = |extents: Extents| extents.along_axes()[..extents.axes()].to_vec();
            let listed =
                |extents: &[u32], between| extents.iter().map(u32::to_string).collect::<Vec<_>>().join(between);
            let problem = format!("the array has {} cells", listed(&along_axes(array.extents()), " × "));
            let own = along_axes(world.extents);
            let shape: Vec<u32> = own.iter().rev().copied().collect();
            let (own, shape) = (listed(&own, " × "), listed(&shape, ", "));
            return Err(source.wrong(
                FILE,
                problem,
                format!("it must have {own} (shape ({shape})), or say start.boids"),
            ));
        }
        let quanta = array.resampled(world.extents);
        let over = quanta.iter().enumerate().find(|(cell, quanta)| **quanta > capacity(world, *cell));
        if let Some((cell, quanta)) = over {
            let (at, capacity) = (world.extents.cell(cell), capacity(world, cell));
            let at = at[..world.extents.axes()].iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
            let problem = format!("the array puts {quanta} quanta into the cell ({at}), which holds {capacity}");
            return Err(source.wrong(FILE, problem, "keep to world.capacity, and out of solids"));
        }
        Ok(quanta)
    }
}

impl StartSpec {
    /// The sum of the density, in quanta.
    pub fn quanta(&self) -> u64 {
        self.quanta
    }

    /// The quanta that the preset asks for: the shares of a map may be a little more.
    pub(super) fn asked(&self) -> u64 {
        if let Shape::Weights(_, asked) = self.shape { asked } else { self.quanta }
    }

    /// The steps that are played before step 0.
    pub fn run_in(&self) -> u64 {
        self.run_in
    }

    /// Makes the state of the cells of a slab.
    ///
    /// # Errors
    /// If the file of the start can no longer be read, the world has no room for the quanta any longer, or individuals start at places of
    /// their own.
    pub(super) fn layer(&self, source: &Source, world: &World, slab: &Slab, seed: u64) -> Result<Layer, BadInput> {
        if self.quanta > capacity_of(world) {
            let (problem, cure) = ("do not fit into this world", "raise world.size or world.capacity, or lower it");
            return Err(source.wrong("start.boids", problem, cure));
        }
        let density = match &self.shape {
            Shape::Exact(file) => cut(file.quanta(source, world)?, slab),
            Shape::Balls { .. } | Shape::Arrays(_) => {
                let (problem, cure) = ("gives individuals places of their own, and no lattice", "read the individuals");
                return Err(source.wrong("start.shape", problem, cure));
            }
            Shape::Weights(file, quanta) => cut(file.shares(source, world, *quanta)?, slab),
            shape => drawn(world, slab, self.quanta, shape, seed),
        };
        Ok(Layer { density, control: self.headings.field_in(world, slab, seed) })
    }
}

/// The quanta that all cells together can hold.
pub(super) fn capacity_of(world: &World) -> u64 {
    let solid = world.solids.iter().filter(|solid| **solid).count();
    (world.extents.cells() - solid) as u64 * u64::from(world.capacity)
}

/// The most quanta that one cell holds.
fn capacity(world: &World, cell: usize) -> u32 {
    if world.solids.get(cell) == Some(&true) { 0 } else { world.capacity }
}

/// The centres of blobs; other shapes have none.
fn centres(shape: &Shape, world: &World, seed: u64) -> Vec<Vector3> {
    match shape {
        Shape::Blobs { centres: Centres::Given(centres), .. } => centres.clone(),
        Shape::Blobs { centres: Centres::Random(count), .. } => {
            let mut random = generator(seed, 3);
            let mut centre = || world.extents.cell(free_cell(world, &mut random)).map(|place| place * PARTS);
            (0..*count).map(|_| centre()).collect()
        }
        _ => Vec::new(),
    }
}

/// A random cell of a shape; `None`: it would lie beyond a wall.
fn random_cell(shape: &Shape, centres: &[Vector3], world: &World, random: &mut Random) -> Option<usize> {
    let (centre, offset) = match shape {
        Shape::Blobs { radius, .. } => {
            let centre = centres[random.below(centres.len() as u64) as usize];
            let mut axis = || nearly_normal(*radius, random);
            let [x, y] = [axis(), axis()];
            (centre, [x, y, if world.extents.depth.is_some() { axis() } else { 0 }])
        }
        Shape::Ring { centre, radius, width } => {
            let [x, y] = random.inside_disc(1 << 15).map(i64::from);
            let far = radius + random.around(width / 2);
            let length = ((x * x + y * y) as u64).isqrt().max(1) as i64;
            (*centre, [x * far / length, y * far / length, 0])
        }
        _ => return Some(random.below(world.extents.cells() as u64) as usize),
    };
    let cell = each_axis(|axis| nearest_cell(centre[axis], offset[axis]));
    world.extents.deep_index(cell, world.edges)
}

/// A length along one axis of a blob: a sum of four uniform numbers is nearly a normal one.
fn nearly_normal(radius: i64, random: &mut Random) -> i64 {
    (0..4).map(|_| random.around(radius / 2)).sum()
}

/// A cell that is not solid, if a few tries find one.
fn free_cell(world: &World, random: &mut Random) -> usize {
    let mut any = || random.below(world.extents.cells() as u64) as usize;
    (0..MAX_TRIES).map(|_| any()).find(|cell| capacity(world, *cell) > 0).unwrap_or(0)
}

/// The cell along one axis at an offset from a place; it may lie beyond an edge.
fn nearest_cell(place: i32, offset: i64) -> i32 {
    let parts = i64::from(PARTS_OF_A_LENGTH);
    let at = i64::from(place) * (parts / i64::from(PARTS)) + offset;
    (at + parts / 2).div_euclid(parts) as i32
}

/// Packets drawn one after the other; their sum is exactly `quanta`. A packet is a whole boid unless these are too many.
fn drawn(world: &World, slab: &Slab, quanta: u64, shape: &Shape, seed: u64) -> Vec<u32> {
    let (centres, mut random) = (centres(shape, world, seed), generator(seed, 2));
    let packets = (quanta / u64::from(BOID)).min(MAX_PACKETS);
    let mut filling = LatticeFill::new(world, slab);
    for index in 0..packets {
        let mut packet = quanta / packets + u64::from(index < quanta % packets);
        let mut last = None;
        for _ in 0..MAX_TRIES {
            if let Some(cell) = random_cell(shape, &centres, world, &mut random) {
                packet = filling.pour(cell, packet);
                last = Some(cell);
            }
            if packet == 0 {
                break;
            }
        }
        if packet > 0 {
            let from = last.unwrap_or_else(|| random.below(world.extents.cells() as u64) as usize);
            filling.add(from, packet);
        }
    }
    filling.density.own
}

/// The cells of a slab.
fn cut(mut cells: Vec<u32>, slab: &Slab) -> Vec<u32> {
    cells.truncate(slab.cells().end);
    cells.drain(..slab.cells().start);
    cells
}

/// A number for each cell of a world. A vector holds the numbers of the slab, and a map holds other cells that were set.
struct CellNumbers {
    cells: Range<usize>,
    own: Vec<u32>,
    others: HashMap<usize, u32>,
}

impl CellNumbers {
    fn get(&self, cell: usize) -> Option<u32> {
        match self.cells.contains(&cell) {
            true => Some(self.own[cell - self.cells.start]),
            false => self.others.get(&cell).copied(),
        }
    }

    fn set(&mut self, cell: usize, number: u32) {
        match self.cells.contains(&cell) {
            true => self.own[cell - self.cells.start] = number,
            false => drop(self.others.insert(cell, number)),
        }
    }
}

/// A lattice that is being filled; no cell exceeds its capacity. Which cells are full matters for what comes later, in all slabs.
struct LatticeFill<'a> {
    world: &'a World,
    density: CellNumbers,
    /// For each cell the next one that may have room: the cell itself as long as it has room. Nothing until it is needed.
    next: Option<CellNumbers>,
}

impl<'a> LatticeFill<'a> {
    fn new(world: &'a World, slab: &Slab) -> Self {
        let cells = slab.cells();
        let density = CellNumbers { own: vec![0; cells.len()], cells, others: HashMap::new() };
        Self { world, density, next: None }
    }

    /// Puts quanta into a cell as far as they fit, and returns the rest.
    fn pour(&mut self, cell: usize, quanta: u64) -> u64 {
        let held = self.density.get(cell).unwrap_or(0);
        let room = u64::from(capacity(self.world, cell) - held);
        let fits = quanta.min(room);
        self.density.set(cell, held + fits as u32);
        quanta - fits
    }

    /// Puts all quanta into the cells from this one on, continuing at the first cell after the last. There must be room.
    fn add(&mut self, cell: usize, mut quanta: u64) {
        let (cells, own) = (self.world.extents.cells(), self.density.cells.clone());
        let begin =
            || CellNumbers { own: own.clone().map(|cell| cell as u32).collect(), cells: own, others: HashMap::new() };
        let mut next = self.next.take().unwrap_or_else(begin);
        let mut cell = cell;
        loop {
            cell = next_free(&mut next, cell);
            quanta = self.pour(cell, quanta);
            if quanta == 0 {
                break;
            }
            next.set(cell, ((cell + 1) % cells) as u32);
        }
        self.next = Some(next);
    }
}

/// The first cell from this one on that is not known to be full. Every step shortens later searches.
fn next_free(next: &mut CellNumbers, mut cell: usize) -> usize {
    let after = |next: &CellNumbers, cell: usize| next.get(cell).map_or(cell, |next| next as usize);
    while after(next, cell) != cell {
        let beyond = after(next, after(next, cell));
        next.set(cell, beyond as u32);
        cell = beyond;
    }
    cell
}
