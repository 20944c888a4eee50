//! A k-d tree of places, with distances the short way round a torus. It finds the nearest places, and the places within
//! a distance.
//!
//! Published crates have k-d trees, but not on a torus. This tree bounds distances axis by axis, so a torus needs only
//! three intervals per axis.

use crate::numbers::{Vector3, each_axis};
use crate::state::Individuals;
use crate::world::{Edges, Space, offset};

/// The max number of places of a leaf.
const LEAF: usize = 8;

/// A place near another place: the squared distance, its number and the place.
pub type Neighbour = (u64, u32, Vector3);

/// A node, and the first and the end index of its places.
type Node = (usize, usize, usize);

/// The children of a node in a tree with `nodes` nodes; `None`: the node is a leaf.
fn children(node: usize, nodes: usize) -> Option<[usize; 2]> {
    (2 * node + 2 < nodes).then_some([2 * node + 1, 2 * node + 2])
}

/// Places (Q16 of a cell) in a tree. Distances are exact: their squares are multiples of 2^−32 cell².
pub struct PlaceTree {
    /// The places, leaf by leaf, each with its number.
    places: Vec<(Vector3, u32)>,
    /// The min and the max place of each node. The children of node n are 2n + 1 and 2n + 2. Each has half of its
    /// places.
    bounds: Vec<[Vector3; 2]>,
    /// The extents in the unit of places.
    extents: Vector3,
    edges: Edges,
}

impl PlaceTree {
    /// A tree of numbered places in a space.
    pub fn new(places: impl Iterator<Item = (Vector3, u32)>, space: &Space) -> Self {
        let places: Vec<_> = places.collect();
        let nodes = (2 * places.len().div_ceil(LEAF).next_power_of_two()).max(2) - 1;
        let extents = space.extents.map(|extent| (extent as i32) << space.place_bits());
        let mut tree = Self { places, bounds: vec![[[0; 3]; 2]; nodes], extents, edges: space.edges };
        Self::divide(&mut tree.places, &mut tree.bounds, 0);
        tree
    }

    /// A tree of the places of individuals, with their numbers.
    pub fn of_individuals(individuals: &Individuals, space: &Space) -> Self {
        Self::new((0..individuals.len()).map(|index| (individuals.position(index), individuals.numbers[index])), space)
    }

    /// Divides the places of a node between its children, along its longest axis.
    fn divide(places: &mut [(Vector3, u32)], bounds: &mut [[Vector3; 2]], node: usize) {
        let mut ends = [[i32::MAX; 3], [i32::MIN; 3]];
        for (place, _) in places.iter() {
            ends = [each_axis(|axis| ends[0][axis].min(place[axis])), each_axis(|axis| ends[1][axis].max(place[axis]))];
        }
        bounds[node] = ends;
        if children(node, bounds.len()).is_none() || places.is_empty() {
            return;
        }
        let axis = (0..3).max_by_key(|axis| i64::from(ends[1][*axis]) - i64::from(ends[0][*axis])).unwrap_or(0);
        let middle = places.len() / 2;
        places.select_nth_unstable_by_key(middle, |(place, _)| place[axis]);
        let (before, after) = places.split_at_mut(middle);
        Self::divide(before, bounds, 2 * node + 1);
        Self::divide(after, bounds, 2 * node + 2);
    }

    /// The squared distance of two places.
    pub fn distance(&self, from: Vector3, to: Vector3) -> u64 {
        self.offset(from, to).iter().map(|d| u64::from(d.unsigned_abs()).pow(2)).sum()
    }

    /// The offset from a place to another place, the short way round a torus.
    pub fn offset(&self, from: Vector3, to: Vector3) -> Vector3 {
        each_axis(|axis| offset(from[axis], to[axis], self.extents[axis], self.edges))
    }

    /// A lower bound on the squared distances from a place to the places of a node.
    fn least_distance(&self, from: Vector3, node: usize) -> u64 {
        let [first, last] = &self.bounds[node];
        let along = |axis: usize| {
            let outside = |place: i64| (i64::from(first[axis]) - place).max(place - i64::from(last[axis])).max(0);
            let (place, extent) = (i64::from(from[axis]), i64::from(self.extents[axis]));
            match self.edges {
                Edges::Walls => outside(place),
                Edges::Torus => outside(place).min(outside(place - extent)).min(outside(place + extent)),
            }
        };
        (0..3).map(|axis| (along(axis) as u64).pow(2)).sum()
    }

