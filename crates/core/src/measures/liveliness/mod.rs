//! How alive a swarm is: one number, the least of five parts, each 0 to 1 (`docs/formats.md, Liveliness`).
//!
//! A swarm is sampled every [`INTERVAL`] steps. Liveliness is of the last [`WINDOW`] steps. It is 0 of a ball, of a gas, of a crystal and of a
//! slab that drifts.
//!
//! The world is divided into blocks. A block is occupied if it holds an eighth of a boid a cell (cells) or one individual. Occupied blocks that
//! touch at faces are a group.

use super::form::{BLOCK, FACES, PART, cells_of_block, connected_labels, heading_entropy};
use super::{Batch, Bodies};
use crate::individuals::{Individuals, PLACE_BITS, Space};
use crate::numbers::{Vector3, each_axis};
use crate::parallel::*;
use crate::state::State;
use crate::world::{Edges, Extents};
use std::collections::{BTreeMap, VecDeque};

/// Steps between two samples.
pub const INTERVAL: u64 = 20;
/// The steps that liveliness looks back.
pub const WINDOW: u64 = 1000;
/// The greatest block of individuals, in cells. A window that travels moves by a multiple of it.
const LARGEST_BLOCK: u32 = 32;
/// The deviation of polarisation over time at which two thirds of [`Liveliness::change`] are reached.
const DEVIATION: f64 = 0.1;

/// The parts of liveliness, each 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Liveliness {
    /// The mean entropy of headings. A swarm that drifts one way, or rests, has 0.
    pub headings: f64,
    /// The mean variance of headings from place to place: ⟨|u|²⟩ of the mean heading u in a block, less the square of the polarisation. A swarm
    /// of one heading has 0, and so has a gas: a block's headings are compared pair by pair, so that chance alone adds nothing.
    pub variance: f64,
    /// 1 − occupied / touched: the blocks that are occupied, as a mean, and the blocks that were occupied at any time. A swarm that stays
    /// where it is has 0, and so has one that fills the world.
    pub travel: f64,
    /// 1 − exp(−m − d / 0.1), with m the boids in groups that split from others or join them in 1000 steps, as a share of all, and d the deviation of
    /// polarisation over time.
    pub change: f64,
    /// 1 − stripes, at least 0; 1 of individuals, which have no lattice. See [`stripes`].
    pub smoothness: f64,
}

impl Liveliness {
    /// The least part: how alive the swarm is, 0 to 1.
    pub fn value(&self) -> f64 {
        [self.headings, self.variance, self.travel, self.change, self.smoothness].into_iter().fold(1.0, f64::min)
    }
}

/// Samples of a swarm over the last [`WINDOW`] steps.
#[derive(Debug, Clone)]
pub struct LivelinessRecord {
    space: Space,
    /// Cells along each axis of a block.
    side: u32,
    /// Blocks along each axis.
    blocks: Extents,
    /// The least weight of a block that is occupied, for each of its cells; 0: any.
    least: u64,
    samples: VecDeque<Sample>,
    /// The step at which each block was occupied last; `None`: never.
    occupied_at: Vec<Option<u64>>,
    /// The group of the last sample that each block belongs to; 0: none.
    groups: Vec<u32>,
    /// The place of the first cell at the last sample, if the window travels.
    origin: [i64; 3],
}

/// A sample of a swarm.
#[derive(Debug, Clone, Copy)]
struct Sample {
    step: u64,
    entropy: f64,
    variance: f64,
    polarisation: f64,
    occupied: usize,
    /// The boids in groups that have split from others or joined them since the sample before, as a share of all.
    mixed: f64,
    stripes: StripeSums,
}

/// Sums over the bodies of a block.
#[derive(Debug, Clone, Copy, Default)]
struct BlockSums {
    weight: u64,
    /// Of bodies that move: Σ w, Σ w², and Σ w v/|v|.
    moving: f64,
    squares: f64,
    heading: [f64; 3],
}

