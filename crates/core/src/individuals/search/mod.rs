//! Searches for the neighbours of individuals. All searches give equal sums, since the sums do not depend on an order.
//!
//! Each search divides the individuals into groups that share their candidates: the individuals that may be neighbours.
//! The individuals of a group lie in lanes. If only some individuals within the radii are neighbours (see
//! [`Selection`](super::selection::Selection)), the candidates lie in lanes instead.

pub(crate) mod brute;
mod counting_sort;
pub mod grid;
pub(crate) mod octree;
pub mod selected;

use super::Setup;
use super::numbers::Units;
use super::rules::Steering;
use super::situation::Sums;
use super::sums::{IndividualsInUnits, NeighbourSource, OffsetMethod, SumBlock, gather};
use crate::lanes::{InstructionSet, LaneWork, Lanes};
use crate::state::Individuals;
use crate::world::{Edges, MAX_SPECIES, Space};
use selected::SelectedNeighbours;
use std::ops::Range;
use std::time::Duration;

/// A way to find neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchKind {
    /// Every individual looks at every other: slow, but simple.
    Brute,
    /// A tree of boxes. A box with many individuals is split in four (two axes) or in eight (three axes).
    Octree,
    /// Cells, narrow along x and at least as wide as the greatest radius along y and z.
    Grid,
}

/// A search made ready for one step.
pub enum Search {
    /// The search that looks at all individuals.
    Brute(brute::BruteForce),
    /// The search in a tree of boxes.
    Octree(octree::Octree),
    /// The search in a grid of cells.
    Grid(grid::Grid),
}

/// The number of individuals that share their candidates if the candidates lie in lanes. Larger groups have more
/// candidates, but search for them less often.
pub const SHARING: usize = 6;

/// A range of candidates, and the distance along each axis, in units of places, at which they lie beyond an edge of the
/// torus.
pub type Run = (Range<usize>, [i32; 3]);

/// The energy of the individuals of a block in a step, in parts of [`FULL`](crate::lives::FULL).
#[derive(Debug, Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct BlockEnergy {
    /// Hunger that meals have stilled.
    pub eaten: u64,
    /// Hunger that has grown.
    pub burnt: u64,
    /// Energy of the newly born.
    pub born: u64,
}

/// Working memory for the sums of a block of individuals, kept from step to step.
#[derive(Default)]
pub struct Scratch {
    /// The sums of the present block.
    pub sums: SumBlock,
    /// The runs of candidates of the present group.
    pub runs: Vec<Run>,
    /// The neighbours of the present individual, if they are selected.
    pub selected: SelectedNeighbours,
    /// The time in which the sums of the last block were computed.
    pub summed: Duration,
    /// The time in which the velocities of the last block were computed from the sums.
    pub steered: Duration,
    /// The energy that individuals of the block gained and lost in the last step, without the energy of individuals
    /// that perished.
    pub energy: BlockEnergy,
}

impl Search {
    /// A search in a space for a number of species.
    pub fn new(kind: SearchKind, space: &Space, units: &Units, species: usize) -> Self {
        match kind {
            SearchKind::Brute => Self::Brute(brute::BruteForce::new(species)),
            SearchKind::Octree => Self::Octree(octree::Octree::new(space, units, species)),
            SearchKind::Grid => Self::Grid(grid::Grid::new(space, units, species)),
        }
    }

    /// Prepares the search for a step. Sorts the individuals by species. Within a species, the individuals are sorted
    /// by the cells of the grid or by the leaves of the tree. Afterwards `spare` has the individuals in the previous
    /// order.
    pub fn prepare(&mut self, individuals: &mut Individuals, spare: &mut Individuals) {
        match self {
            Self::Brute(brute) => brute.prepare(individuals, spare),
            Self::Octree(octree) => octree.prepare(individuals, spare),
            Self::Grid(grid) => grid.prepare(individuals, spare),
        }
    }

    /// The range of indices of the individuals of a species, after [`Self::prepare`].
    pub fn of_species(&self, species: usize) -> Range<usize> {
        match self {
            Self::Brute(brute) => brute.of_species(species),
            Self::Octree(octree) => octree.of_species(species),
            Self::Grid(grid) => grid.of_species(species),
        }
    }

