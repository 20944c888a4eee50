//! How an agent finds its neighbours. All searches give the same sums, because these are over sets.

pub mod brute;
pub mod grid;
pub mod octree;

use super::numbers::Units;
use super::situation::Sums;
use super::sums::{Measured, SelfAgent, SumBlock, SumMethod, gather};
use super::table::KnownSet;
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
    pub fn sum<S: KnownSet, const AXES: usize, V: Lanes>(
        &self,
        source: &NeighbourSource<'_>,
        agents: Range<usize>,
        scratch: &mut Scratch,
    ) {
        match self {
            Self::Brute(brute) => brute.sum::<S, AXES, V>(source, agents, scratch),
            Self::Octree(octree) => octree.sum::<S, AXES, V>(source, agents, scratch),
            Self::Grid(grid) => grid.sum::<S, AXES, V>(source, agents, scratch),
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
    /// How long the last sums took, and the steering after them.
    pub summed: Duration,
    pub steered: Duration,
}

/// What neighbours are searched among.
pub struct NeighbourSource<'a> {
    pub measured: &'a Measured,
    pub units: &'a Units,
    /// The extents in units.
    pub extents: [i32; 3],
    pub is_torus: bool,
}

impl NeighbourSource<'_> {
    /// Adds to the sums of one agent a run of candidates that may be anywhere.
    #[inline(always)]
    fn gather_far<S: KnownSet, const AXES: usize, V: Lanes>(
        &self,
        lanes: &mut Sums<V>,
        own: &SelfAgent,
        run: Range<usize>,
    ) {
        let extents = self.extents;
        // Told apart here, so that each loop is compiled for its own edges.
        if self.is_torus {
            gather::<S, AXES, V>(
                lanes,
                own,
                self.units,
                SumMethod::Far { extents, is_torus: true },
                self.measured,
                run,
            );
        } else {
            gather::<S, AXES, V>(
                lanes,
                own,
                self.units,
                SumMethod::Far { extents, is_torus: false },
                self.measured,
                run,
            );
        }
    }
}
