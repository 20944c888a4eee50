//! A tree of boxes: each is split at its middle, in four on two axes or eight on three, where it holds more than a few
//! agents. It is built anew for every step, in buffers that are kept.
//!
//! The agents are brought into the order of the leaves, so that the agents of every box are one run.

use super::Among;
use crate::agents::rules::Units;
use crate::agents::sums::{Kind, SumLanes, Sums};
use crate::agents::{Agents, PLACE_BITS, Space};
use std::ops::Range;

/// A box with so many agents or fewer is not split.
const CROWD: usize = 24;

/// A box of the tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The least and the greatest place of its agents, in units.
    least: [i32; 3],
    most: [i32; 3],
    /// Its agents.
    first: u32,
    end: u32,
    /// The first of the boxes inside it, which lie one after the other; none in a leaf.
    children: u32,
    count: u32,
}

pub struct Octree {
    /// Bits by which a position (Q16) becomes a place in units.
    place: u32,
    /// The highest bit of a position that may differ.
    highest: i32,
    nodes: Vec<Node>,
    /// The agents by the order of the leaves, as indices, and room to sort them.
    order: Vec<u32>,
    sorted: Vec<u32>,
}

impl Octree {
    pub fn new(space: &Space, units: &Units) -> Self {
        let widest = space.extents.into_iter().max().unwrap_or(1) << PLACE_BITS;
        Self {
            place: units.place,
            highest: 31 - (widest - 1).max(1).leading_zeros() as i32,
            nodes: Vec::new(),
            order: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// Builds the tree, and brings the agents into its order.
    pub fn prepare(&mut self, agents: &mut Agents, spare: &mut Agents, _: &Space, _: &Units) {
        let count = agents.len();
        self.nodes.clear();
        self.order.clear();
        self.order.extend(0..count as u32);
        self.sorted.resize(count, 0);
        if count > 0 {
            self.nodes.push(Node { least: [0; 3], most: [0; 3], first: 0, end: count as u32, children: 0, count: 0 });
            self.split(0, self.highest, agents);
        }
        spare.resize(count);
        for (to, from) in self.order.iter().enumerate() {
            spare.copy_from(to, agents, *from as usize);
        }
        std::mem::swap(agents, spare);
    }

    /// Splits a box by a bit of the positions, and the boxes inside it by the bits below.
    fn split(&mut self, node: usize, bit: i32, agents: &Agents) {
        let (first, end) = (self.nodes[node].first as usize, self.nodes[node].end as usize);
        // Agents all at one place are a leaf, however many they are.
        if end - first <= CROWD || bit < 0 {
            let (mut least, mut most) = ([i32::MAX; 3], [i32::MIN; 3]);
            for axis in 0..3 {
                for index in &self.order[first..end] {
                    let place = agents.positions[axis][*index as usize] >> self.place;
                    least[axis] = least[axis].min(place);
                    most[axis] = most[axis].max(place);
                }
            }
            (self.nodes[node].least, self.nodes[node].most) = (least, most);
            return;
        }
        let part = |index: u32| -> usize {
            (0..3).map(|axis| ((agents.positions[axis][index as usize] >> bit & 1) as usize) << axis).sum()
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
            let (first, end) = (starts[child], starts[child + 1]);
            self.nodes.push(Node { least: [0; 3], most: [0; 3], first, end, children: 0, count: 0 });
        }
        let count = self.nodes.len() - children;
        (self.nodes[node].children, self.nodes[node].count) = (children as u32, count as u32);
        let (mut least, mut most) = ([i32::MAX; 3], [i32::MIN; 3]);
        for child in children..children + count {
            self.split(child, bit - 1, agents);
            for axis in 0..3 {
                least[axis] = least[axis].min(self.nodes[child].least[axis]);
                most[axis] = most[axis].max(self.nodes[child].most[axis]);
            }
        }
        (self.nodes[node].least, self.nodes[node].most) = (least, most);
    }

    #[inline(always)]
    pub fn sum<K: Kind, const AXES: usize, const L: usize>(
        &self,
        among: &Among<'_>,
        agents: Range<usize>,
        into: &mut [Sums],
    ) {
        let square = among.units.reach * among.units.reach;
        for (index, sums) in agents.zip(into) {
            let own = among.own(index);
            let mut lanes = SumLanes::<L>::default();
            let mut waiting = [0u32; 8 * 32];
            let mut count = 1;
            while count > 0 {
                count -= 1;
                let node = &self.nodes[waiting[count] as usize];
                if distance(own.place, node, among) >= square {
                    continue;
                }
                if node.count == 0 {
                    among.gather_far::<K, AXES, L>(&mut lanes, &own, node.first as usize..node.end as usize);
                    continue;
                }
                for child in node.children..node.children + node.count {
                    waiting[count] = child;
                    count += 1;
                }
            }
            *sums = lanes.total();
        }
    }
}

/// The squared distance in units from a place to the nearest of a box, by the short way round a torus; beyond the reach
/// it is only known to be beyond.
#[inline(always)]
fn distance(place: [i32; 3], node: &Node, among: &Among<'_>) -> i32 {
    let mut square = 0;
    for axis in 0..3 {
        let (least, most, extent) = (node.least[axis], node.most[axis], among.extents[axis]);
        let outside = |place: i32| (least - place).max(place - most).max(0);
        let mut away = outside(place[axis]);
        if among.is_torus {
            away = away.min(outside(place[axis] - extent)).min(outside(place[axis] + extent));
        }
        let away = away.min(2 * among.units.reach);
        square += away * away;
    }
    square
}