    /// Computes the sums of the rules of a set over the neighbours of the individuals in a query, and stores them in
    /// `scratch`. `COUNTED`: also counts the neighbours of each rule.
    #[inline(always)]
    pub fn sum<S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
        &self,
        source: &NeighbourSource<'_>,
        query: NeighbourQuery<'_>,
        scratch: &mut Scratch,
    ) {
        // The loops are compiled separately for each method.
        match self.method::<AXES>(source) {
            OffsetMethod::Near => self.sum_by::<S, COUNTED, AXES, V>(source, OffsetMethod::Near, query, scratch),
            OffsetMethod::Straight => {
                self.sum_by::<S, COUNTED, AXES, V>(source, OffsetMethod::Straight, query, scratch)
            }
            OffsetMethod::Torus => self.sum_by::<S, COUNTED, AXES, V>(source, OffsetMethod::Torus, query, scratch),
        }
    }

    /// The method to find offsets to candidates.
    #[inline(always)]
    pub fn method<const AXES: usize>(&self, source: &NeighbourSource<'_>) -> OffsetMethod {
        match self {
            Self::Grid(grid) if grid.is_near => OffsetMethod::Near,
            Self::Octree(_) if !octree::is_narrow::<AXES>(source) => OffsetMethod::Straight,
            _ if source.is_torus => OffsetMethod::Torus,
            _ => OffsetMethod::Straight,
        }
    }

    /// The index of the group of an individual: 0 for brute force, else the index of its cell or of its leaf.
    #[inline(always)]
    pub fn group_of(&self, individual: usize) -> usize {
        match self {
            Self::Brute(_) => 0,
            Self::Octree(octree) => octree.leaf_of(individual),
            Self::Grid(grid) => grid.cell_of(individual),
        }
    }

    /// The number of individuals in a group, for a number of lanes. A tree takes longer to find runs, so its groups are
    /// twice as large.
    #[inline(always)]
    fn sharing(&self, lanes: usize) -> usize {
        if matches!(self, Self::Octree(_)) { 2 * lanes } else { lanes }
    }

    /// Finds the runs of candidates of the species `among` around a group. Returns the index after the last individual
    /// of the group.
    ///
    /// `individual`: the first individual of the group. `most`: the number of individuals in a group; a crowded cell or
    /// leaf may have more. `group`: the cell or leaf of an earlier individual. It advances to the cell or leaf of this
    /// individual.
    #[inline(always)]
    pub fn find_runs<const AXES: usize>(
        &self,
        source: &NeighbourSource<'_>,
        among: usize,
        group: &mut usize,
        (individual, most): (usize, usize),
        runs: &mut Vec<Run>,
    ) -> usize {
        runs.clear();
        match self {
            Self::Grid(grid) => grid.find_runs(source, among, group, (individual, most), runs),
            Self::Octree(octree) if self.method::<AXES>(source) != OffsetMethod::Torus => {
                octree.find_runs::<AXES>(source, among, group, (individual, most), runs)
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
        NeighbourQuery { units, among, individuals }: NeighbourQuery<'_>,
        scratch: &mut Scratch,
    ) {
        let Scratch { sums, runs, .. } = scratch;
        let mut group = self.group_of(individuals.start);
        let mut first = individuals.start;
        while first < individuals.end {
            let query = (first, self.sharing(V::COUNT));
            let end = self.find_runs::<AXES>(source, among, &mut group, query, runs).min(individuals.end);
            while first < end {
                let next = end.min(first + V::COUNT);
                let own = source.measured.own::<V, AXES>(first..next, units);
                let mut lanes = Sums::none();
                for (run, shift) in runs.iter() {
                    gather::<S, COUNTED, AXES, V>(&mut lanes, &own.from_beyond(*shift), source, method, run.clone());
                }
                // The next individuals overwrite the sums of the surplus lanes.
                sums.store(first - individuals.start, &lanes);
                first = next;
            }
        }
    }

    /// Sums as [`Self::sum`] does, but only over the neighbours that a [`Selection`](super::selection::Selection)
    /// chooses. Also counts these neighbours.
    #[inline(always)]
    pub fn sum_selected<S: Steering, const AXES: usize, V: Lanes>(
        &self,
        source: &NeighbourSource<'_>,
        NeighbourQuery { units, among, individuals }: NeighbourQuery<'_>,
        scratch: &mut Scratch,
    ) {
        let method = self.method::<AXES>(source);
        let Scratch { sums, runs, selected, .. } = scratch;
        let mut group = self.group_of(individuals.start);
        let mut first = individuals.start;
        while first < individuals.end {
            let query = (first, SHARING);
            let end = self.find_runs::<AXES>(source, among, &mut group, query, runs).min(individuals.end);
            for index in first..end {
                let mut lanes = Sums::<V>::none();
                let candidates = (method, runs.as_slice());
                selected.gather::<S, AXES, V>(&mut lanes, index, source, units, candidates);
                sums.store(index - individuals.start, &lanes.total());
            }
            first = end;
        }
    }
}

/// The number of pairs of an individual and a candidate of its own species that a step compares, with the lanes of an
/// instruction set. If several threads share a group of individuals, the group is still counted as one.
pub fn candidate_pairs(setup: &Setup, individuals: Individuals, instruction_set: InstructionSet) -> u64 {
    let mut pairs = 0;
    instruction_set.run(CandidatePairs { setup, individuals, pairs: &mut pairs });
    pairs
}

struct CandidatePairs<'a> {
    setup: &'a Setup,
    individuals: Individuals,
    pairs: &'a mut u64,
}

