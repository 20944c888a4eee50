//! Wander: the same small fraction of a cell to each face neighbour; headings stay.
//!
//! D'' = D' - given + received. A receiver gets at most a quarter of its room from each of four neighbours.

use super::{RowKernel, Scene};
use crate::lanes::Lanes;

/// The four neighbours that share a face.
const FACES: [[i32; 2]; 4] = [[0, -1], [-1, 0], [1, 0], [0, 1]];

/// What a cell with density `giver` gives to a neighbour of this capacity and density.
#[inline(always)]
fn wander<L: Lanes>(giver: L, capacity: L, receiver: L, fraction: L) -> L {
    let room = capacity.saturating_subtract_unsigned(receiver).shift_right_unsigned::<2>();
    giver.multiply_fraction(fraction).min_unsigned(room)
}

/// Fills rows of D''. Reads the density and the capacity.
pub struct Wander;

impl RowKernel for Wander {
    #[inline(always)]
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, capacity) = (scene.read[0].around(y), scene.read[1].around(y));
        let fraction = L::splat(scene.parameters.wander as i32);
        for x in scene.chunks::<L>() {
            let (density, capacity) = (density.cells::<L>(x), capacity.cells::<L>(x));
            let (here, room_here) = (density.here(), capacity.here());
            let mut now = here;
            for face in FACES {
                let (there, room_there) = (density.beside(face), capacity.beside(face));
                let given = wander(here, room_there, there, fraction);
                let received = wander(there, room_here, here, fraction);
                now = now.wrapping_subtract(given).wrapping_add(received);
            }
            now.store(scene.at(write[0], x));
        }
    }
}
