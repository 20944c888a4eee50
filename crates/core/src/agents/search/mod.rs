//! How an agent finds its neighbours. All searches give the same sums, because these are over sets.

pub mod brute;
pub mod grid;
pub mod octree;

use super::rules::Units;
use super::sums::{Kind, Measured, Own, SumBlock, Sums, Way, gather};
use super::{Agents, Space};
use crate::lanes::Lanes;
use std::ops::Range;
use std::time::Duration;

/// A way to find neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchKind {
    /// Every agent looks at every other.
    Brute,
    /// A tree of boxes, each split in four or eight where it is crowded.
    Octree,
    /// Cells at least as wide as the greatest radius.
    Grid,
}

/// A search made ready for one step.
pub enum Search {
    Brute(brute::Brute),
    Octree(octree::Octree),
    Grid(grid::Grid),
}

impl Search {
    pub fn new(kind: SearchKind, space: &Space, units: &Units) -> Self {
        match kind {
            SearchKind::Brute => Self::Brute(brute::Brute),
            SearchKind::Octree => Self::Octree(octree::Octree::new(space, units)),
            SearchKind::Grid => Self::Grid(grid::Grid::new(space, units)),
        }
    }

    /// Brings the agents into an order in which neighbours are found fast, and makes the search ready.
    pub fn prepare(&mut self, agents: &mut Agents, spare: &mut Agents) {
        match self {
            Self::Brute(_) => {}
            Self::Octree(octree) => octree.prepare(agents, spare),
            Self::Grid(grid) => grid.prepare(agents, spare),
        }
    }

    /// The sums of at most [`super::sums::BLOCK`] agents, one after the other.
    #[inline(always)]
    pub fn sum<K: Kind, const AXES: usize, V: Lanes>(
        &self,
        among: &Among<'_>,
        agents: Range<usize>,
        scratch: &mut Scratch,
    ) {
        match self {
            Self::Brute(brute) => brute.sum::<K, AXES, V>(among, agents, scratch),
            Self::Octree(octree) => octree.sum::<K, AXES, V>(among, agents, scratch),
            Self::Grid(grid) => grid.sum::<K, AXES, V>(among, agents, scratch),
        }
    }
}

/// A run of candidates, and how far it lies beyond an edge of the torus, in units.
pub type Run = (Range<usize>, [i32; 3]);

/// Room for the sums of a block of agents, kept from step to step.
#[derive(Default)]
pub struct Scratch {
    pub sums: SumBlock,
    /// The runs of candidates of the agents at hand.
    pub runs: Vec<Run>,
    /// How long the last sums took, and then the steering.
    pub looked: Duration,
    pub steered: Duration,
}

/// Those among whom neighbours are searched.
pub struct Among<'a> {
    pub measured: &'a Measured,
    pub units: &'a Units,
    /// The extents in units.
    pub extents: [i32; 3],
    pub is_torus: bool,
}

impl Among<'_> {
    /// Adds to the sums of one agent a run of candidates that may be anywhere.
    #[inline(always)]
    fn gather_far<K: Kind, const AXES: usize, V: Lanes>(&self, lanes: &mut Sums<V>, own: &Own, run: Range<usize>) {
        let extents = self.extents;
        // Told apart here, so that each loop is compiled for its own edges.
        if self.is_torus {
            gather::<K, AXES, V>(lanes, own, self.units, Way::Far { extents, is_torus: true }, self.measured, run);
        } else {
            gather::<K, AXES, V>(lanes, own, self.units, Way::Far { extents, is_torus: false }, self.measured, run);
        }
    }
}
