//! The state of the cells between two steps, and the ledger.

use crate::falcon::{self, Falcon};
use crate::numbers::{BOID, Vector, Vector3, pack, unpack};
use crate::world::Extents;

/// Density and control vector of every cell, x fastest and z slowest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub extents: Extents,
    /// Quanta in each cell.
    pub density: Vec<u32>,
    /// The control vector of each cell (Q14) along x and y, packed by [`crate::numbers::pack`].
    pub control: Vec<u32>,
    /// The control vector of each cell (Q14) along z; empty in a flat world.
    pub control_z: Vec<i16>,
    /// The falcons over the lattice, in the order of the preset.
    pub falcons: Vec<Falcon>,
}

impl State {
    /// A lattice without boids; all control vectors are zero.
    pub fn empty(extents: Extents) -> Self {
        let cells = extents.cells();
        let control_z = vec![0; if extents.depth.is_some() { cells } else { 0 }];
        Self { extents, density: vec![0; cells], control: vec![0; cells], control_z, falcons: Vec::new() }
    }

    /// The sum of the density, in quanta.
    pub fn total(&self) -> u64 {
        self.density.iter().map(|quanta| u64::from(*quanta)).sum()
    }

    /// The control vector of the cell with this index (Q14) along x and y.
    pub fn control_of(&self, index: usize) -> Vector {
        unpack(self.control[index])
    }

    /// The control vector of the cell with this index (Q14); its z is 0 in a flat world.
    pub fn velocity(&self, index: usize) -> Vector3 {
        let [x, y] = self.control_of(index);
        [x, y, self.control_z.get(index).copied().unwrap_or(0).into()]
    }

    /// Sets the control vector of the cell with this index (Q14). z is left out in a flat world.
    pub fn set_velocity(&mut self, index: usize, [x, y, z]: Vector3) {
        self.control[index] = pack([x, y]);
        if let Some(word) = self.control_z.get_mut(index) {
            *word = z as i16;
        }
    }

    /// BLAKE3, in hex, of the three extents as u32, every density as u32, and every control vector as i16 for each axis of the
    /// world; all little-endian, x fastest and z slowest; then of the falcons, if there are any (`docs/design.md`, "The program"). A
    /// flat world has 1 along z; a deep one is told from it by its third components.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for extent in self.extents.along_axes() {
            hasher.update(&extent.to_le_bytes());
        }
        let mut bytes = Vec::with_capacity(1 << 17);
        for densities in self.density.chunks(1 << 14) {
            bytes.clear();
            bytes.extend(densities.iter().flat_map(|quanta| quanta.to_le_bytes()));
            hasher.update(&bytes);
        }
        for (index, vectors) in self.control.chunks(1 << 14).enumerate() {
            bytes.clear();
            // A packed control vector written little-endian is x and then y as i16.
            let along_z = self.control_z.get(index << 14..).unwrap_or_default();
            if along_z.is_empty() {
                bytes.extend(vectors.iter().flat_map(|word| word.to_le_bytes()));
            }
            for (word, z) in vectors.iter().zip(along_z) {
                bytes.extend(word.to_le_bytes());
                bytes.extend(z.to_le_bytes());
            }
            hasher.update(&bytes);
        }
        hasher.update(&falcon::hashed(&self.falcons));
        hasher.finalize().to_hex().to_string()
    }
}

/// An amount in quanta as a number of boids, for display.
pub fn boids(quanta: u64) -> f64 {
    quanta as f64 / f64::from(BOID)
}

/// What came and went by the steps of a swarm, in quanta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Turnover {
    /// What the jaws of hunters caught.
    pub caught: u64,
    /// Individuals that were born.
    pub born: u64,
    /// Individuals that have perished of hunger or sorrow.
    pub starved: u64,
    /// Food that has grown and that was eaten (see [`crate::individuals::lives::food`]).
    pub grown: u64,
    pub eaten: u64,
}

impl Turnover {
    /// The sums of both, modulo 2^64: a ledger may hold what an engine is to take back.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            caught: self.caught.wrapping_add(other.caught),
            born: self.born.wrapping_add(other.born),
            starved: self.starved.wrapping_add(other.starved),
            grown: self.grown.wrapping_add(other.grown),
            eaten: self.eaten.wrapping_add(other.eaten),
        }
    }

    /// The differences of both, modulo 2^64.
    pub fn minus(&self, other: &Self) -> Self {
        Self {
            caught: self.caught.wrapping_sub(other.caught),
            born: self.born.wrapping_sub(other.born),
            starved: self.starved.wrapping_sub(other.starved),
            grown: self.grown.wrapping_sub(other.grown),
            eaten: self.eaten.wrapping_sub(other.eaten),
        }
    }

    /// The same with individuals in quanta; food is what it is.
    pub fn in_quanta(&self) -> Self {
        let [caught, born, starved] = [self.caught, self.born, self.starved].map(|count| count * u64::from(BOID));
        Self { caught, born, starved, ..*self }
    }
}

/// The account of all boids: start + spawned + born - caught - starved equals the sum of the density (`docs/design.md`, invariant 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ledger {
    /// Quanta at the start.
    pub start: u64,
    /// Quanta added since.
    pub spawned: u64,
    /// What came and went since; what a person lifts counts as caught.
    pub turnover: Turnover,
    /// Food at the start, and what a person added and removed since.
    pub food: u64,
    pub fed: u64,
    pub removed: u64,
}

impl Ledger {
    /// The quanta missing if the density sums to `now`; negative if there are too many.
    pub fn lost(&self, now: u64) -> i64 {
        let Turnover { caught, born, starved, .. } = self.turnover;
        let [start, spawned, caught, born, starved, now] =
            [self.start, self.spawned, caught, born, starved, now].map(i128::from);
        (start + spawned + born - caught - starved - now) as i64
    }

    /// The food missing if it sums to `now`; negative if there is too much: start + grown + fed - eaten - removed equals the sum.
    pub fn lost_food(&self, now: u64) -> i64 {
        let Self { food, fed, removed, turnover: Turnover { grown, eaten, .. }, .. } = *self;
        let [food, fed, removed, grown, eaten, now] = [food, fed, removed, grown, eaten, now].map(i128::from);
        (food + grown + fed - eaten - removed - now) as i64
    }
}
