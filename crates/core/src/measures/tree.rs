//! A k-d tree of places in a world, with distances the shorter way round a torus. It finds the nearest places, and all
//! places within a distance.
//!
//! Published crates have k-d trees, but none for a torus. This tree bounds distances along each axis alone. So a torus
//! needs only three intervals per axis.

use crate::numbers::{Vector3, each_axis};
use crate::state::Individuals;
use crate::world::{Edges, Space, offset};

/// The max number of places in a leaf of the tree.
const LEAF: usize = 8;

/// A place that was found near another place: the squared distance (2^−32 cell²), the number of the place, and the
/// place.
pub type Neighbour = (u64, u32, Vector3);

/// A node of the tree: its index, the index of its first place in [`PlaceTree::places`], and the index after its last
/// place.
type Node = (usize, usize, usize);

/// The indices of the two children of a node in a tree with `nodes` nodes; `None`: the node is a leaf.
fn children(node: usize, nodes: usize) -> Option<[usize; 2]> {
    (2 * node + 2 < nodes).then_some([2 * node + 1, 2 * node + 2])
}

/// A k-d tree of places (Q16 of a cell). Squared distances are exact, in multiples of 2^−32 cell².
pub struct PlaceTree {
    /// The places, leaf by leaf, each with its number.
    places: Vec<(Vector3, u32)>,
    /// For each node the smallest box around its places: the min and the max along each axis. The children of node n
    /// are 2n + 1 and 2n + 2, with half of the places each.
    bounds: Vec<[Vector3; 2]>,
    /// The extents of the world, in Q16 of a cell.
    extents: Vector3,
    edges: Edges,
}

impl PlaceTree {
    /// A tree of places (Q16 of a cell), each with its number.
    pub fn new(places: impl Iterator<Item = (Vector3, u32)>, space: &Space) -> Self {
        let places: Vec<_> = places.collect();
        let nodes = (2 * places.len().div_ceil(LEAF).next_power_of_two()).max(2) - 1;
        let extents = space.extents.map(|extent| (extent as i32) << space.place_bits());
        let mut tree = Self { places, bounds: vec![[[0; 3]; 2]; nodes], extents, edges: space.edges };
        Self::divide(&mut tree.places, &mut tree.bounds, 0);
        tree
    }

    /// A tree of the places of individuals, with the individuals' numbers.
    pub fn of_individuals(individuals: &Individuals, space: &Space) -> Self {
        Self::new((0..individuals.len()).map(|index| (individuals.position(index), individuals.numbers[index])), space)
    }

    /// Sorts the places of a node along its longest axis, and gives each child half of them. Sets the boxes of all
    /// nodes below.
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

    /// The squared distance of two places, in 2^−32 cell². Around a torus the shorter way counts.
    pub fn distance(&self, from: Vector3, to: Vector3) -> u64 {
        self.offset(from, to).iter().map(|d| u64::from(d.unsigned_abs()).pow(2)).sum()
    }

    /// The offset from a place to another place (Q16 of a cell), the shorter way round a torus.
    pub fn offset(&self, from: Vector3, to: Vector3) -> Vector3 {
        each_axis(|axis| offset(from[axis], to[axis], self.extents[axis], self.edges))
    }

    /// A lower bound on the squared distances (2^−32 cell²) from `from` to all places of a node.
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

    /// Calls `found` with each place near `from`. `within`: the max squared distance at the start, in 2^−32 cell².
    /// `found` returns the max squared distance for the rest of the search.
    pub fn visit(&self, from: Vector3, within: u64, found: &mut impl FnMut(Neighbour) -> u64) {
        let mut within = within;
        if !self.places.is_empty() && self.least_distance(from, 0) <= within {
            self.visit_node(from, (0, 0, self.places.len()), &mut within, found);
        }
    }

    /// The two children of a node; `None`: the node is a leaf.
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

    /// Finds the `count` places nearest to `from`, the nearest first. `apart`: the number of a place that does not
    /// count. At equal distances, the place with the lower number comes first. `nearest` receives the places.
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

/// The places of a tree that no cluster has yet, during a search for clusters.
pub struct PlacesLeft<'a> {
    tree: &'a PlaceTree,
    /// The number of places without a cluster below each node.
    counts: Vec<u32>,
    /// For each place of the tree, whether it has no cluster yet.
    is_left: Vec<bool>,
}

impl<'a> PlacesLeft<'a> {
    /// At the start, no place has a cluster.
    pub fn new(tree: &'a PlaceTree) -> Self {
        let mut counts = vec![0; tree.bounds.len()];
        let mut waiting = vec![(0, 0, tree.places.len())];
        while let Some(node) = waiting.pop() {
            counts[node.0] = (node.2 - node.1) as u32;
            waiting.extend(tree.children(node).into_iter().flatten());
        }
        Self { tree, counts, is_left: vec![true; tree.places.len()] }
    }

    /// The sizes of the clusters, the greatest first. Places whose squared distance is at most `link` (2^−32 cell²) are
    /// in one cluster, and so are chains of such places.
    pub fn linked(mut self, link: u64) -> Vec<u64> {
        let (mut sizes, mut waiting) = (Vec::new(), Vec::new());
        for first in 0..self.is_left.len() {
            if !self.is_left[first] {
                continue;
            }
            // This place begins a cluster. The cluster gets all places that chains of links reach.
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

    /// Removes the places of a node within a squared distance of `from`, and appends them to `taken`. Returns their
    /// number.
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