impl LivelinessRecord {
    /// The record of cells.
    pub fn of_cells(extents: Extents, edges: Edges) -> Self {
        Self::new(Space { extents: extents.along_axes(), edges }, BLOCK as u32, PART)
    }

    /// The record of individuals that see each other within a radius (Q16 of a cell). The side of a block is half of the radius, rounded up to a
    /// power of two.
    pub fn of_individuals(space: Space, radius: u32) -> Self {
        let half = (radius >> (PLACE_BITS + 1)).clamp(1, LARGEST_BLOCK);
        Self::new(space, half.next_power_of_two(), 0)
    }

    fn new(space: Space, side: u32, least: u64) -> Self {
        let [x, y, z] = space.extents.map(|extent| extent.div_ceil(side));
        let blocks = Extents::deep(x, y, z);
        let (occupied_at, groups) = (vec![None; blocks.cells()], vec![0; blocks.cells()]);
        Self { space, side, blocks, least, samples: VecDeque::new(), occupied_at, groups, origin: [0; 3] }
    }

    /// Whether a sample is due at a step.
    pub fn is_due(step: u64) -> bool {
        step.is_multiple_of(INTERVAL)
    }

    /// The step of the last sample.
    pub fn last_step(&self) -> Option<u64> {
        Some(self.samples.back()?.step)
    }

    /// Forgets all samples.
    fn clear(&mut self) {
        self.samples.clear();
        self.occupied_at.fill(None);
        self.groups.fill(0);
    }

    /// Adds a sample of cells at a step. Several layers are one swarm. A second sample of a step changes nothing; a gap begins a new window.
    pub fn add_cells(&mut self, step: u64, state: &State) {
        let state = state.merged();
        let stripes = StripeSums::new(&state, self.space.edges);
        self.add(step, &*state, stripes);
    }

    /// Adds a sample of individuals at a step. `origin`: the place of the first cell of the window, if the window travels.
    pub fn add_individuals(&mut self, step: u64, individuals: &Individuals, origin: [i64; 3]) {
        if origin != self.origin {
            self.follow(origin);
        }
        self.add(step, individuals, StripeSums::default());
    }

    fn add<B: Bodies>(&mut self, step: u64, bodies: &B, stripes: StripeSums) {
        match self.samples.back() {
            Some(last) if last.step == step => return,
            Some(last) if last.step + INTERVAL != step => self.clear(),
            _ => {}
        }
        let sums = self.block_sums(bodies);
        let is_occupied = |index: usize| {
            let cells = cells_of_block(self.space.extents, self.blocks.cell(index), self.side);
            sums[index].weight > 0 && sums[index].weight >= self.least * cells
        };
        let labels = connected_labels(self.blocks, self.space.edges, &FACES, is_occupied);
        let weight = |index: usize| sums[index].weight;
        let all: u64 = sums.iter().map(|sums| sums.weight).sum();
        let occupied = labels.iter().zip(&mut self.occupied_at).filter(|(label, _)| **label > 0);
        let occupied = occupied.map(|(_, at)| *at = Some(step)).count();
        let (order, polarisation) = orders(&sums, all);
        self.samples.push_back(Sample {
            step,
            entropy: heading_entropy(bodies, self.space.axes()).unwrap_or(0.0),
            variance: (order - polarisation * polarisation).clamp(0.0, 1.0),
            polarisation,
            occupied,
            mixed: mixed(&self.groups, &labels, weight) as f64 / all.max(1) as f64,
            stripes,
        });
        self.groups = labels;
        while self.samples.front().is_some_and(|first| first.step + WINDOW < step) {
            self.samples.pop_front();
        }
    }

    /// The liveliness of the last [`WINDOW`] steps; `None` before so many were sampled.
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
        // What happened before the first sample is not of this window.
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