    /// Calls `found` with the squared distance, the number and the place of each place near `from`. `within`: the max
    /// squared distance at first. `found` returns the max squared distance from then on.
    pub fn visit(&self, from: Vector3, within: u64, found: &mut impl FnMut(Neighbour) -> u64) {
        let mut within = within;
        if !self.places.is_empty() && self.least_distance(from, 0) <= within {
            self.visit_node(from, (0, 0, self.places.len()), &mut within, found);
        }
    }

    /// The children of a node; `None`: the node is a leaf.
    fn children(&self, (node, first, last): Node) -> Option<[Node; 2]> {
        let [one, other] = children(node, self.bounds.len())?;
        let middle = first + (last - first) / 2;
        Some([(one, first, middle), (other, middle, last)])
    }

    fn visit_node(
        &self,
        from: Vector3,
        (node, first, last): Node,
        within: &mut u64,
        found: &mut impl FnMut(Neighbour) -> u64,
    ) {
        let Some(children) = self.children((node, first, last)) else {
            for (place, number) in &self.places[first..last] {
                let distance = self.distance(from, *place);
                if distance <= *within {
                    *within = found((distance, *number, *place));
                }
            }
            return;
        };
        let children = children.map(|child| (self.least_distance(from, child.0), child));
        let [near, far] = if children[1].0 < children[0].0 { [1, 0] } else { [0, 1] };
        for (least, child) in [children[near], children[far]] {
            if least <= *within && child.1 < child.2 {
                self.visit_node(from, child, within, found);
            }
        }
    }

    /// The places nearest to `from`, at most `count`, the nearest first. `apart`: the number of a place that is left
    /// out. Of equally near places, the place with the lower number counts as nearer.
    pub fn nearest(&self, from: Vector3, count: usize, apart: u32, nearest: &mut Vec<Neighbour>) {
        nearest.clear();
        self.visit(from, u64::MAX, &mut |entry| {
            if entry.1 != apart && (nearest.len() < count || Some(&entry) < nearest.last()) {
                nearest.truncate(count - 1);
                nearest.insert(nearest.partition_point(|other| *other < entry), entry);
            }
            if nearest.len() < count { u64::MAX } else { nearest[count - 1].0 }
        });
    }
}

/// The places of a tree that are not yet in a set.
pub struct PlacesLeft<'a> {
    tree: &'a PlaceTree,
    /// The number of such places below each node.
    counts: Vec<u32>,
    /// Whether each place is left, in the order of the tree.
    is_left: Vec<bool>,
}

impl<'a> PlacesLeft<'a> {
    /// All places of a tree.
    pub fn new(tree: &'a PlaceTree) -> Self {
        let mut counts = vec![0; tree.bounds.len()];
        let mut waiting = vec![(0, 0, tree.places.len())];
        while let Some(node) = waiting.pop() {
            counts[node.0] = (node.2 - node.1) as u32;
            waiting.extend(tree.children(node).into_iter().flatten());
        }
        Self { tree, counts, is_left: vec![true; tree.places.len()] }
    }

    /// The sizes of the sets of linked places, the greatest first. Each place is within the squared distance `link` of
    /// another place of its set.
    pub fn linked(mut self, link: u64) -> Vec<u64> {
        let (mut sizes, mut waiting) = (Vec::new(), Vec::new());
        for first in 0..self.is_left.len() {
            if !self.is_left[first] {
                continue;
            }
            // This place is taken with the places around it.
            waiting.push(self.tree.places[first].0);
            let mut size = 0;
            while let Some(from) = waiting.pop() {
                size += u64::from(self.take((0, 0, self.is_left.len()), from, link, &mut waiting));
            }
            sizes.push(size);
        }
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        sizes
    }

    /// Takes the places of a node that are within a squared distance. Returns their number.
    fn take(&mut self, node: Node, from: Vector3, within: u64, taken: &mut Vec<Vector3>) -> u32 {
        let tree = self.tree;
        if self.counts[node.0] == 0 || tree.least_distance(from, node.0) > within {
            return 0;
        }
        let before = taken.len();
        match tree.children(node) {
            Some(children) => {
                for child in children {
                    self.take(child, from, within, taken);
                }
            }
            None => {
                for index in node.1..node.2 {
                    let place = tree.places[index].0;
                    if self.is_left[index] && tree.distance(from, place) <= within {
                        self.is_left[index] = false;
                        taken.push(place);
                    }
                }
            }
        }
        let count = (taken.len() - before) as u32;
        self.counts[node.0] -= count;
        count
    }
}
