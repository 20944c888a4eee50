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

/// The account of all boids: start + spawned - caught equals the sum of the density (`docs/design.md`, invariant 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ledger {
    /// Quanta at the start.
    pub start: u64,
    /// Quanta added since.
    pub spawned: u64,
    /// Quanta caught or lifted since.
    pub caught: u64,
}

impl Ledger {
    /// The quanta missing if the density sums to `now`; negative if there are too many.
    pub fn lost(&self, now: u64) -> i64 {
        (i128::from(self.start) + i128::from(self.spawned) - i128::from(self.caught) - i128::from(now)) as i64
    }
}
