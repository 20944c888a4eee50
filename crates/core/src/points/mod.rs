//! Points: the boids of the cells, one by one, for pictures (`docs/model.md, Points`).
//!
//! A state says how many boids a cell holds and where they go, but not which is which. A point is a tracer, which the control vectors
//! carry along. Where a block of cells has more or fewer points than boids, points leave and appear softly. Points are no part of the
//! state. They are a function of it, of their last places, of the step and of the seed, in integers. So they are the same points on every
//! engine. The twins of these functions are in `shaders/points/`.

mod blocks;
pub(crate) mod falcons;
mod flow;
mod movement;
mod player;
pub(crate) mod strokes;

pub use blocks::{BLOCK, Blocks, tolerance};
pub use flow::{FieldFlow, Flow, StateFlow};
pub use player::PointPlayer;

use crate::error::Failure;
use crate::look::MAX_POINTS;
use crate::numbers::{BOID, ONE, Vector3};
use crate::ticket::{AnyReadingSource, EngineReading, Ticket, ask, reading};
use crate::world::{Edges, Extents};

/// Bits of a cell in a place.
pub const PLACE_BITS: u32 = 16;
/// How much the presence of a point changes in a step: it takes 16 steps to appear, and as many to leave.
pub const PRESENCE_RATE: u16 = 1 << 12;
/// The room is a multiple of this number of points, so that an added boid seldom changes it.
const ROOM_PART: u64 = 1 << 15;
/// The bit of a key that says that its point leaves.
const LEAVES: u32 = 1 << 31;
/// The bits of a key that hold the number of a point's layer, where there are several.
const LAYER_SHIFT: u32 = 28;

/// A point. Its layout in memory is that on a GPU.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Point {
    place: Vector3,
    velocity: [i16; 3],
    presence: u16,
    /// A random number for life, and [`LEAVES`].
    key: u32,
}

impl Point {
    /// A whole point at a place (Q16 of a cell), with a velocity (Q14 of a cell a step, within ±2 cells) and a random number.
    pub fn new(place: Vector3, velocity: Vector3, key: u32) -> Self {
        Self { place, velocity: velocity.map(|along| along as i16), presence: u16::MAX, key: key & !LEAVES }
    }

    /// The same with another presence.
    pub fn with_presence(self, presence: u16) -> Self {
        Self { presence, ..self }
    }

    /// Q16 of a cell, on the lattice. z is 0 in a flat world.
    pub fn place(&self) -> Vector3 {
        self.place
    }

    /// The way of the last step (Q14 of a cell): before it the point was at `place - 4 · velocity`, around a torus.
    #[inline]
    pub fn velocity(&self) -> Vector3 {
        [self.velocity[0].into(), self.velocity[1].into(), self.velocity[2].into()]
    }

    /// How much of the point is there: 0 to 65 535.
    pub fn presence(&self) -> u16 {
        self.presence
    }

    /// Its numbers in the order of the fields, little-endian.
    pub fn to_le_bytes(&self) -> [u8; 24] {
        bytemuck::cast(Self {
            place: self.place.map(i32::to_le),
            velocity: self.velocity.map(i16::to_le),
            presence: self.presence.to_le(),
            key: self.key.to_le(),
        })
    }

    /// The point of these bytes, as [`Self::to_le_bytes`] gives them.
    pub fn from_le_bytes(bytes: &[u8; 24]) -> Self {
        let Self { place, velocity, presence, key } = bytemuck::pod_read_unaligned(bytes);
        Self {
            place: place.map(i32::from_le),
            velocity: velocity.map(i16::from_le),
            presence: u16::from_le(presence),
            key: u32::from_le(key),
        }
    }

    /// A random number that the point keeps for life, below 2^31. Different points may have the same.
    pub fn key(&self) -> u32 {
        self.key & !LEAVES
    }

    /// The number of its layer, where there are several.
    pub fn layer(&self) -> u32 {
        self.key() >> LAYER_SHIFT
    }

    /// Whether the point is on its way out.
    pub fn leaves(&self) -> bool {
        self.key & LEAVES != 0
    }
}

/// The points of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    /// In the order of their layers, and of their blocks.
    pub list: Vec<Point>,
    /// The numbers of the step that made the state.
    pub parameters: PointParameters,
}

