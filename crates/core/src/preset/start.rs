//! The swarm before the first step. It is made with integers only, so that its bits are equal on all machines.

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

/// A length of one cell has this number of units.
pub(super) const PARTS_OF_A_LENGTH: i32 = 1024;
/// The max number of packets in a start. A packet is a boid. If there are more boids than this, packets are larger.
const MAX_PACKETS: u64 = 1 << 22;
/// The number of random cells that a packet tries. After that it goes to the next cell with room.
const MAX_TRIES: usize = 32;
pub(super) const FILE: &str = "start.file";

/// The plan of a start. It is checked: its world has room for all quanta. [`super::Preset::start`] makes the state from
/// it.
///
/// Two plans are equal if they make equal states for equal worlds and seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct StartSpec {
    pub(super) quanta: u64,
    pub(super) shape: Shape,
    pub(super) headings: Headings,
    /// The number of steps that run before step 0 (the run-in).
    pub(super) run_in: u64,
}

/// The shape in which a start places boids. Places are in 1/16 cell, lengths in 1/1024 cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// Boids are placed in random cells. Every cell has the same probability.
    Uniform,
    /// Boids are nearly normally distributed around each centre. About 4/5 are within the radius, and all are within
    /// twice the radius along each axis.
    Blobs {
        centres: Centres,
        radius: i64,
    },
    Ring {
        centre: Vector3,
        radius: i64,
        width: i64,
    },
    /// Blobs along three axes, for individuals in a deep world.
    Balls {
        centres: Vec<Vector3>,
        radius: i64,
    },
    /// Quanta in proportion to the value of each cell in a picture or an array. The second field is the number of
    /// quanta that the preset asks for. The sum over all cells is at least this number.
    Weights(RasterFile, u64),
    /// The quanta of each cell, from an array.
    Exact(RasterFile),
    /// The places and velocities of individuals, from arrays.
    Arrays(StartArrays),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Centres {
    /// This number of random centres.
    Random(u32),
    /// The given centres, in 1/16 cell. There is at least one.
    Given(Vec<Vector3>),
}

/// A picture or an array with a value for each cell.
#[derive(Debug, Clone)]
pub(super) struct RasterFile {
    pub path: PathBuf,
    /// Whether the file is an array. Otherwise it is a picture.
    pub is_array: bool,
    pub content: Option<Content>,
}

/// Files are equal if their contents are equal, whatever their paths, because equal contents make equal starts.
impl PartialEq for RasterFile {
    fn eq(&self, other: &Self) -> bool {
        (self.is_array, &self.content) == (other.is_array, &other.content)
    }
}

impl RasterFile {
    /// Reads the picture or the array.
    pub fn read(&self, source: &Source) -> Result<Raster, BadInput> {
        source.raster(FILE, &self.path, self.is_array)
    }

    /// The values of the file as weights of the cells. Weights of solid cells are 0. If all weights are 0, it is an
    /// error.
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

    /// The quanta of each cell, in proportion to the values of the file. Their sum is at least `quanta`.
    pub fn shares(&self, source: &Source, world: &World, quanta: u64) -> Result<Vec<u32>, BadInput> {
        Ok(shares::in_proportion(world, quanta, &self.weights(source, world)?))
    }

    /// The values of the file as quanta of the cells. It is an error if the array has other extents than the lattice,
    /// or if a cell has too many quanta.
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
    /// The sum of the density of the start, in quanta.
    pub fn quanta(&self) -> u64 {
        self.quanta
    }

    /// The quanta that the preset asks for. If they are shares of a picture or an array, the sum of the density may be
    /// slightly greater.
    pub(super) fn asked(&self) -> u64 {
        if let Shape::Weights(_, asked) = self.shape { asked } else { self.quanta }
    }

    /// The number of steps that run before step 0 (the run-in).
    pub fn run_in(&self) -> u64 {
        self.run_in
    }