    /// The sums over the bodies in each block, x fastest.
    fn block_sums<B: Bodies>(&self, bodies: &B) -> Vec<BlockSums> {
        let mut sums = vec![BlockSums::default(); self.blocks.cells()];
        let shift = PLACE_BITS + self.side.ilog2();
        let [width, height, _] = self.blocks.along_axes().map(|extent| extent as usize);
        let (mut range, mut batch) = (0..bodies.count(), Batch::empty());
        while !range.is_empty() {
            bodies.take(&mut range, &mut batch);
            for index in 0..batch.count {
                let [x, y, z] = batch.places.map(|along| (along[index] >> shift) as usize);
                let block = &mut sums[(z * height + y) * width + x];
                block.weight += u64::from(batch.weights[index]);
                let v = batch.velocities.map(|along| f64::from(along[index]));
                let speed = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
                if speed > 0.0 {
                    let weight = f64::from(batch.weights[index]);
                    block.moving += weight;
                    block.squares += weight * weight;
                    (0..3).for_each(|axis| block.heading[axis] += weight * v[axis] / speed);
                }
            }
        }
        sums
    }

    /// Moves what is known of blocks with a window that travels. The blocks that leave the window are forgotten.
    fn follow(&mut self, origin: [i64; 3]) {
        let way: Vector3 = each_axis(|axis| ((origin[axis] - self.origin[axis]) / i64::from(self.side)) as i32);
        let from = |index: usize| {
            let block = self.blocks.cell(index);
            self.blocks.deep_index(each_axis(|axis| block[axis].saturating_add(way[axis])), Edges::Walls)
        };
        let from: Vec<_> = (0..self.groups.len()).map(from).collect();
        self.occupied_at = from.iter().map(|from| from.and_then(|from| self.occupied_at[from])).collect();
        self.groups = from.iter().map(|from| from.map_or(0, |from| self.groups[from])).collect();
        self.origin = origin;
    }
}

/// ⟨|u|²⟩ over the blocks, and the polarisation. |u|² of a block is the mean of û·û′ over all pairs of its boids in two bodies, so that it is 0
/// on the average where headings are drawn by chance. `all`: the weight of the swarm.
fn orders(sums: &[BlockSums], all: u64) -> (f64, f64) {
    let (mut order, mut weight, mut heading) = (0.0, 0.0, [0.0; 3]);
    for block in sums {
        let square: f64 = block.heading.iter().map(|along| along * along).sum();
        let pairs = block.moving * block.moving - block.squares;
        if pairs > 0.0 {
            order += block.moving * (square - block.squares) / pairs;
            weight += block.moving;
        }
        heading.iter_mut().zip(block.heading).for_each(|(sum, own)| *sum += own);
    }
    let length = heading.iter().map(|along| along * along).sum::<f64>().sqrt();
    (if weight > 0.0 { order / weight } else { 0.0 }, (length / all.max(1) as f64).min(1.0))
}

/// The weight of the groups that have joined another group, and of the groups that have split from one. `before` and `now`: the group of each
/// block, 0: none.
///
/// The successor of a group is the group with which it shares most, and so is the predecessor. A group has joined another one if the predecessor
/// of its successor is not itself. It has split from another one if the successor of its predecessor is not itself.
fn mixed(before: &[u32], now: &[u32], weight: impl Fn(usize) -> u64) -> u64 {
    let mut shared = BTreeMap::<(u32, u32), u64>::new();
    let mut weights = BTreeMap::<u32, u64>::new();
    for (index, (before, now)) in before.iter().zip(now).enumerate().filter(|(_, (_, now))| **now > 0) {
        *weights.entry(*now).or_default() += weight(index);
        if *before > 0 {
            *shared.entry((*before, *now)).or_default() += weight(index);
        }
    }
    let (mut successors, mut predecessors) = (BTreeMap::new(), BTreeMap::new());
    for ((before, now), weight) in &shared {
        let successor = successors.entry(*before).or_insert((*weight, *now));
        *successor = (*successor).max((*weight, *now));
        let predecessor = predecessors.entry(*now).or_insert((*weight, *before));
        *predecessor = (*predecessor).max((*weight, *before));
    }
    let joined = successors.iter().filter(|(before, (_, now))| predecessors[now].1 != **before);
    let split = predecessors.iter().filter(|(now, (_, before))| successors[before].1 != **now);
    joined.map(|(_, (weight, _))| weight).sum::<u64>() + split.map(|(now, _)| weights[now]).sum::<u64>()
}

