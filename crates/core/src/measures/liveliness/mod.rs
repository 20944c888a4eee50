//! The liveliness of a swarm: one number, the min of five parts, each 0 to 1 (`docs/formats.md, Liveliness`).
//!
//! A swarm is sampled every [`INTERVAL`] steps. Liveliness covers the last [`WINDOW`] steps. It is 0 for a ball at
//! rest, for random headings (a gas), for a crystal, and for a slab that drifts.
//!
//! The world is divided into blocks. A block of cells is occupied if it holds at least 1/8 boid a cell. A block of
//! individuals is occupied if it holds an individual. Occupied blocks that share a face are in one group.

mod block_sums;
mod blocks;
mod cell_rows;
mod sample;
mod stripes;

pub use blocks::Blocks;
pub use cell_rows::{CellRow, CellRows};
pub use sample::{LivelinessReading, OrderSums, SwarmSample};
pub use stripes::{StripeSums, stripes};

use super::form::{FACES, connected_labels};
use crate::numbers::{Vector3, each_axis};
use crate::world::Edges;
use std::collections::{BTreeMap, VecDeque};

/// The number of steps between two samples.
pub const INTERVAL: u64 = 20;
/// The number of steps that liveliness covers.
pub const WINDOW: u64 = 1000;
/// The scale d₀ of the term d / d₀ in [`Liveliness::change`], for d, the standard deviation of polarisation over time.
const DEVIATION: f64 = 0.1;

/// The parts of liveliness, each 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Liveliness {
    /// The mean entropy of headings over time. It is 0 for a swarm that drifts in one direction, or rests.
    pub headings: f64,
    /// The variance of headings between places, averaged over time: ⟨|u|²⟩ over the mean headings u of blocks, minus
    /// the square of the polarisation. It is 0 for a swarm with one heading. It is also 0 for random headings, because
    /// |u|² is computed over pairs of different boids in a block.
    pub variance: f64,
    /// 1 − a / b. a is the mean number of occupied blocks over time. b is the number of blocks that were occupied in
    /// any sample. The value is 0 for a swarm that stays in its place, and for a swarm that fills the world.
    pub travel: f64,
    /// 1 − exp(−m − d / 0.1). m: the boids in groups that split from other groups or join them in 1000 steps, as a
    /// share of all boids. d: the standard deviation of polarisation over time.
    pub change: f64,
    /// 1 − stripes, at least 0 (see [`stripes`]). It is 1 for individuals, which have no lattice.
    pub smoothness: f64,
}

impl Liveliness {
    /// The liveliness, 0 to 1: the min of the parts.
    pub fn value(&self) -> f64 {
        [self.headings, self.variance, self.travel, self.change, self.smoothness].into_iter().fold(1.0, f64::min)
    }
}

/// Samples of a swarm over the last [`WINDOW`] steps.
#[derive(Debug, Clone)]
pub struct LivelinessRecord {
    blocks: Blocks,
    samples: VecDeque<Sample>,
    /// The step at which each block was last occupied; `None`: never.
    occupied_at: Vec<Option<u64>>,
    /// The number of the group of each block in the last sample; 0: the block is not occupied.
    groups: Vec<u32>,
    /// The place of the world's first cell at the last sample, in cells. It changes in an endless world, whose window
    /// follows the swarm.
    origin: [i64; 3],
}

/// The numbers of a sample that the record keeps.
#[derive(Debug, Clone, Copy)]
struct Sample {
    step: u64,
    entropy: f64,
    variance: f64,
    polarisation: f64,
    occupied: usize,
    /// The boids in groups that have split from other groups or joined them since the last sample, as a share of all
    /// boids.
    mixed: f64,
    stripes: StripeSums,
}

impl LivelinessRecord {
    /// A record without samples, of a world that is divided into these blocks.
    pub fn new(blocks: Blocks) -> Self {
        // Lists get their size with the first sample. If several ranks divide the world, only the first rank has
        // samples.
        Self { blocks, samples: VecDeque::new(), occupied_at: Vec::new(), groups: Vec::new(), origin: [0; 3] }
    }

    /// The division of the world into blocks.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Whether a sample is due at a step.
    pub fn is_due(step: u64) -> bool {
        step.is_multiple_of(INTERVAL)
    }

    fn clear(&mut self) {
        self.samples.clear();
        self.occupied_at.fill(None);
        self.groups.fill(0);
    }

    /// Adds the sample of a step. A second sample of the same step is ignored. If a sample is missing before it, the
    /// record begins anew. `origin`: the place of the world's first cell, in cells. It changes in an endless world.
    pub fn add(&mut self, step: u64, sample: &SwarmSample, origin: [i64; 3]) {
        let count = self.blocks.extents().cells();
        self.occupied_at.resize(count, None);
        self.groups.resize(count, 0);
        if origin != self.origin {
            self.follow(origin);
        }
        match self.samples.back() {
            Some(last) if last.step == step => return,
            Some(last) if last.step + INTERVAL != step => self.clear(),
            _ => {}
        }
        let SwarmSample { weights, order, polarisation, entropy, stripes } = sample;
        let is_occupied = |index: usize| self.blocks.is_occupied(index, weights[index]);
        let labels = connected_labels(self.blocks.extents(), self.blocks.space.edges, &FACES, is_occupied);
        let all: u64 = weights.iter().sum();
        let occupied = labels.iter().zip(&mut self.occupied_at).filter(|(label, _)| **label > 0);
        let occupied = occupied.map(|(_, at)| *at = Some(step)).count();
        self.samples.push_back(Sample {
            step,
            entropy: *entropy,
            variance: (order - polarisation * polarisation).clamp(0.0, 1.0),
            polarisation: *polarisation,
            occupied,
            mixed: mixed(&self.groups, &labels, |index| weights[index]) as f64 / all.max(1) as f64,
            stripes: *stripes,
        });
        self.groups = labels;
        while self.samples.front().is_some_and(|first| first.step + WINDOW < step) {
            self.samples.pop_front();
        }
    }

