//! Wander: the same small fraction of a cell to each face neighbour; headings stay.
//!
//! D'' = D' - given + received. A receiver gets at most a quarter of its room from each of four neighbours.

use super::{RowKernel, Scene};
use crate::fields::LANES;
use crate::numbers::multiply_fraction;

/// The four neighbours that share a face.
const FACES: [[i32; 2]; 4] = [[0, -1], [-1, 0], [1, 0], [0, 1]];

/// What a cell with density `giver` gives to a neighbour of this capacity and density.
#[inline(always)]
fn wander(giver: u32, capacity: u32, receiver: u32, fraction: u32) -> u32 {
    multiply_fraction(giver, fraction).min(capacity.saturating_sub(receiver) / 4)
}

/// Fills rows of D''. Reads the density and the capacity.
pub struct Wander;

impl RowKernel for Wander {
    #[inline(always)]
    fn row(scene: &Scene<'_>, y: i32, write: &mut [&mut [u32]]) {
        let (density, capacity) = (scene.read[0], scene.read[1]);
        let fraction = scene.parameters.wander;
        for x in scene.chunks() {
            let (here, room_here) = (density.lanes(x, y), capacity.lanes(x, y));
            let (mut given, mut received) = ([0u32; LANES], [0u32; LANES]);
            for [dx, dy] in FACES {
                let (there, room_there) = (density.lanes(x + dx, y + dy), capacity.lanes(x + dx, y + dy));
                for i in 0..LANES {
                    given[i] += wander(here[i], room_there[i], there[i], fraction);
                    received[i] += wander(there[i], room_here[i], here[i], fraction);
                }
            }
            let out = scene.lanes_mut(write[0], x);
            for i in 0..LANES {
                out[i] = here[i] - given[i] + received[i];
            }
        }
    }
}
