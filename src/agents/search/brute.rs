//! Every agent looks at every other: slow, and plainly right.

use super::Among;
use crate::agents::sums::{Kind, SumLanes, Sums};
use std::ops::Range;

pub struct Brute;

impl Brute {
    #[inline(always)]
    pub fn sum<K: Kind, const AXES: usize, const L: usize>(
        &self,
        among: &Among<'_>,
        agents: Range<usize>,
        into: &mut [Sums],
    ) {
        let all = among.measured.places[0].len();
        for (index, sums) in agents.zip(into) {
            let mut lanes = SumLanes::<L>::default();
            among.gather_far::<K, AXES, L>(&mut lanes, &among.own(index), 0..all);
            *sums = lanes.total();
        }
    }
}
