//! The state of the cells between two steps, and the ledger.

use crate::numbers::{BOID, Vector, unpack};
use crate::world::Extents;

/// Density and control vector of every cell, x fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub extents: Extents,
    /// Quanta in each cell.
    pub density: Vec<u32>,
    /// The control vector of each cell (Q14), packed by [`crate::numbers::pack`].
    pub control: Vec<u32>,
}

impl State {
    /// A lattice without boids; all control vectors are zero.
    pub fn empty(extents: Extents) -> Self {
        Self { extents, density: vec![0; extents.cells()], control: vec![0; extents.cells()] }
    }

    /// The sum of the density, in quanta.
    pub fn total(&self) -> u64 {
        self.density.iter().map(|quanta| u64::from(*quanta)).sum()
    }

    /// The control vector of the cell with this index (Q14).
    pub fn control_of(&self, index: usize) -> Vector {
        unpack(self.control[index])
    }

    /// BLAKE3, in hex, of the three extents as u32, every density as u32, and every control vector as i16 per axis; all
    /// little-endian, x fastest (`docs/design.md`, "The program").
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for extent in [self.extents.width, self.extents.height, 1] {
            hasher.update(&extent.to_le_bytes());
        }
        // A packed control vector written little-endian is x and then y as i16.
        for words in [&self.density, &self.control] {
            let mut bytes = Vec::with_capacity(1 << 16);
            for chunk in words.chunks(1 << 14) {
                bytes.clear();
                bytes.extend(chunk.iter().flat_map(|word| word.to_le_bytes()));
                hasher.update(&bytes);
            }
        }
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
