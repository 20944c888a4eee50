//! The falcons of a swarm between two steps.

use crate::error::Failure;
use crate::numbers::Vector3;
use crate::state::{ColumnsReading, WorldColumn, WorldColumns};
use crate::ticket::{AnyReadingSource, EngineReading, Ticket, reading};
use crate::world::{PARTS, Space};

/// The phase in which a falcon circles at a distance from the swarm and rests.
pub const WAITS: i32 = 0;
/// The phase in which a falcon dives towards the mean of what it sees.
pub const STOOPS: i32 = 1;
/// The phase in which a falcon flies on straight, through the swarm and away.
pub const CLIMBS: i32 = 2;
/// The phase in which a falcon circles far around the player, while the player hunts.
pub const YIELDS: i32 = 3;
/// The greatest velocity on an axis (Q10 of a cell a step).
const MAX_VELOCITY: i32 = 1 << 15;

/// A falcon between two steps.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Falcon {
    /// The place, in 1/16 cell.
    pub place: Vector3,
    /// The phase: [`WAITS`], [`STOOPS`], [`CLIMBS`] or [`YIELDS`].
    pub phase: i32,
    /// The part of its way below 1/16 cell, which is not yet in `place` (Q10 of a cell), within ±32.
    pub remainder: Vector3,
    /// The energy, from 0 to the falcon's `rest`. It grows by 1 in each step in which the falcon waits or climbs, and
    /// shrinks while the falcon stoops.
    pub energy: i32,
    /// The velocity (Q10 of a cell a step).
    pub velocity: Vector3,
    /// Always 0; a structure in WGSL has whole groups of 16 bytes.
    pub padding: i32,
}

reading! {
    /// The falcons of the present swarm, in the order of the preset.
    FalconsReading -> Vec<Falcon>
}

impl EngineReading for FalconsReading {
    fn ask(self, engine: &mut dyn AnyReadingSource) -> Result<Ticket<Vec<Falcon>>, Failure> {
        Ok(ColumnsReading.ask(engine)?.map(|columns| Falcon::all_of(&columns).to_vec()))
    }
}

/// The column of the falcons, in the order of the preset. The hash contains place, phase, remainder, energy and
/// velocity.
pub static FALCONS: WorldColumn = WorldColumn {
    name: "falcons",
    words: size_of::<Falcon>() / 4,
    hashed: 11,
    place: 1,
    tag: b"FALCONS\0",
    is_counted: true,
    present: None,
    is_possible: |words, _, space| {
        bytemuck::pod_read_unaligned::<Falcon>(bytemuck::cast_slice(words)).is_possible(space)
    },
    move_window: |words, cells, space| {
        let falcon: &mut Falcon = bytemuck::from_bytes_mut(bytemuck::cast_slice_mut(words));
        for axis in 0..3 {
            falcon.place[axis] = (falcon.place[axis] - cells[axis] * PARTS).clamp(0, space.ends()[axis] - PARTS);
        }
    },
};

impl Falcon {
    /// The falcons of a swarm.
    pub fn all_of(columns: &WorldColumns) -> &[Self] {
        columns.values(&FALCONS)
    }

    /// The falcons of a swarm, to be changed.
    pub fn all_of_mut(columns: &mut WorldColumns) -> &mut [Self] {
        columns.values_mut(&FALCONS)
    }

    /// Replaces the falcons of a swarm.
    pub fn set_all(falcons: &[Self], columns: &mut WorldColumns) {
        columns.set(&FALCONS, bytemuck::cast_slice(falcons).to_vec());
    }

    /// Whether a falcon in this space can have these values.
    pub fn is_possible(&self, space: &Space) -> bool {
        let ends = space.ends();
        (0..3).all(|axis| (0..ends[axis]).contains(&self.place[axis]))
            && (WAITS..=YIELDS).contains(&self.phase)
            && self.remainder.iter().all(|part| (-32..=32).contains(part))
            && (0..=1 << 20).contains(&self.energy)
            && self.velocity.iter().all(|part| (-MAX_VELOCITY..=MAX_VELOCITY).contains(part))
            && self.padding == 0
    }
}
