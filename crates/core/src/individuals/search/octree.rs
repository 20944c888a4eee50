//! A tree of boxes. A box with more than `CROWD` individuals is split at its middle: in four on two axes, in eight on
//! three. The tree is built anew in every step, in buffers that are kept.
//!
//! The individuals are brought into the order of the leaves, so that the individuals of every box are one run.

use super::{NeighbourSource, Run, order_by_species};
use crate::individuals::numbers::Units;
use crate::numbers::{Vector3, each_axis};
use crate::state::Individuals;
use crate::world::{PLACE_BITS, Space};
use std::ops::Range;

/// The maximum number of individuals in a box that is not split.
const CROWD: usize = 24;

/// Whether a torus is narrower than twice the reach along an axis, so that an individual may be a neighbour by both
/// ways round.
#[inline(always)]
pub fn is_narrow<const AXES: usize>(source: &NeighbourSource<'_>) -> bool {
    source.is_torus && (0..AXES).any(|axis| source.extents[axis] < 2 * source.units.reach)
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// The least and the greatest coordinates of its individuals, in units of places.
    least: Vector3,
    most: Vector3,
    /// The first individual of the box, and the index after its last one.
    first: u32,
    end: u32,
    /// The index of the first box inside this box, and the number of these boxes, which are consecutive. A leaf has 0.
    children: u32,
    count: u32,
}

impl Node {
    fn of(first: u32, end: u32) -> Self {
        Self { least: [i32::MAX; 3], most: [i32::MIN; 3], first, end, children: 0, count: 0 }
    }

    /// Widens the box so that it includes all places from `least` to `most`.
    fn include(&mut self, least: Vector3, most: Vector3) {
        for axis in 0..3 {
            self.least[axis] = Ord::min(self.least[axis], least[axis]);
            self.most[axis] = Ord::max(self.most[axis], most[axis]);
        }
    }
}

/// The trees of boxes of all species, and the order of the individuals by leaves. Places are in the unit of places of
/// [`Units`].
pub struct Octree {
    /// The number of bits that a position (Q16 of a cell) loses when it is converted to units of places.
    place: u32,
    /// The highest bit of a position that may differ.
    highest: i32,
    nodes: Vec<Node>,
    /// `starts`: the index of the first individual of each species, and last the number of all individuals. `roots`:
    /// the index in `nodes` of the root of each species; `None`: the species has no individuals.
    starts: Vec<usize>,
    roots: Vec<Option<u32>>,
    /// The indices of the leaves in `nodes`, in the order of their individuals.
    leaves: Vec<u32>,
    /// The indices of the individuals in the order of the leaves, and a buffer to sort them.
    order: Vec<u32>,
    sorted: Vec<u32>,
}

