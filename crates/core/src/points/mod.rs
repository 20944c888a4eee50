//! Points: the boids of the cells, one by one, for pictures (`docs/model.md, Points`).
//!
//! A state has the number and the movement of the boids in a cell, but no identities. A point is a tracer that the
//! control vectors carry along. If a block of cells has more or fewer points than boids, points leave and appear
//! gradually. Points are not part of the state. They are computed with integers from the state, their last places, the
//! step and the seed. So they are equal on every engine. `shaders/points/` has these functions in WGSL.

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
use crate::world::{Edges, Extents, PLACE_BITS};

/// The change of the presence of a point in a step. The full presence is 65 535. A point takes 16 steps to appear, and
/// 16 to leave.
pub const PRESENCE_RATE: u16 = 1 << 12;
/// The room for points is a multiple of this number, so that an added boid seldom changes the room.
const ROOM_PART: u64 = 1 << 15;
/// The bit of a key that is set if its point leaves.
const LEAVES: u32 = 1 << 31;
/// The first bit of the number of a point's layer in its key, if there are several layers.
const LAYER_SHIFT: u32 = 28;

/// A point. Its layout in memory is the layout on a GPU.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Point {
    place: Vector3,
    velocity: [i16; 3],
    presence: u16,
    /// A constant random number, and the bit [`LEAVES`].
    key: u32,
}

impl Point {
    /// A point with full presence at a place (Q16 of a cell), with a velocity (Q14 of a cell a step, within ±2 cells)
    /// and a random number.
    pub fn new(place: Vector3, velocity: Vector3, key: u32) -> Self {
        Self { place, velocity: velocity.map(|along| along as i16), presence: u16::MAX, key: key & !LEAVES }
    }

    /// The place (Q16 of a cell) on the lattice. z is 0 in a flat world.
    pub fn place(&self) -> Vector3 {
        self.place
    }

    /// The vector of the last step (Q14 of a cell). Before this step the point was at `place - 4 · velocity`, on a
    /// torus modulo the extents.
    #[inline]
    pub fn velocity(&self) -> Vector3 {
        [self.velocity[0].into(), self.velocity[1].into(), self.velocity[2].into()]
    }

    /// The presence of the point: 0 to 65 535.
    pub fn presence(&self) -> u16 {
        self.presence
    }

    /// The fields in their order, little-endian.
    pub fn to_le_bytes(&self) -> [u8; 24] {
        bytemuck::cast(Self {
            place: self.place.map(i32::to_le),
            velocity: self.velocity.map(i16::to_le),
            presence: self.presence.to_le(),
            key: self.key.to_le(),
        })
    }

    /// The point of the bytes of [`Self::to_le_bytes`].
    pub fn from_le_bytes(bytes: &[u8; 24]) -> Self {
        let Self { place, velocity, presence, key } = bytemuck::pod_read_unaligned(bytes);
        Self {
            place: place.map(i32::from_le),
            velocity: velocity.map(i16::from_le),
            presence: u16::from_le(presence),
            key: u32::from_le(key),
        }
    }

    /// A constant random number, below 2^31. Two points may have the same number.
    pub fn key(&self) -> u32 {
        self.key & !LEAVES
    }

    /// The number of the point's layer. If there is only one layer, the result has no meaning.
    pub fn layer(&self) -> u32 {
        self.key() >> LAYER_SHIFT
    }

    /// Whether the point leaves: its presence decreases in each step until the point is removed.
    pub fn leaves(&self) -> bool {
        self.key & LEAVES != 0
    }
}

/// The points of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    /// The points in the order of their layers and blocks.
    pub list: Vec<Point>,
    /// The numbers of the step that made the state.
    pub parameters: PointParameters,
}

reading! {
    /// The points of the present state; `None`: the state has no points.
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

    /// Whether these may be the points of a state with `layers` layers and these extents. Each point must lie in the
    /// lattice, and must not move faster than one cell a step along any axis. The points must be in the order of layers
    /// and blocks.
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

/// The values that decide the next places of points, in addition to a state and the last places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointParameters {
    /// The number of the step that made the state.
    pub step: u32,
    /// The seed of the preset, in 32 bits.
    pub seed: u32,
    /// Boids for which a point stands; at least 1.
    pub boids_each: u32,
    /// The maximum number of points, including points that leave.
    pub most: u32,
    /// The number of layers of the swarm. Each has its own points.
    pub layers: u32,
}

impl PointParameters {
    /// The parameters for a swarm that has been given `quanta` quanta in all. `most`: the maximum number of points that
    /// do not leave; at least 1. If there are more boids than `most`, a point stands for several boids. There is room
    /// for `most`/3 additional points, which leave.
    pub fn new(seed: u64, step: u64, quanta: u64, most: u32) -> Self {
        let most = most.clamp(1, MAX_POINTS);
        let boids_each = quanta.div_ceil(u64::from(BOID)).div_ceil(u64::from(most)).clamp(1, 1 << 22) as u32;
        Self { step: step as u32, seed: (seed ^ (seed >> 32)) as u32, boids_each, most: most + most / 3, layers: 1 }
    }

    /// Whether points with these parameters can be used for a swarm that needs the parameters `wanted`. The step may
    /// differ, and there may be more room.
    pub fn serves(&self, wanted: &Self) -> bool {
        self.most >= wanted.most && Self { step: wanted.step, most: wanted.most, ..*self } == *wanted
    }

    /// The parameters with less room for a small swarm: twice the number of its boids, rounded up to a multiple of
    /// 2^15. `quanta`: all quanta that the swarm has been given. The time of a step on a GPU grows with the room.
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

/// Moves a place (Q16 of a cell) onto the lattice: round a torus, or to the nearest place before a wall. The place may
/// be at most one extent beyond the lattice. Unlike [`Edges::wrap_or_clamp`] the function does not divide, since it is
/// called for every point in every step.
#[inline(always)]
fn held(place: Vector3, extents: Extents, edges: Edges) -> Vector3 {
    let mut held = place;
    let extents = extents.along_axes();
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
