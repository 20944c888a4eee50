//! How an agent finds its neighbours. All searches give the same sums, because these are over sets.
//!
//! Each search divides the agents into groups that share their candidates: all of them, those of a cell, those of a leaf.

pub mod grid;
pub mod octree;

use super::numbers::Units;
use super::rules::Steering;
use super::situation::Sums;
use super::sums::{NeighbourSource, OffsetMethod, SelfAgent, SumBlock, gather};
use super::{Agents, Space};
use crate::lanes::Lanes;
use crate::vector::subtract;
use std::ops::Range;
use std::time::Duration;

/// A way to find neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchKind {
    /// Every agent looks at every other: slow, and plainly right.
    Brute,
    /// A tree of boxes, each split in four or eight where it is crowded.
    Octree,
    /// Cells at least as wide as the greatest radius.
    Grid,
}

/// A search made ready for one step.
pub enum Search {
    Brute,
    Octree(octree::Octree),
    Grid(grid::Grid),
}

/// A run of candidates, and how far it lies beyond an edge of the torus, in units.
pub type Run = (Range<usize>, [i32; 3]);

/// Working memory for the sums of a block of agents, kept from step to step.
#[derive(Default)]
pub struct Scratch {
    pub sums: SumBlock,
    /// The runs of candidates of the present group.
    runs: Vec<Run>,
    /// The duration of the last sums, and of the steering after them.
    pub summed: Duration,
    pub steered: Duration,
}

impl Search {
    pub fn new(kind: SearchKind, space: &Space, units: &Units) -> Self {
        match kind {
            SearchKind::Brute => Self::Brute,
            SearchKind::Octree => Self::Octree(octree::Octree::new(space, units)),
            SearchKind::Grid => Self::Grid(grid::Grid::new(space, units)),
        }
    }

    /// Brings the agents into an order in which neighbours are found fast, and makes the search ready.
    pub fn prepare(&mut self, agents: &mut Agents, spare: &mut Agents) {
        match self {
            Self::Brute => {}
            Self::Octree(octree) => octree.prepare(agents, spare),
            Self::Grid(grid) => grid.prepare(agents, spare),
        }
    }

    /// The sums of at most [`super::sums::BLOCK`] agents, one after the other.
    #[inline(always)]
    pub fn sum<S: Steering, const AXES: usize, V: Lanes>(
        &self,
        source: &NeighbourSource<'_>,
        agents: Range<usize>,
        scratch: &mut Scratch,
    ) {
        let method = match self {
            Self::Grid(grid) if grid.is_near => OffsetMethod::Near,
            Self::Octree(_) if !octree::is_narrow::<AXES>(source) => OffsetMethod::Straight,
            _ if source.is_torus => OffsetMethod::Torus,
            _ => OffsetMethod::Straight,
        };
        // Told apart here, so that each loop is compiled for its own method.
        match method {
            OffsetMethod::Near => self.sum_by::<S, AXES, V>(source, OffsetMethod::Near, agents, scratch),
            OffsetMethod::Straight => self.sum_by::<S, AXES, V>(source, OffsetMethod::Straight, agents, scratch),
            OffsetMethod::Torus => self.sum_by::<S, AXES, V>(source, OffsetMethod::Torus, agents, scratch),
        }
    }

    #[inline(always)]
    fn sum_by<S: Steering, const AXES: usize, V: Lanes>(
        &self,
        source: &NeighbourSource<'_>,
        method: OffsetMethod,
        agents: Range<usize>,
        scratch: &mut Scratch,
    ) {
        let Scratch { sums, runs, .. } = scratch;
        let mut group = match self {
            Self::Brute => 0,
            Self::Octree(octree) => octree.leaf_of(agents.start),
            Self::Grid(grid) => grid.cell_of(agents.start),
        };
        let mut first = agents.start;
        while first < agents.end {
            runs.clear();
            let end = match self {
                Self::Grid(grid) => grid.find_runs(source, &mut group, first, runs),
                Self::Octree(octree) if method != OffsetMethod::Torus => {
                    octree.find_runs::<AXES>(source, &mut group, runs)
                }
                _ => {
                    runs.push((0..source.measured.count(), [0; 3]));
                    agents.end
                }
            };
            let end = end.min(agents.end);
            for index in first..end {
                let own = source.measured.own(index, source.units);
                let mut lanes = Sums::<V>::none();
                for (run, shift) in runs.iter() {
                    let own = SelfAgent { place: subtract(own.place, *shift), ..own };
                    gather::<S, AXES, V>(&mut lanes, &own, source, method, run.clone());
                }
                sums.set(index - agents.start, &lanes.total());
            }
            first = end;
        }
    }
}
