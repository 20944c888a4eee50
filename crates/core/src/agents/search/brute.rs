//! Every agent looks at every other: slow, and plainly right.

use super::{Among, Scratch};
use crate::agents::sums::{Kind, Sums};
use crate::lanes::Lanes;
use std::ops::Range;

pub struct Brute;

impl Brute {
    #[inline(always)]
    pub fn sum<K: Kind, const AXES: usize, V: Lanes>(
        &self,
        among: &Among<'_>,
        agents: Range<usize>,
        scratch: &mut Scratch,
    ) {
        for (place, index) in agents.enumerate() {
            let mut lanes = Sums::<V>::none();
            among.gather_far::<K, AXES, V>(&mut lanes, &among.measured.own(index), 0..among.measured.count());
            scratch.sums.set(place, &lanes.total());
        }
    }
}
