//! How an agent finds its neighbours. All searches give the same sums, because these are over sets.

pub mod brute;
pub mod grid;
pub mod octree;

use super::rules::Units;
use super::sums::{Candidates, Kind, Measured, Own, SumLanes, Sums, Way, gather};
use super::{Agents, Space};
use std::ops::Range;

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
    pub fn prepare(&mut self, agents: &mut Agents, spare: &mut Agents, space: &Space, units: &Units) {
        match self {
            Self::Brute(_) => {}
            Self::Octree(octree) => octree.prepare(agents, spare, space, units),
            Self::Grid(grid) => grid.prepare(agents, spare, space),
        }
    }

    /// The sums of some agents, one after the other, into `into`.
    #[inline(always)]
    pub fn sum<K: Kind, const AXES: usize, const L: usize>(
        &self,
        among: &Among<'_>,
        agents: Range<usize>,
        into: &mut [Sums],
    ) {
        match self {
            Self::Brute(brute) => brute.sum::<K, AXES, L>(among, agents, into),
            Self::Octree(octree) => octree.sum::<K, AXES, L>(among, agents, into),
            Self::Grid(grid) => grid.sum::<K, AXES, L>(among, agents, into),
        }
    }
}

/// Those among whom neighbours are searched.
pub struct Among<'a> {
    pub measured: &'a Measured,
    pub units: &'a Units,
    /// The extents in units.
    pub extents: [i32; 3],
    pub is_torus: bool,
}

impl<'a> Among<'a> {
    #[inline(always)]
    fn own(&self, index: usize) -> Own {
        Own {
            place: [0, 1, 2].map(|axis| self.measured.places[axis][index]),
            velocity: [0, 1, 2].map(|axis| self.measured.velocities[axis][index]),
        }
    }

    #[inline(always)]
    fn candidates(&self, range: Range<usize>) -> Candidates<'a> {
        self.measured.candidates(range)
    }

    /// The sums of one agent over candidates that may be anywhere.
    #[inline(always)]
    fn gather_far<K: Kind, const AXES: usize, const L: usize>(
        &self,
        lanes: &mut SumLanes<L>,
        own: &Own,
        range: Range<usize>,
    ) {
        // Told apart here, so that each loop is compiled for its own edges.
        let candidates = self.candidates(range);
        let extents = self.extents;
        if self.is_torus {
            gather::<K, AXES, L>(lanes, own, self.units, Way::Far { extents, is_torus: true }, candidates);
        } else {
            gather::<K, AXES, L>(lanes, own, self.units, Way::Far { extents, is_torus: false }, candidates);
        }
    }
}
