//! The swarm before the first step, in integers only: the same bits on every machine.

use super::headings::Headings;
use crate::numbers::{BOID, Vector};
use crate::random::{Random, generator};
use crate::state::State;
use crate::world::{Edges, Extents, PARTS, World};

/// In which part of a cell lengths are counted here.
pub(super) const PARTS_OF_A_LENGTH: i32 = 1024;
/// The most throws of one start. Up to here a throw is one boid; beyond, it is a larger packet.
const MOST_THROWS: u64 = 1 << 22;
/// How often a packet is thrown anew before it takes the next cell that has room.
const MOST_TRIES: usize = 32;

/// What a start is made of. The world has room for all its quanta.
#[derive(Debug)]
pub(super) struct Plan {
    pub quanta: u64,
    pub shape: Shape,
    pub headings: Headings,
}

/// Places are in 1/16 cell, lengths in 1/1024 cell.
#[derive(Debug)]
pub(super) enum Shape {
    /// Everywhere alike.
    Uniform,
    /// Nearly normal around each centre: four fifths within the radius, none farther than twice of it along an axis.
    Blobs {
        centres: Centres,
        radius: i64,
    },
    Ring {
        centre: Vector,
        radius: i64,
        width: i64,
    },
    /// In proportion to the weight of each cell; some weight is not 0, and those of solids are.
    Weights(Vec<u32>),
    /// These quanta.
    Exact(Vec<u32>),
}

#[derive(Debug)]
pub(super) enum Centres {
    /// As many at random.
    Random(u32),
    /// At least one.
    Given(Vec<Vector>),
}

impl Plan {
    /// The state that the plan makes of a world and a seed.
    pub fn state(self, world: &World, seed: u64) -> State {
        let control = self.headings.field(world, seed);
        let density = match self.shape {
            Shape::Exact(density) => density,
            Shape::Weights(weights) => in_proportion(world, self.quanta, &weights),
            shape => thrown(world, self.quanta, &Sampler::new(shape, world, seed), generator(seed, 2)),
        };
        State { extents: world.extents, density, control }
    }
}

/// The most quanta that one cell holds.
pub(super) fn capacity(world: &World, cell: usize) -> u32 {
    if world.solids.get(cell) == Some(&true) { 0 } else { world.capacity }
}

/// A shape from which cells are drawn.
enum Sampler {
    Anywhere,
    Blobs { centres: Vec<Vector>, radius: i64 },
    Ring { centre: Vector, radius: i64, width: i64 },
}

impl Sampler {
    fn new(shape: Shape, world: &World, seed: u64) -> Self {
        match shape {
            Shape::Blobs { centres: Centres::Given(centres), radius } => Sampler::Blobs { centres, radius },
            Shape::Blobs { centres: Centres::Random(count), radius } => {
                let mut random = generator(seed, 3);
                let width = world.extents.width as usize;
                let centres = (0..count).map(|_| {
                    let cell = free_cell(world, &mut random);
                    [(cell % width) as i32 * PARTS, (cell / width) as i32 * PARTS]
                });
                Sampler::Blobs { centres: centres.collect(), radius }
            }
            Shape::Ring { centre, radius, width } => Sampler::Ring { centre, radius, width },
            Shape::Uniform | Shape::Weights(_) | Shape::Exact(_) => Sampler::Anywhere,
        }
    }

    /// A cell; `None` where the throw went beyond a wall.
    fn cell(&self, extents: Extents, edges: Edges, random: &mut Random) -> Option<usize> {
        let (centre, offset) = match self {
            Sampler::Anywhere => return Some(random.below(extents.cells() as u64) as usize),
            Sampler::Blobs { centres, radius } => {
                let centre = centres[random.below(centres.len() as u64) as usize];
                // A sum of four uniform numbers is nearly a normal one.
                let mut axis = || (0..4).map(|_| random.around(radius / 2)).sum();
                (centre, [axis(), axis()])
            }
            Sampler::Ring { centre, radius, width } => {
                let [x, y] = random.inside_disc(1 << 15).map(i64::from);
                let far = radius + random.around(width / 2);
                let length = ((x * x + y * y) as u64).isqrt().max(1) as i64;
                (*centre, [x * far / length, y * far / length])
            }
        };
        let [width, height] = extents.as_cell();
        let x = on_lattice(centre[0], offset[0], width, edges)?;
        let y = on_lattice(centre[1], offset[1], height, edges)?;
        Some(y * width as usize + x)
    }
}