    /// The liveliness over the last [`WINDOW`] steps; `None`: a sample of these steps is missing.
    pub fn liveliness(&self) -> Option<Liveliness> {
        let (first, last) = (self.samples.front()?, self.samples.back()?);
        if first.step + WINDOW != last.step {
            return None;
        }
        let count = self.samples.len() as f64;
        let mean = |of: fn(&Sample) -> f64| self.samples.iter().map(of).sum::<f64>() / count;
        let touched = self.occupied_at.iter().flatten().filter(|at| **at >= first.step).count();
        let polarisation = mean(|sample| sample.polarisation);
        let deviations = self.samples.iter().map(|sample| (sample.polarisation - polarisation).powi(2));
        let deviation = (deviations.sum::<f64>() / count).sqrt();
        // The first sample compares with a sample before the last [`WINDOW`] steps, so it does not count.
        let mixed: f64 = self.samples.iter().skip(1).map(|sample| sample.mixed).sum();
        let stripes = self.samples.iter().fold(StripeSums::default(), |sum, sample| sum.plus(sample.stripes));
        Some(Liveliness {
            headings: mean(|sample| sample.entropy),
            variance: mean(|sample| sample.variance),
            travel: if touched == 0 { 0.0 } else { 1.0 - mean(|sample| sample.occupied as f64) / touched as f64 },
            change: 1.0 - (-mixed - deviation / DEVIATION).exp(),
            smoothness: 1.0 - stripes.ratio().unwrap_or(0.0).clamp(0.0, 1.0),
        })
    }

    /// Moves the data of blocks to their new places when the window of an endless world moves. Data of blocks outside
    /// the window are dropped.
    fn follow(&mut self, origin: [i64; 3]) {
        let way: Vector3 = each_axis(|axis| ((origin[axis] - self.origin[axis]) / i64::from(self.blocks.side)) as i32);
        let extents = self.blocks.extents();
        let from = |index: usize| {
            let block = extents.cell(index);
            extents.deep_index(each_axis(|axis| block[axis].saturating_add(way[axis])), Edges::Walls)
        };
        let from: Vec<_> = (0..self.groups.len()).map(from).collect();
        self.occupied_at = from.iter().map(|from| from.and_then(|from| self.occupied_at[from])).collect();
        self.groups = from.iter().map(|from| from.map_or(0, |from| self.groups[from])).collect();
        self.origin = origin;
    }
}

/// The weight of the groups that have joined another group, and of the groups that have split from another group.
/// `before` and `now`: the group of each block in two samples; 0: the block is not occupied. `weight`: the present
/// weight of the block at an index.
///
/// The successor of a group is the later group with which it shares the most weight. The predecessor is the earlier
/// group with which it shares the most weight. A group has joined another group if it is not the predecessor of its
/// successor. A group has split from another group if it is not the successor of its predecessor.
fn mixed(before: &[u32], now: &[u32], weight: impl Fn(usize) -> u64) -> u64 {
    let mut shared = BTreeMap::<(u32, u32), u64>::new();
    let mut weights = vec![0; now.iter().max().map_or(0, |greatest| *greatest as usize + 1)];
    // Neighbouring blocks often have the same pair of groups. Their weights are summed before the map is changed.
    let (mut pair, mut of_pair) = ((0, 0), 0);
    for (index, (before, now)) in before.iter().zip(now).enumerate().filter(|(_, (_, now))| **now > 0) {
        weights[*now as usize] += weight(index);
        if (*before, *now) != pair {
            *shared.entry(pair).or_default() += std::mem::take(&mut of_pair);
            pair = (*before, *now);
        }
        of_pair += weight(index);
    }
    *shared.entry(pair).or_default() += of_pair;
    shared.retain(|(before, _), _| *before > 0);
    let (mut successors, mut predecessors) = (BTreeMap::new(), BTreeMap::new());
    for ((before, now), weight) in &shared {
        let successor = successors.entry(*before).or_insert((*weight, *now));
        *successor = (*successor).max((*weight, *now));
        let predecessor = predecessors.entry(*now).or_insert((*weight, *before));
        *predecessor = (*predecessor).max((*weight, *before));
    }
    let joined = successors.iter().filter(|(before, (_, now))| predecessors[now].1 != **before);
    let split = predecessors.iter().filter(|(now, (_, before))| successors[before].1 != **now);
    joined.map(|(_, (weight, _))| weight).sum::<u64>() + split.map(|(now, _)| weights[*now as usize]).sum::<u64>()
}

#[cfg(test)]
mod tests;
