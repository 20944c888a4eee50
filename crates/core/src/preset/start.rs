//! The swarm before the first step, made with integers only, so that the bits are the same on every machine.

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

/// Units of a length in one cell.
pub(super) const PARTS_OF_A_LENGTH: i32 = 1024;
/// The most packets of one start. If there are more boids, packets are larger than a boid.
const MAX_PACKETS: u64 = 1 << 22;
/// The number of random cells that a packet tries before it takes the next free cell.
const MAX_TRIES: usize = 32;
pub(super) const FILE: &str = "start.file";

/// The plan of a start, checked against its world, which has room for all quanta. [`super::Preset::start`] makes the
/// state.
///
/// Two plans are equal if they make equal states of equal worlds and seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct StartSpec {
    pub(super) quanta: u64,
    pub(super) shape: Shape,
    pub(super) headings: Headings,
    /// The number of steps before step 0.
    pub(super) run_in: u64,
}

/// Places are in 1/16 cell, lengths in 1/1024 cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// Every cell has the same probability.
    Uniform,
    /// Nearly normal around each centre: 4/5 within the radius, and all within twice the radius along each axis.
    Blobs {
        centres: Centres,
        radius: i64,
    },
    Ring {
        centre: Vector3,
        radius: i64,
        width: i64,
    },
    /// Blobs in three dimensions, for individuals in a deep world.
    Balls {
        centres: Vec<Vector3>,
        radius: i64,
    },
    /// In proportion to the value of each cell in a picture or an array, with at least this many quanta.
    Weights(RasterFile, u64),
    /// The quanta of an array.
    Exact(RasterFile),
    /// The places and velocities of individuals.
    Arrays(StartArrays),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Centres {
    /// This many random centres.
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

/// Files are equal if their contents are equal, because equal contents make equal starts.
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

    /// The values as weights of the cells. Weights of solids are 0, and at least one weight is above 0.
    fn weights(&self, source: &Source, world: &World) -> Result<Vec<u32>, BadInput> {
        let raster = self.read(source)?;
        if raster.extents().axes() > world.extents.axes() {
            let (problem, cure) = if source.has_individuals() {
                ("the array has three axes, and individuals start in columns", "give an array of two axes")
            } else {
                (
                    "the array has three axes, and the world is flat",
                    "give an array of two axes, or a third extent to world.size",
                )
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

    /// Divides at least `quanta` among the cells in proportion to the values.
    pub fn shares(&self, source: &Source, world: &World, quanta: u64) -> Result<Vec<u32>, BadInput> {
        Ok(shares::in_proportion(world, quanta, &self.weights(source, world)?))
    }

    /// The values as quanta. Checks that the array has the extents of the lattice and that the quanta fit.
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
            let at = world.extents.cell(cell);
            let capacity = capacity(world, cell);
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

    /// The quanta that the preset requests. The shares of a map may have a slightly larger sum.
    pub(super) fn asked(&self) -> u64 {
        if let Shape::Weights(_, asked) = self.shape { asked } else { self.quanta }
    }

    /// The number of steps before step 0.
    pub fn run_in(&self) -> u64 {
        self.run_in
    }

    /// Makes the layer of a slab.
    ///
    /// # Errors
    /// If the start's file can no longer be read, the world no longer has room for the quanta, or individuals start at
    /// exact places.
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

/// The capacity of a cell in quanta; 0 if the cell is solid.
fn capacity(world: &World, cell: usize) -> u32 {
    if world.solids.get(cell) == Some(&true) { 0 } else { world.capacity }
}

/// The centres of blobs; empty for other shapes.
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

/// A random cell of a shape; `None` if the drawn cell lies beyond a wall.
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

/// A random length along one axis of a blob: the sum of four uniform numbers is nearly normal.
fn nearly_normal(radius: i64, random: &mut Random) -> i64 {
    (0..4).map(|_| random.around(radius / 2)).sum()
}

/// A random cell that is not solid; cell 0 if no try finds one.
fn free_cell(world: &World, random: &mut Random) -> usize {
    let mut any = || random.below(world.extents.cells() as u64) as usize;
    (0..MAX_TRIES).map(|_| any()).find(|cell| capacity(world, *cell) > 0).unwrap_or(0)
}

/// The cell at an offset from a place, along one axis. It may lie beyond an edge.
fn nearest_cell(place: i32, offset: i64) -> i32 {
    let parts = i64::from(PARTS_OF_A_LENGTH);
    let at = i64::from(place) * (parts / i64::from(PARTS)) + offset;
    (at + parts / 2).div_euclid(parts) as i32
}

/// Draws packets one after the other. Their sum is exactly `quanta`. A packet is one boid, or more if there are too
/// many boids.
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

/// The part of a lattice's cells that a slab has.
fn cut(mut cells: Vec<u32>, slab: &Slab) -> Vec<u32> {
    cells.truncate(slab.cells().end);
    cells.drain(..slab.cells().start);
    cells
}

/// A number for each cell of a world. A vector has the cells of the slab, a map has the other cells that were set.
struct CellNumbers {
    cells: Range<usize>,
    own: Vec<u32>,
    others: HashMap<usize, u32>,
}

impl CellNumbers {
    fn get(&self, cell: usize) -> Option<u32> {
        if self.cells.contains(&cell) {
            Some(self.own[cell - self.cells.start])
        } else {
            self.others.get(&cell).copied()
        }
    }

    fn set(&mut self, cell: usize, number: u32) {
        if self.cells.contains(&cell) {
            self.own[cell - self.cells.start] = number;
        } else {
            self.others.insert(cell, number);
        }
    }
}

/// A lattice during filling. No cell exceeds its capacity. Full cells of other slabs affect later packets too, so their
/// numbers are kept.
struct LatticeFill<'a> {
    world: &'a World,
    density: CellNumbers,
    /// For each cell the next cell that may have room, or the cell itself while it has room. `None` until it is needed.
    next: Option<CellNumbers>,
}

impl<'a> LatticeFill<'a> {
    fn new(world: &'a World, slab: &Slab) -> Self {
        let cells = slab.cells();
        let density = CellNumbers { own: vec![0; cells.len()], cells, others: HashMap::new() };
        Self { world, density, next: None }
    }

    /// Puts quanta into a cell up to its capacity, and returns the rest.
    fn pour(&mut self, cell: usize, quanta: u64) -> u64 {
        let held = self.density.get(cell).unwrap_or(0);
        let room = u64::from(capacity(self.world, cell) - held);
        let fits = quanta.min(room);
        self.density.set(cell, held + fits as u32);
        quanta - fits
    }

    /// Puts all quanta into the cells from `cell` on, continuing at the first cell after the last. There must be enough
    /// room.
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

/// The first cell from `cell` on that is not known to be full. Shortens the chain of `next` for later searches.
fn next_free(next: &mut CellNumbers, mut cell: usize) -> usize {
    let after = |next: &CellNumbers, cell: usize| next.get(cell).map_or(cell, |next| next as usize);
    while after(next, cell) != cell {
        let beyond = after(next, after(next, cell));
        next.set(cell, beyond as u32);
        cell = beyond;
    }
    cell
}