    /// Makes the cells of a slab before the run-in.
    ///
    /// # Errors
    /// If the file of the start can no longer be read, or the world no longer has enough room. If the start gives exact
    /// places to individuals.
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

/// The sum of the capacities of all cells, in quanta.
pub(super) fn capacity_of(world: &World) -> u64 {
    let solid = world.solids.iter().filter(|solid| **solid).count();
    (world.extents.cells() - solid) as u64 * u64::from(world.capacity)
}

/// The capacity of a cell, in quanta; 0 if the cell is solid.
fn capacity(world: &World, cell: usize) -> u32 {
    if world.solids.get(cell) == Some(&true) { 0 } else { world.capacity }
}

/// The centres of blobs, in 1/16 cell; empty for other shapes.
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

/// The index of a random cell, distributed as the shape says. `None`: the drawn place is beyond a wall.
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

/// A random length along one axis of a blob. The sum of four uniform numbers is nearly normally distributed.
fn nearly_normal(radius: i64, random: &mut Random) -> i64 {
    (0..4).map(|_| random.around(radius / 2)).sum()
}

/// The index of a random cell that is not solid; 0 if all tries fail.
fn free_cell(world: &World, random: &mut Random) -> usize {
    let mut any = || random.below(world.extents.cells() as u64) as usize;
    (0..MAX_TRIES).map(|_| any()).find(|cell| capacity(world, *cell) > 0).unwrap_or(0)
}

/// The cell along an axis at `offset` (1/1024 cell) from `place` (1/16 cell). It may be beyond an edge.
fn nearest_cell(place: i32, offset: i64) -> i32 {
    let parts = i64::from(PARTS_OF_A_LENGTH);
    let at = i64::from(place) * (parts / i64::from(PARTS)) + offset;
    (at + parts / 2).div_euclid(parts) as i32
}

/// Places packets at random, one after the other. Returns the density of the cells of the slab. The packets of the
/// whole world have exactly `quanta` in sum. A packet is one boid, or more if there are more boids than packets.
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

/// The cells of a slab, from a list of all cells of a world.
fn cut(mut cells: Vec<u32>, slab: &Slab) -> Vec<u32> {
    cells.truncate(slab.cells().end);
    cells.drain(..slab.cells().start);
    cells
}

/// A number for each cell of a world. `own` has the cells of the slab, and `others` has cells outside of it whose
/// number was set.
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

/// A lattice while packets are placed. No cell exceeds its capacity. Each rank draws the packets of the whole world. A
/// packet that finds a full cell in another slab goes on, maybe into this slab. So the density of other slabs is kept
/// too.
struct LatticeFill<'a> {
    world: &'a World,
    density: CellNumbers,
    /// For each full cell, the next cell that may have room. For a cell with room, the cell itself. `None`: it was not
    /// needed yet.
    next: Option<CellNumbers>,
}

impl<'a> LatticeFill<'a> {
    fn new(world: &'a World, slab: &Slab) -> Self {
        let cells = slab.cells();
        let density = CellNumbers { own: vec![0; cells.len()], cells, others: HashMap::new() };
        Self { world, density, next: None }
    }

    /// Puts quanta into a cell up to its capacity. Returns the quanta that have no room.
    fn pour(&mut self, cell: usize, quanta: u64) -> u64 {
        let held = self.density.get(cell).unwrap_or(0);
        let room = u64::from(capacity(self.world, cell) - held);
        let fits = quanta.min(room);
        self.density.set(cell, held + fits as u32);
        quanta - fits
    }

    /// Puts all quanta into the cells from `cell` on. After the last cell of the world comes the first. The cells must
    /// have enough room.
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

/// The first cell from `cell` on that is not known to be full. It shortens the chains in `next`, so that later searches
/// are faster.
fn next_free(next: &mut CellNumbers, mut cell: usize) -> usize {
    let after = |next: &CellNumbers, cell: usize| next.get(cell).map_or(cell, |next| next as usize);
    while after(next, cell) != cell {
        let beyond = after(next, after(next, cell));
        next.set(cell, beyond as u32);
        cell = beyond;
    }
    cell
}
