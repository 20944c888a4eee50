//! The sums of a falcon over the individuals that it sees: their number and their offsets over the ball around it.

use super::SwarmMoments;
use crate::numbers::Vector3;
use crate::state::Individuals;
use crate::world::{PARTS, PLACE_BITS, Space, offset, undecided};

/// The number of bits of a position (Q16 of a cell) that are below 1/16 cell.
const BELOW_PARTS: u32 = PLACE_BITS - 4;

/// The sums over the individuals that are at most `sight` cells from a place (1/16 cell). Offsets are rounded towards
/// 0. An offset of exactly half a torus counts as 0.
pub fn see(individuals: &Individuals, space: &Space, sight: i32, place: Vector3) -> SwarmMoments {
    let radius = sight * PARTS;
    let mut seen = SwarmMoments::default();
    for index in 0..individuals.len() {
        let position = individuals.position(index);
        let (mut square, mut offsets) = (0, [0; 3]);
        for axis in 0..space.axes() {
            // A place is counted from the middle of a cell, a position from its edge.
            let from = (place[axis] << BELOW_PARTS) + (1 << (PLACE_BITS - 1));
            let extent = (space.extents[axis] as i32) << PLACE_BITS;
            let away = offset(from, position[axis], extent, space.edges);
            let parts = away.abs() >> BELOW_PARTS;
            square += Ord::min(parts, radius + 1).pow(2);
            if !undecided(away, extent, space.edges) {
                offsets[axis] = i64::from(parts * away.signum());
            }
        }
        if square <= radius * radius {
            seen.add(&SwarmMoments { amount: 1, moment: offsets });
        }
    }
    seen
}
