//! How an agent finds its neighbours. All searches give the same sums, because these are over sets.
//!
//! Each search divides the agents into groups that share their candidates: all of them, those of a cell, those of a leaf.

pub mod brute;
pub mod grid;
pub mod octree;

use super::numbers::Units;
use super::rules::Steering;
use super::situation::Sums;
use super::sums::{NeighbourSource, OffsetMethod, SelfAgent, SumBlock, gather};
use super::{Agents, Space};
use crate::lanes::Lanes;
use crate::species::MOST_SPECIES;
use crate::state::EnergyTurnover;
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
    Brute(brute::BruteForce),
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
    pub runs: Vec<Run>,
    /// The duration of the last sums, and of the steering after them.
    pub summed: Duration,
    pub steered: Duration,
    /// What came and went of the energy of the block in the last step, but for what its lives had at their ends.
    pub energy: EnergyTurnover,
}

impl Search {
    /// A search among so many species.
    pub fn new(kind: SearchKind, space: &Space, units: &Units, species: usize) -> Self {
        match kind {
            SearchKind::Brute => Self::Brute(brute::BruteForce::new(species)),
            SearchKind::Octree => Self::Octree(octree::Octree::new(space, units, species)),
            SearchKind::Grid => Self::Grid(grid::Grid::new(space, units, species)),
        }
    }

    /// Brings the agents into the order of their species, and within it into one in which neighbours are found fast, and makes the search
    /// ready. `spare` has them in the order of before.
    pub fn prepare(&mut self, agents: &mut Agents, spare: &mut Agents) {
        match self {
            Self::Brute(brute) => brute.prepare(agents, spare),
            Self::Octree(octree) => octree.prepare(agents, spare),
            Self::Grid(grid) => grid.prepare(agents, spare),
        }
    }

    /// The agents of a species.
    pub fn of_species(&self, species: usize) -> Range<usize> {
        match self {
            Self::Brute(brute) => brute.of_species(species),
            Self::Octree(octree) => octree.of_species(species),
            Self::Grid(grid) => grid.of_species(species),
        }
    }

    /// The sums over neighbours by the rules of a set; `COUNTED`: with the number of the neighbours of each rule.
    #[inline(always)]
    pub fn sum<S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
        &self,
        source: &NeighbourSource<'_>,
        query: NeighbourQuery<'_>,
        scratch: &mut Scratch,
    ) {
        // Told apart here, so that each loop is compiled for its own method.
        match self.method::<AXES>(source) {
            OffsetMethod::Near => self.sum_by::<S, COUNTED, AXES, V>(source, OffsetMethod::Near, query, scratch),
            OffsetMethod::Straight => {
                self.sum_by::<S, COUNTED, AXES, V>(source, OffsetMethod::Straight, query, scratch)
            }
            OffsetMethod::Torus => self.sum_by::<S, COUNTED, AXES, V>(source, OffsetMethod::Torus, query, scratch),
        }
    }

    /// How offsets to candidates are found.
    #[inline(always)]
    pub fn method<const AXES: usize>(&self, source: &NeighbourSource<'_>) -> OffsetMethod {
        match self {
            Self::Grid(grid) if grid.is_near => OffsetMethod::Near,
            Self::Octree(_) if !octree::is_narrow::<AXES>(source) => OffsetMethod::Straight,
            _ if source.is_torus => OffsetMethod::Torus,
            _ => OffsetMethod::Straight,
        }
    }

    /// The group of an agent: all agents, those of a cell, or those of a leaf.
    #[inline(always)]
    pub fn group_of(&self, agent: usize) -> usize {
        match self {
            Self::Brute(_) => 0,
            Self::Octree(octree) => octree.leaf_of(agent),
            Self::Grid(grid) => grid.cell_of(agent),
        }
    }

    /// The runs of candidates of a species around the group of an agent. `group`: that of an earlier agent, moved on to this one's.
    /// Returns the end of the group.
    #[inline(always)]
    pub fn find_runs<const AXES: usize>(
        &self,
        source: &NeighbourSource<'_>,
        among: usize,
        group: &mut usize,
        agent: usize,
        runs: &mut Vec<Run>,
    ) -> usize {
        runs.clear();
        match self {
            Self::Grid(grid) => grid.find_runs(source, among, group, agent, runs),
            Self::Octree(octree) if self.method::<AXES>(source) != OffsetMethod::Torus => {
                octree.find_runs::<AXES>(source, among, group, agent, runs)
            }
            _ => {
                runs.push((self.of_species(among), [0; 3]));
                source.measured.count()
            }
        }
    }

    #[inline(always)]
    fn sum_by<S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
        &self,
        source: &NeighbourSource<'_>,
        method: OffsetMethod,
        NeighbourQuery { units, among, agents }: NeighbourQuery<'_>,
        scratch: &mut Scratch,
    ) {
        let Scratch { sums, runs, .. } = scratch;
        let mut group = self.group_of(agents.start);
        let mut first = agents.start;
        while first < agents.end {
            let end = self.find_runs::<AXES>(source, among, &mut group, first, runs).min(agents.end);
            for index in first..end {
                let own = source.measured.own(index, units);
                let mut lanes = Sums::<V>::none();
                for (run, shift) in runs.iter() {
                    let own = SelfAgent { place: subtract(own.place, *shift), ..own };
                    gather::<S, COUNTED, AXES, V>(&mut lanes, &own, source, method, run.clone());
                }
                sums.set(index - agents.start, &lanes.total());
            }
            first = end;
        }
    }
}

/// A search for the neighbours of at most [`super::sums::BLOCK`] agents of one species.
pub struct NeighbourQuery<'a> {
    /// How far they see.
    pub units: &'a Units,
    /// The species of the neighbours.
    pub among: usize,
    /// The indices of the agents whose neighbours they are.
    pub agents: Range<usize>,
}

/// Finds the indices of agents in the order of their species, and within one in the order in which they are. `starts`: gets the first of
/// each species in that order, and at the end their number.
fn order_by_species(agents: &Agents, starts: &mut [usize], order: &mut Vec<u32>) {
    let counts = agents.counts();
    let mut next = [0; MOST_SPECIES];
    for species in 0..starts.len() - 1 {
        next[species] = starts[species];
        starts[species + 1] = starts[species] + counts[species] as usize;
    }
    order.resize(agents.len(), 0);
    for index in 0..agents.len() {
        let place = &mut next[agents.species(index)];
        order[*place] = index as u32;
        *place += 1;
    }
}
