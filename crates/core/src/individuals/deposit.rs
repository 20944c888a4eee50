//! Densities and control vectors of a flat lattice, made from individuals. Each individual is one boid in its cell. The
//! control vector of a cell is the mean velocity of the individuals in the cell.

use crate::numbers::{BOID, Cell, ONE, pack, quotient};
use crate::state::{Individuals, State};
use crate::ticket::{EngineReading, Reading};
use crate::world::{PLACE_BITS, Space};

/// The density word and the control word of a cell, deposited by the present individuals.
#[derive(Debug, Clone, Copy)]
pub struct DepositReading {
    /// The cell, as its place along x and y.
    pub cell: Cell,
}

impl EngineReading for DepositReading {}

impl Reading for DepositReading {
    type Value = [u32; 2];
}

/// The density and the mean control vector of every cell, projected along z. The density of a cell is at most 65 535
/// boids, even if the cell holds more individuals.
pub fn deposit(individuals: &Individuals, space: &Space) -> State {
    let extents = space.extents();
    let mut state = State::empty(extents);
    let mut counts = vec![0u32; extents.cells()];
    let mut sums = vec![[0i64; 2]; extents.cells()];
    for index in 0..individuals.len() {
        let [x, y] = [0, 1].map(|axis| (individuals.positions[axis][index] >> PLACE_BITS) as usize);
        let cell = y * extents.width as usize + x;
        counts[cell] += 1;
        for axis in 0..2 {
            sums[cell][axis] += i64::from(individuals.velocities[axis][index]);
        }
    }
    for (cell, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        state.layers[0].density[cell] = (*count).min(u32::MAX / BOID) * BOID;
        // A component is held within ±1 cell a step.
        let mean = sums[cell].map(|sum| mean(sum, i64::from(*count)).clamp(-ONE, ONE));
        state.layers[0].control[cell] = pack(mean);
    }
    state
}

/// The word of the density and the word of the control vector in a cell of a deposit.
pub fn words_in(deposit: &State, [x, y]: Cell) -> [u32; 2] {
    let index = y as usize * deposit.extents.width as usize + x as usize;
    [deposit.layers[0].density[index], deposit.layers[0].control[index]]
}

/// The quotient, rounded to nearest, halves away from zero.
fn mean(sum: i64, count: i64) -> i32 {
    match i32::try_from(sum) {
        Ok(sum) if count < 1 << 30 => quotient(sum, count as i32),
        _ => ((2 * sum.abs() + count) / (2 * count) * sum.signum()) as i32,
    }
}
