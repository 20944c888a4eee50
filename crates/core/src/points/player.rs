//! Moves the points of a swarm on the CPU, step by step. Points are sorted by blocks of cells.

use super::blocks::{Block, Blocks};
use super::movement::moved;
use super::{Flow, Point, PointParameters, Points};
use crate::parallel::{Divisible, for_each_part};
use std::ops::Range;

/// The number of points that a thread moves at a time.
const POINTS_AT_ONCE: usize = 1024;
/// The max number of bands of blocks. It is low enough to join their lists fast, and high enough for many threads.
const MAX_BANDS: u32 = 64;
/// Stands for the block of a point that is removed.
const NOWHERE: u32 = u32::MAX;

/// The points of a swarm, and memory for their steps.
#[derive(Debug)]
pub struct PointPlayer {
    points: Points,
    /// The points after they have moved, before they are sorted by block.
    moving: Vec<Point>,
    /// The block of each point in `moving`, or [`NOWHERE`].
    destinations: Vec<u32>,
    /// For each block the index in `order` of its first point. After the last block comes the length of `order`.
    starts: Vec<u32>,
    /// Indices in `moving`, sorted by block.
    order: Vec<u32>,
    bands: Vec<Band>,
}

/// Consecutive rows of blocks, in all layers together, and the points in these blocks.
#[derive(Debug, Default)]
struct Band {
    bins: Range<u32>,
    sums: Vec<u64>,
    keys: Vec<u32>,
    points: Vec<Point>,
}

impl PointPlayer {
    /// Begins with existing points.
    pub fn new(points: Points) -> Self {
        let (moving, destinations, starts, order, bands) = Default::default();
        Self { points, moving, destinations, starts, order, bands }
    }

    /// New points for a swarm. Each block gets its wanted number of points, and all points are fully visible. `flows`:
    /// the flow of each layer.
    pub fn seeded(flows: &[impl Flow], parameters: PointParameters) -> Points {
        let mut points =
            Points { list: Vec::new(), parameters: PointParameters { layers: flows.len() as u32, ..parameters } };
        fill(&mut points, &mut Vec::new(), flows, &|block, (flow, blocks), _, points| {
            block.appear(blocks, flow, &parameters, block.wanted(&parameters), u16::MAX, points);
        });
        points
    }

    /// The points of the present state.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Moves the points with the control vectors of the swarm after a step, and adjusts the number of points in each
    /// block. `flows`: the flow of each layer after the step. `step`: the number of the step.
    pub fn step(&mut self, flows: &[impl Flow], step: u32) {
        let blocks = blocks_of(flows);
        std::mem::swap(&mut self.points.list, &mut self.moving);
        self.destinations.resize(self.moving.len(), NOWHERE);
        let work = Movement { points: &mut self.moving, destinations: &mut self.destinations };
        for_each_part(work, &|work: Movement<'_>| {
            for (point, destination) in work.points.iter_mut().zip(work.destinations) {
                *destination = match moved(&flows[blocks.species_of(point) as usize], *point, step) {
                    Some(moved) => {
                        *point = moved;
                        blocks.bin(point)
                    }
                    None => NOWHERE,
                };
            }
        });
        self.sort(blocks.bins());
        let Self { moving, starts, order, bands, points, .. } = self;
        points.parameters.step = step;
        let parameters = points.parameters;
        fill(points, bands, flows, &|block, (flow, blocks), keys, points| {
            let [first, end] = [0, 1].map(|next| starts[block.bin as usize + next] as usize);
            let arrived = order[first..end].iter().map(|number| moving[*number as usize]);
            block.renew(blocks, flow, arrived, &parameters, keys, points);
        });
    }

    /// Sorts the indices of the points by block. Points of one block stay in their order.
    fn sort(&mut self, blocks: usize) {
        self.starts.clear();
        self.starts.resize(blocks + 1, 0);
        for destination in self.destinations.iter().filter(|destination| **destination != NOWHERE) {
            self.starts[*destination as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.order.resize(sum as usize, 0);
        // `starts` now has the end of each block. Each point of a block, from the last to the first, decreases this
        // number by 1, so that it becomes the start of the block.
        for (number, destination) in self.destinations.iter().enumerate().rev() {
            if let Some(place) = self.starts.get_mut(*destination as usize) {
                *place -= 1;
                self.order[*place as usize] = number as u32;
            }
        }
    }
}

/// The blocks of all layers.
fn blocks_of(flows: &[impl Flow]) -> Blocks {
    Blocks { layers: flows.len() as u32, ..Blocks::new(flows[0].extents()) }
}

/// Fills the list with the points of all blocks, up to the maximum number of points. `each`: adds the points of a block
/// to a list.
fn fill<F: Flow>(
    points: &mut Points,
    bands: &mut Vec<Band>,
    flows: &[F],
    each: &(impl Fn(Block, (&F, &Blocks), &mut Vec<u32>, &mut Vec<Point>) + Sync),
) {
    let blocks = blocks_of(flows);
    let across = blocks.counts[0];
    let count = blocks.count() as u32;
    let rows = blocks.bins() as u32 / across;
    let rows_each = rows.div_ceil(MAX_BANDS);
    bands.resize_with(rows.div_ceil(rows_each) as usize, Band::default);
    for (number, band) in (0u32..).zip(bands.iter_mut()) {
        band.bins = number * rows_each * across..((number + 1) * rows_each).min(rows) * across;
    }
    for_each_part(&mut bands[..], &|bands: &mut [Band]| {
        let Band { bins, sums, keys, points } = &mut bands[0];
        points.clear();
        for first in bins.clone().step_by(across as usize) {
            let flow = &flows[(first / count) as usize];
            sums.clear();
            sums.resize(across as usize, 0);
            blocks.add_row(flow, first % count, sums);
            for (bin, quanta) in (first..).zip(sums.iter()) {
                let block = Block { index: bin % count, bin, quanta: *quanta };
                each(block, (flow, &blocks), keys, points);
            }
        }
    });
    points.list.clear();
    bands.iter().for_each(|band| points.list.extend_from_slice(&band.points));
    points.list.truncate(points.parameters.most as usize);
}

/// Consecutive points, and the block that each of them moves to.
struct Movement<'a> {
    points: &'a mut [Point],
    destinations: &'a mut [u32],
}

impl Divisible for Movement<'_> {
    fn parts(&self) -> usize {
        self.points.len().div_ceil(POINTS_AT_ONCE)
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        let (points, points_after) = self.points.split_at_mut(middle * POINTS_AT_ONCE);
        let (destinations, destinations_after) = self.destinations.split_at_mut(middle * POINTS_AT_ONCE);
        let after = Self { points: points_after, destinations: destinations_after };
        (Self { points, destinations }, after)
    }
}

impl Divisible for &mut [Band] {
    fn parts(&self) -> usize {
        self.len()
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        self.split_at_mut(middle)
    }
}