impl Octree {
    pub fn new(space: &Space, units: &Units, species: usize) -> Self {
        let widest = space.extents.into_iter().max().unwrap_or(1) << PLACE_BITS;
        Self {
            place: units.place,
            highest: 31 - (widest - 1).max(1).leading_zeros() as i32,
            nodes: Vec::new(),
            starts: vec![0; species + 1],
            roots: Vec::new(),
            leaves: Vec::new(),
            order: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// Builds a tree for each species, and sorts the individuals by species and by leaves.
    pub fn prepare(&mut self, individuals: &mut Individuals, spare: &mut Individuals) {
        let count = individuals.len();
        self.nodes.clear();
        self.leaves.clear();
        order_by_species(individuals, &mut self.starts, &mut self.order);
        self.sorted.resize(count, 0);
        self.roots.clear();
        for species in 0..self.starts.len() - 1 {
            let Range { start, end } = self.of_species(species);
            let root = self.nodes.len();
            self.roots.push((start < end).then_some(root as u32));
            if start < end {
                self.nodes.push(Node::of(start as u32, end as u32));
                self.split(root, self.highest, individuals);
            }
        }
        spare.take_in_order(individuals, &self.order);
        std::mem::swap(individuals, spare);
    }

    /// Splits a box by bit `bit` of the positions along each axis. The boxes inside it are split by the lower bits.
    fn split(&mut self, node: usize, bit: i32, individuals: &Individuals) {
        let (first, end) = (self.nodes[node].first as usize, self.nodes[node].end as usize);
        // Individuals at one place are a leaf, whatever their number.
        if end - first <= CROWD || bit < 0 {
            let mut leaf = self.nodes[node];
            for index in &self.order[first..end] {
                let place = individuals.position(*index as usize).map(|position| position >> self.place);
                leaf.include(place, place);
            }
            self.nodes[node] = leaf;
            self.leaves.push(node as u32);
            return;
        }
        let part = |index: u32| -> usize {
            (0..3).map(|axis| ((individuals.positions[axis][index as usize] >> bit & 1) as usize) << axis).sum()
        };
        let mut counts = [0u32; 8];
        for index in &self.order[first..end] {
            counts[part(*index)] += 1;
        }
        let mut starts = [first as u32; 9];
        for child in 0..8 {
            starts[child + 1] = starts[child] + counts[child];
        }
        let mut next = starts;
        for place in first..end {
            let index = self.order[place];
            let to = &mut next[part(index)];
            self.sorted[*to as usize] = index;
            *to += 1;
        }
        self.order[first..end].copy_from_slice(&self.sorted[first..end]);
        let children = self.nodes.len();
        for child in (0..8).filter(|child| counts[*child] > 0) {
            self.nodes.push(Node::of(starts[child], starts[child + 1]));
        }
        let count = self.nodes.len() - children;
        (self.nodes[node].children, self.nodes[node].count) = (children as u32, count as u32);
        for child in children..children + count {
            self.split(child, bit - 1, individuals);
            let Node { least, most, .. } = self.nodes[child];
            self.nodes[node].include(least, most);
        }
    }

    /// The range of indices of the individuals of a species, after [`Self::prepare`].
    pub fn of_species(&self, species: usize) -> Range<usize> {
        self.starts[species]..self.starts[species + 1]
    }

    /// The index in `leaves` of the leaf that holds an individual.
    pub fn leaf_of(&self, individual: usize) -> usize {
        self.leaves.partition_point(|leaf| self.nodes[*leaf as usize].end as usize <= individual)
    }

    /// See [`super::Search::find_runs`]. A group is one leaf, or several consecutive leaves.
    pub fn find_runs<const AXES: usize>(
        &self,
        source: &NeighbourSource<'_>,
        among: usize,
        leaf: &mut usize,
        (individual, most): (usize, usize),
        runs: &mut Vec<Run>,
    ) -> usize {
        while self.nodes[self.leaves[*leaf] as usize].end as usize <= individual {
            *leaf += 1;
        }
        let mut group = self.nodes[self.leaves[*leaf] as usize];
        for next in &self.leaves[*leaf + 1..] {
            let next = &self.nodes[*next as usize];
            let mut with_next = group;
            with_next.include(next.least, next.most);
            // Consecutive leaves may lie far apart.
            let is_wide = (0..AXES).any(|axis| with_next.most[axis] - with_next.least[axis] > 3 * source.units.reach);
            if is_wide || next.end as usize > individual + most {
                break;
            }
            group = Node { end: next.end, ..with_next };
        }
        let end = group.end as usize;
        let Some(root) = self.roots[among] else { return end };
        let images = |axis: usize| {
            let extent = source.extents[axis];
            let goes_round = source.is_torus && axis < AXES;
            [-extent, 0, extent].into_iter().filter(move |shift| *shift == 0 || goes_round)
        };
        for z in images(2) {
            for y in images(1) {
                for x in images(0) {
                    self.find_runs_beyond(source, root, &group, [x, y, z], runs);
                }
            }
        }
        end
    }

    /// Finds the runs of candidates in a copy of a tree that is moved by `shift`, in units of places. Copies lie beyond
    /// the edges of a torus; with `shift` 0 the copy is the tree itself. `from`: the box of the group whose candidates
    /// are found.
    fn find_runs_beyond(
        &self,
        source: &NeighbourSource<'_>,
        root: u32,
        from: &Node,
        shift: Vector3,
        runs: &mut Vec<Run>,
    ) {
        let reach = source.units.reach;
        let least = each_axis(|axis| from.least[axis] - shift[axis] - reach);
        let most = each_axis(|axis| from.most[axis] - shift[axis] + reach);
        let is_near = |node: &Node| (0..3).all(|axis| node.least[axis] <= most[axis] && node.most[axis] >= least[axis]);
        // Most copies of the world beyond its edges are out of reach. This test saves the time to fill the array below.
        if !is_near(&self.nodes[root as usize]) {
            return;
        }
        let mut waiting = [root; 8 * 32];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let node = &self.nodes[waiting[count] as usize];
            if !is_near(node) {
                continue;
            }
            if node.count == 0 {
                let run = node.first as usize..node.end as usize;
                match runs.last_mut() {
                    // Consecutive leaves are one run.
                    Some((last, same)) if last.end == run.start && *same == shift => last.end = run.end,
                    _ => runs.push((run, shift)),
                }
                continue;
            }
            // The last box on the stack is taken first, so the boxes are pushed in reverse order.
            for child in (node.children..node.children + node.count).rev() {
                waiting[count] = child;
                count += 1;
            }
        }
    }
}