impl CandidatePairs<'_> {
    fn count<const AXES: usize>(mut self, lanes: usize) {
        let Setup { search, species, habitat, .. } = self.setup;
        let space = &habitat.space;
        let units = self.setup.units();
        let mut search = Search::new(*search, space, units, species.len());
        search.prepare(&mut self.individuals, &mut Individuals::default());
        let mut measured = IndividualsInUnits::default();
        measured.fill_places(&self.individuals, units);
        let extents = units.extents(space);
        let is_torus = space.edges == Edges::Torus;
        let source = NeighbourSource { measured: &measured, units, extents, is_torus };
        let mut runs = Vec::new();
        for own in 0..species.len() {
            let Range { mut start, end } = search.of_species(own);
            let mut group = search.group_of(start);
            while start < end {
                let query = (start, search.sharing(lanes));
                let next = search.find_runs::<AXES>(&source, own, &mut group, query, &mut runs).min(end);
                *self.pairs += (next - start) as u64 * runs.iter().map(|(run, _)| run.len() as u64).sum::<u64>();
                start = next;
            }
        }
    }
}

impl LaneWork for CandidatePairs<'_> {
    fn run<V: Lanes>(self) {
        match self.setup.habitat.space.axes() {
            2 => self.count::<2>(V::COUNT),
            _ => self.count::<3>(V::COUNT),
        }
    }
}

/// A search for the neighbours of at most [`crate::lanes::BLOCK`] individuals of one species.
pub struct NeighbourQuery<'a> {
    /// The units, with the radii within which the individuals see the neighbours.
    pub units: &'a Units,
    /// The species of the neighbours.
    pub among: usize,
    /// The indices of the individuals whose neighbours are searched.
    pub individuals: Range<usize>,
}

/// Sorts the indices of individuals by species; the order within a species stays. `starts` gets the position in `order`
/// of the first individual of each species, and last the number of all individuals.
fn order_by_species(individuals: &Individuals, starts: &mut [usize], order: &mut Vec<u32>) {
    let counts = individuals.counts();
    let mut next = [0; MAX_SPECIES];
    for species in 0..starts.len() - 1 {
        next[species] = starts[species];
        starts[species + 1] = starts[species] + counts[species] as usize;
    }
    order.resize(individuals.len(), 0);
    for index in 0..individuals.len() {
        let place = &mut next[individuals.species(index)];
        order[*place] = index as u32;
        *place += 1;
    }
}
