//! Every agent looks at every other: slow, and plainly right.

use super::{NeighbourSource, Scratch};
use crate::agents::situation::Sums;
use crate::agents::table::KnownSet;
use crate::lanes::Lanes;
use std::ops::Range;

pub struct Brute;

impl Brute {
    #[inline(always)]
    pub fn sum<S: KnownSet, const AXES: usize, V: Lanes>(
        &self,
        source: &NeighbourSource<'_>,
        agents: Range<usize>,
        scratch: &mut Scratch,
    ) {
        for (place, index) in agents.enumerate() {
            let mut lanes = Sums::<V>::none();
            source.gather_far::<S, AXES, V>(&mut lanes, &source.measured.own(index), 0..source.measured.count());
            scratch.sums.set(place, &lanes.total());
        }
    }
}
