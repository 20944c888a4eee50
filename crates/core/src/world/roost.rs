//! The roost: a place that attracts the swarm.

use super::Edges;
use crate::lanes::Lanes;
use crate::numbers::{RULE_ONE, Vector3, each_axis};

/// A place that attracts the swarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roost {
    /// The place, in 1/16 cell from the centre of the first cell.
    pub place: Vector3,
    /// The factor of the attraction along z (Q10), at most 4.
    pub vertical: i32,
}

impl Roost {
    /// The rule of the roost, for both models. Returns the control vector (Q10) at a place x in 1/16 cell: towards the
    /// roost, longer at larger distances. `ends`: the extents of the world in 1/16 cell.
    ///
    /// On axis i, v_i = clamp(4 (c_i - x_i) / n, ±1), with the place c of the roost and the smaller extent n along x
    /// and y. v_z is multiplied by `vertical`. On a torus the offset c_i - x_i is along the shorter way. If both ways
    /// are equally long, it is 0.
    ///
    /// In integers: 1024 v_i = round(4096 clamp(o, ±m/4) / m), with the offset o and m = 16 n, both in 1/16 cell.
    #[inline(always)]
    pub fn control(&self, place: Vector3, ends: Vector3, edges: Edges) -> Vector3 {
        each_axis(|axis| self.component(axis, place[axis], ends, edges))
    }

    /// The component of [`Self::control`] along one axis, for several places, one per lane. It depends only on the
    /// places along this axis.
    #[inline(always)]
    pub fn component<L: Lanes>(&self, axis: usize, place: L, ends: Vector3, edges: Edges) -> L {
        let (splat, end, smaller) = (L::splat, L::splat(ends[axis]), Ord::min(ends[0], ends[1]));
        let mut home = splat(self.place[axis]).subtract(place);
        if edges == Edges::Torus {
            let twice = home.add(home);
            let is_under = twice.less_than(splat(0).subtract(end));
            home = home.add(is_under.and(end)).subtract(end.less_than(twice).and(end));
            let twice = home.abs().add(home.abs());
            home = twice.equals(end).select(splat(0), home);
        }
        let held = home.clamp_magnitude(splat(smaller / 4));
        let v = held.multiply(splat(4 * RULE_ONE)).quotient(splat(smaller).divisor());
        if axis == 2 { v.multiply(splat(self.vertical)).round_shift::<10>() } else { v }
    }
}