/// The power of a density at the shortest wavelengths and at twice these: Σ (D(x−1) − 2D(x) + D(x+1))² and Σ (D(x−2) − 2D(x) + D(x+2))² over
/// all cells and axes. The first is greatest at a wavelength of 2 cells, the second at 4.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StripeSums {
    short: f64,
    long: f64,
}

impl StripeSums {
    /// The sums of the first layer of a state. Cells near a wall are left out along its axis.
    pub fn new(state: &State, edges: Edges) -> Self {
        let [width, height, depth] = state.extents.along_axes().map(|extent| extent as usize);
        let row = |y: usize, z: usize| &state.density[(z * height + y) * width..][..width];
        let rows = (0..height * depth).into_par_iter().map(|index| {
            let (y, z) = (index % height, index / height);
            let own = row(y, z);
            let mut sums = Self::default();
            own.windows(5).for_each(|cells| sums.add([cells[0], cells[1], cells[3], cells[4]], cells[2]));
            for x in (0..width).filter(|x| *x < 2 || x + 2 >= width) {
                if let Some(near) = cells_near(x, width, edges) {
                    sums.add(near.map(|x| own[x]), own[x]);
                }
            }
            let along_y = cells_near(y, height, edges).map(|near| near.map(|y| row(y, z)));
            let along_z = cells_near(z, depth, edges).filter(|_| state.extents.axes() == 3);
            for near in [along_y, along_z.map(|near| near.map(|z| row(y, z)))].into_iter().flatten() {
                (0..width).for_each(|x| sums.add(near.map(|row| row[x]), own[x]));
            }
            sums
        });
        // The rows are summed in their order, so that threads do not matter.
        let rows: Vec<_> = rows.collect();
        rows.into_iter().fold(Self::default(), Self::plus)
    }

    /// Adds a cell with the cells at a distance of 2 and 1 before it, and 1 and 2 after it.
    #[inline(always)]
    fn add(&mut self, near: [u32; 4], own: u32) {
        let [far, before, after, far_after] = near.map(f64::from);
        let own = 2.0 * f64::from(own);
        self.short += (before + after - own).powi(2);
        self.long += (far + far_after - own).powi(2);
    }

    /// The sums of both.
    fn plus(self, other: Self) -> Self {
        Self { short: self.short + other.short, long: self.long + other.long }
    }

    /// (16 s − l) / (15 max(s, l)), with the short sum s and the long sum l: 0 of a density that changes slowly from cell to cell, 1 of one that
    /// is drawn by chance in every cell, 16/15 of stripes with a wavelength of two cells. `None` of an even density.
    pub fn ratio(&self) -> Option<f64> {
        let greater = self.short.max(self.long);
        (greater > 0.0).then(|| (16.0 * self.short - self.long) / (15.0 * greater))
    }
}

/// The places at a distance of 2 and 1 before one along an axis, and 1 and 2 after it; `None` where one is beyond a wall.
fn cells_near(place: usize, extent: usize, edges: Edges) -> Option<[usize; 4]> {
    let near = [-2, -1, 1, 2].map(|by: i64| edges.wrap(place as i64 + by, extent as i64));
    Some([near[0]? as usize, near[1]? as usize, near[2]? as usize, near[3]? as usize])
}

/// The stripes of a density: its power at a wavelength of 2 cells against its power at 4 ([`StripeSums::ratio`]). `None` of an even density.
pub fn stripes(state: &State, edges: Edges) -> Option<f64> {
    StripeSums::new(state, edges).ratio()
}

#[cfg(test)]
mod tests;