/// A cell that is not solid, if a few throws find one.
fn free_cell(world: &World, random: &mut Random) -> usize {
    let mut throw = || random.below(world.extents.cells() as u64) as usize;
    (0..MOST_TRIES).map(|_| throw()).find(|cell| capacity(world, *cell) > 0).unwrap_or(0)
}

/// The cell along one axis at an offset from a place.
fn on_lattice(place: i32, offset: i64, extent: i32, edges: Edges) -> Option<usize> {
    let parts = i64::from(PARTS_OF_A_LENGTH);
    let at = i64::from(place) * (parts / i64::from(PARTS)) + offset;
    let cell = (at + parts / 2).div_euclid(parts);
    match edges {
        Edges::Torus => Some(cell.rem_euclid(i64::from(extent)) as usize),
        Edges::Walls => (0..i64::from(extent)).contains(&cell).then_some(cell as usize),
    }
}

/// Packets thrown one after the other; their sum is exactly `quanta`, whole boids as long as these are not too many.
fn thrown(world: &World, quanta: u64, throw: &Sampler, mut random: Random) -> Vec<u32> {
    let throws = (quanta / u64::from(BOID)).min(MOST_THROWS);
    let mut filling = Filling::new(world);
    for index in 0..throws {
        let mut packet = quanta / throws + u64::from(index < quanta % throws);
        let mut last = None;
        for _ in 0..MOST_TRIES {
            if let Some(cell) = throw.cell(world.extents, world.edges, &mut random) {
                packet = filling.pour(cell, packet);
                last = Some(cell);
            }
            if packet == 0 {
                break;
            }
        }
        if packet > 0 {
            let from = last.unwrap_or_else(|| random.below(world.extents.cells() as u64) as usize);
            filling.settle(from, packet);
        }
    }
    filling.density
}

/// Each cell's part of the quanta, as its weight is of the sum of all: rounded so that the sum is exact.
fn in_proportion(world: &World, quanta: u64, weights: &[u32]) -> Vec<u32> {
    let all: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    let mut filling = Filling::new(world);
    let (mut weighed, mut given) = (0u64, 0u64);
    for (cell, weight) in weights.iter().enumerate() {
        weighed += u64::from(*weight);
        let due = (u128::from(quanta) * u128::from(weighed) / u128::from(all)) as u64;
        let rest = filling.pour(cell, due - given);
        if rest > 0 {
            filling.settle(cell, rest);
        }
        given = due;
    }
    filling.density
}

/// A lattice that is being filled, no cell above its capacity.
struct Filling<'a> {
    world: &'a World,
    density: Vec<u32>,
    /// For each cell the next that may have room, and itself as long as it has. Empty until it is needed.
    next: Vec<u32>,
}

impl<'a> Filling<'a> {
    fn new(world: &'a World) -> Self {
        Self { world, density: vec![0; world.extents.cells()], next: Vec::new() }
    }

    /// Puts what fits into a cell, and returns what does not.
    fn pour(&mut self, cell: usize, quanta: u64) -> u64 {
        let room = u64::from(capacity(self.world, cell) - self.density[cell]);
        let fits = quanta.min(room);
        self.density[cell] += fits as u32;
        quanta - fits
    }

    /// Puts all of it into the cells from this one on, around the end if need be. There is room for it.
    fn settle(&mut self, cell: usize, mut quanta: u64) {
        let cells = self.density.len();
        if self.next.is_empty() {
            self.next = (0..cells as u32).collect();
        }
        let mut cell = cell;
        loop {
            cell = self.with_room(cell);
            quanta = self.pour(cell, quanta);
            if quanta == 0 {
                return;
            }
            self.next[cell] = ((cell + 1) % cells) as u32;
        }
    }

    /// The first cell from this one on that is not known to be full. Every step shortens the way of later ones.
    fn with_room(&mut self, mut cell: usize) -> usize {
        while self.next[cell] as usize != cell {
            self.next[cell] = self.next[self.next[cell] as usize];
            cell = self.next[cell] as usize;
        }
        cell
    }
}