reading! {
    /// The points of the present state; `None`: it has none.
    PointsReading -> Option<Points>
}

/// Individuals have no points.
impl EngineReading for PointsReading {
    fn ask(self, engine: &mut dyn AnyReadingSource) -> Result<Ticket<Option<Points>>, Failure> {
        Ok(ask(engine, &self)?.unwrap_or_else(|| Ticket::ready(None)))
    }
}

impl Points {
    /// Boids for which a point stands.
    pub fn boids_each(&self) -> u32 {
        self.parameters.boids_each
    }

    /// Whether these may be the points of a state of so many layers with these extents. Each has to lie in the lattice, to be no faster
    /// than a cell a step, and to come in the order of layers and blocks.
    pub fn are_in_order(list: &[Point], extents: Extents, layers: u32) -> bool {
        let blocks = Blocks { layers, ..Blocks::new(extents) };
        if layers > 1 && list.iter().any(|point| point.layer() >= layers) {
            return false;
        }
        let ends = extents.along_axes().map(|extent| (extent as i32) << PLACE_BITS);
        let is_valid = |point: &Point| {
            (0..3).all(|axis| {
                (0..ends[axis]).contains(&point.place[axis]) && i32::from(point.velocity[axis]).abs() <= ONE
            })
        };
        list.iter().all(is_valid) && list.is_sorted_by_key(|point| blocks.bin(point))
    }
}

/// What points depend on beside a state and their last places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointParameters {
    /// The number of the step after which the state is.
    pub step: u32,
    /// Of the preset.
    pub seed: u32,
    /// Boids for which a point stands; at least 1.
    pub boids_each: u32,
    /// The most points, including points that leave.
    pub most: u32,
    /// Layers of the swarm, each of which has points of its own.
    pub layers: u32,
}

impl PointParameters {
    /// The parameters for a swarm that has been given so many quanta in all, with a budget of `most` points (at least 1): more boids than
    /// that are shown by fewer points. A third more points have room, for points that leave.
    pub fn new(seed: u64, step: u64, quanta: u64, most: u32) -> Self {
        let most = most.clamp(1, MAX_POINTS);
        let boids_each = quanta.div_ceil(u64::from(BOID)).div_ceil(u64::from(most)).clamp(1, 1 << 22) as u32;
        Self { step: step as u32, seed: (seed ^ (seed >> 32)) as u32, boids_each, most: most + most / 3, layers: 1 }
    }

    /// Whether points with these parameters go on as those with others would: they may have more room.
    pub fn serves(&self, wanted: &Self) -> bool {
        self.most >= wanted.most && Self { step: wanted.step, most: wanted.most, ..*self } == *wanted
    }

    /// The same parameters, with less room for a small swarm. The room is twice the number of its boids, rounded up to a multiple of 32 768.
    /// `quanta`: all that the swarm has been given. The time of a step on a GPU grows with the room.
    pub fn with_room_for(self, quanta: u64) -> Self {
        let wanted = (2 * quanta.div_ceil(u64::from(BOID)) + 1).next_multiple_of(ROOM_PART);
        Self { most: u64::from(self.most).min(wanted) as u32, ..self }
    }
}

/// The cell of a place.
#[inline(always)]
fn cell_at(place: Vector3) -> Vector3 {
    [place[0] >> PLACE_BITS, place[1] >> PLACE_BITS, place[2] >> PLACE_BITS]
}

/// A place up to one extent beyond the lattice, brought onto it: round a torus, or to the nearest place before a wall. Unlike
/// [`Edges::wrap_or_clamp`] it divides nothing, as it is called for every point in every step.
#[inline(always)]
fn held(place: Vector3, extents: Extents, edges: Edges) -> Vector3 {
    let (mut held, extents) = (place, extents.along_axes());
    for axis in 0..3 {
        let end = (extents[axis] as i32) << PLACE_BITS;
        held[axis] = match edges {
            Edges::Torus if place[axis] < 0 => place[axis] + end,
            Edges::Torus if place[axis] >= end => place[axis] - end,
            Edges::Torus => place[axis],
            Edges::Walls => place[axis].clamp(0, end - 1),
        };
    }
    held
}

#[cfg(test)]
mod tests;
