//! Wander: every cell gives the same small fraction to each face neighbour, at most a quarter of the room there; V stays.
//!
//! D'' = D' - given + received

use super::context::{PassContext, RowKernel};
use super::outflow::room;
use crate::lanes::Lanes;

/// The four neighbours that share a face.
const FACES: [[i32; 2]; 4] = [[0, -1], [-1, 0], [1, 0], [0, 1]];

/// The amount that a cell of density `giver` gives to a neighbour with so much room.
#[inline(always)]
fn given<L: Lanes>(giver: L, room: L, fraction: L) -> L {
    giver.multiply_fraction(fraction).min_unsigned(room.shift_right_unsigned::<2>())
}

/// Fills rows of D''. Reads the density and the capacity.
pub struct Wander;

impl RowKernel for Wander {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, y: i32, write: &mut [&mut [i32]]) {
        let (density, capacity) = (context.read[0].three_rows(y), context.read[1].three_rows(y));
        let fraction = L::splat(context.parameters.wander as i32);
        for x in context.chunks::<L>() {
            let (density, capacity) = (density.at::<L>(x), capacity.at::<L>(x));
            let here = density.centre();
            let room_here = room(capacity.centre(), here);
            let mut now = here;
            for face in FACES {
                let there = density.neighbour(face);
                let lost = given(here, room(capacity.neighbour(face), there), fraction);
                let gained = given(there, room_here, fraction);
                now = now.wrapping_subtract(lost).wrapping_add(gained);
            }
            now.store(context.at(write[0], x));
        }
    }
}
