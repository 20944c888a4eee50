//! Blocks of cells. In each block, the number of points is compared with the number of boids.

use super::movement::{WEIGHT_SHIFT, mean};
use super::{Flow, LAYER_SHIFT, LEAVES, PRESENCE_RATE, Point, PointParameters, cell_at};
use crate::numbers::random::hash;
use crate::numbers::{BOID, Vector3};
use crate::world::{Extents, PLACE_BITS};

/// Cells along a side of a block.
pub const BLOCK: u32 = 4;
/// The maximum number of cells of a block.
const MAX_CELLS: usize = (BLOCK * BLOCK * BLOCK) as usize;
/// The maximum number of points that a block should have. More points would look no different.
const MAX_POINTS_PER_BLOCK: u64 = 4096;
/// A step reduces the difference between the points of a block and their wanted number by this part: 1/PATIENCE.
const PATIENCE: u32 = 64;
/// The number of places around a cell that are tried for a new point before a place in the cell is taken.
const TRIES: u32 = 4;
/// The number of random words of a new point.
const WORDS: u32 = 32;

/// The maximum difference, after a step, between the wanted number of points of a block and the number of its points
/// that do not leave.
pub fn tolerance(wanted: u32) -> u32 {
    1 + (2 * u64::from(wanted)).isqrt() as u32
}

/// The blocks of a lattice, x fastest; the last one along an axis may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// The extents of the lattice, in cells.
    pub extents: Extents,
    /// Blocks along each axis.
    pub counts: [u32; 3],
    /// The number of layers. Each layer has all blocks.
    pub layers: u32,
}

/// A block of a layer.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// The number of the block among the blocks of its layer.
    pub index: u32,
    /// The number of the block among the blocks of all layers.
    pub bin: u32,
    /// The sum of the quanta of the block's cells that are not solid.
    pub quanta: u64,
}

impl Blocks {
    /// The blocks of a lattice with one layer.
    pub fn new(extents: Extents) -> Self {
        Self { extents, counts: extents.along_axes().map(|extent| extent.div_ceil(BLOCK)), layers: 1 }
    }

    /// The number of all blocks of a layer.
    pub fn count(&self) -> usize {
        self.counts.iter().map(|count| *count as usize).product()
    }

    /// The number of blocks of all layers.
    pub fn bins(&self) -> usize {
        self.count() * self.layers as usize
    }

    /// The number of the layer of a point; 0 if there is only one.
    #[inline(always)]
    pub fn species_of(&self, point: &Point) -> u32 {
        if self.layers > 1 { point.layer() } else { 0 }
    }

    /// The number of the block of a point on the lattice among the blocks of all layers.
    #[inline(always)]
    pub fn bin(&self, point: &Point) -> u32 {
        self.species_of(point) * self.count() as u32 + self.index_at(point.place)
    }

    /// The block of a cell of the lattice.
    #[inline(always)]
    pub fn index(&self, cell: Vector3) -> u32 {
        let [x, y, z] = [cell[0] as u32 / BLOCK, cell[1] as u32 / BLOCK, cell[2] as u32 / BLOCK];
        (z * self.counts[1] + y) * self.counts[0] + x
    }

    /// The block of a place (Q16) on the lattice.
    #[inline(always)]
    pub fn index_at(&self, place: Vector3) -> u32 {
        self.index(cell_at(place))
    }

    /// The first cell of a block, and the cell after its last one along each axis.
    fn bounds(&self, block: u32) -> [Vector3; 2] {
        let [across, down, _] = self.counts;
        let first = [block % across, block / across % down, block / across / down].map(|axis| axis * BLOCK);
        let extents = self.extents.along_axes();
        let end = std::array::from_fn(|axis| (first[axis] + BLOCK).min(extents[axis]) as i32);
        [first.map(|axis| axis as i32), end]
    }

    /// Adds the quanta of each block in a row of blocks along x to `sums`. `first`: the first block of the row.
    pub fn add_row<F: Flow>(&self, flow: &F, first: u32, sums: &mut [u64]) {
        let has_solids = flow.has_solids();
        let [[_, top, front], [_, bottom, back]] = self.bounds(first);
        for z in front..back {
            for y in top..bottom {
                for (x, quanta) in flow.row(y, z).iter().enumerate() {
                    if !has_solids || !flow.is_solid([x as i32, y, z]) {
                        sums[x / BLOCK as usize] += u64::from(*quanta);
                    }
                }
            }
        }
    }
}

impl Block {
    /// The number of points that the block should have: its boids divided by the boids for which a point stands. A
    /// random number of the block, equal in all steps, decides whether the quotient is rounded up or down.
    ///
    /// min( floor( (Σ D + h) / (BOID · e) ), 4096 )   with the quanta D of each cell, e = `boids_each`, and the random
    /// number h from 0 to BOID · e - 1
    pub fn wanted(&self, parameters: &PointParameters) -> u32 {
        let word = hash(parameters.seed ^ hash(self.bin));
        let (fraction, whole) = (word & (BOID - 1), hash(word) % parameters.boids_each);
        let boids = (self.quanta + u64::from(fraction)) / u64::from(BOID) + u64::from(whole);
        (boids / u64::from(parameters.boids_each)).min(MAX_POINTS_PER_BLOCK) as u32
    }

    /// The number of points by which a step reduces the difference from the wanted number: a 64th of the difference on
    /// average, and at least the excess over the tolerance.
    fn correction(&self, difference: u32, wanted: u32, parameters: &PointParameters) -> u32 {
        let chance = self.random(parameters) % PATIENCE;
        difference.saturating_sub(tolerance(wanted)).max((difference + chance) / PATIENCE)
    }

    /// A random word of the block in this step.
    fn random(&self, parameters: &PointParameters) -> u32 {
        hash(hash(parameters.seed ^ hash(self.bin)) ^ parameters.step)
    }

    /// Adds the points of the block after a step to `points`: the points that arrived or stayed, and new points. The
    /// presence of points that leave decreases.
    pub fn renew<F: Flow>(
        &self,
        blocks: &Blocks,
        flow: &F,
        arrived: impl Iterator<Item = Point> + Clone,
        parameters: &PointParameters,
        keys: &mut Vec<u32>,
        points: &mut Vec<Point>,
    ) {
        keys.clear();
        keys.extend(arrived.clone().filter(|point| !point.leaves()).map(|point| point.key));
        let present = keys.len() as u32;
        let wanted = self.wanted(parameters);
        let correction = self.correction(present.abs_diff(wanted), wanted, parameters);
        let surplus = if present > wanted { correction } else { 0 };
        // The points with the least keys leave.
        let least = match surplus {
            0 => 0,
            _ => *keys.select_nth_unstable(surplus as usize - 1).1 + 1,
        };
        for mut point in arrived {
            if point.key < least {
                point.key |= LEAVES;
            }
            if !point.leaves() {
                point.presence = point.presence.saturating_add(PRESENCE_RATE);
                points.push(point);
            } else if point.presence > PRESENCE_RATE {
                point.presence -= PRESENCE_RATE;
                points.push(point);
            }
        }
        if present < wanted {
            self.appear(blocks, flow, parameters, correction, PRESENCE_RATE, points);
        }
    }

    /// Adds new points, each at a random place around the middle of a cell. Cells are chosen in proportion to their
    /// boids.
    pub fn appear<F: Flow>(
        &self,
        blocks: &Blocks,
        flow: &F,
        parameters: &PointParameters,
        count: u32,
        presence: u16,
        points: &mut Vec<Point>,
    ) {
        if count == 0 {
            return;
        }
        let (mut weights, mut index) = ([0; MAX_CELLS], 0);
        let [[left, top, front], [right, bottom, back]] = blocks.bounds(self.index);
        for z in front..back {
            for y in top..bottom {
                for x in left..right {
                    weights[index] = if flow.is_solid([x, y, z]) { 0 } else { flow.density([x, y, z]) >> WEIGHT_SHIFT };
                    index += 1;
                }
            }
        }
        let sum: u32 = weights.iter().sum();
        if sum == 0 {
            return;
        }
        let random = self.random(parameters);
        for number in 0..count {
            let word = |index: u32| hash(random.wrapping_add(number * WORDS + index));
            let mut chance = word(0) % sum;
            let chosen = weights.iter().position(|weight| {
                let is_here = chance < *weight;
                chance = chance.wrapping_sub(if is_here { 0 } else { *weight });
                is_here
            });
            let (chosen, across, down) = (chosen.unwrap_or(0) as i32, right - left, bottom - top);
            let cell = [left + chosen % across, top + chosen / across % down, front + chosen / across / down];
            let place = self.place(blocks, flow, cell, word);
            let velocity = mean(flow, place).unwrap_or_default().map(|axis| axis as i16);
            let key = match blocks.layers {
                1 => word(1) & !LEAVES,
                _ => word(1) & ((1 << LAYER_SHIFT) - 1) | (self.bin / blocks.count() as u32) << LAYER_SHIFT,
            };
            points.push(Point { place, velocity, presence, key });
        }
    }

    /// A random place around the middle of a cell of the block, up to 0.95 cells away along each axis. Places near the
    /// middle are more probable. The places overlap the next cells, so that points do not show the lattice. The place
    /// lies in the block and in no solid.
    fn place<F: Flow>(&self, blocks: &Blocks, flow: &F, cell: Vector3, word: impl Fn(u32) -> u32) -> Vector3 {
        let axes = blocks.extents.axes();
        let [first, end] = blocks.bounds(self.index);
        let mut place = cell.map(|axis| axis << PLACE_BITS);
        place.iter_mut().take(axes).for_each(|axis| *axis += 1 << (PLACE_BITS - 1));
        for attempt in 0..TRIES {
            let mut around = place;
            for (axis, component) in around.iter_mut().enumerate().take(axes) {
                let word = word(2 + 3 * attempt + axis as u32);
                // The difference of two numbers of 16 bits, times 0.95.
                *component += (((word & 0xffff) as i32 - (word >> 16) as i32) * 243) >> 8;
            }
            let at = cell_at(around);
            if (0..3).all(|axis| (first[axis]..end[axis]).contains(&at[axis])) && !flow.is_solid(at) {
                return around;
            }
        }
        for (axis, component) in place.iter_mut().enumerate().take(axes) {
            *component = (cell[axis] << PLACE_BITS) + (word(2 + 3 * TRIES + axis as u32) & 0xffff) as i32;
        }
        place
    }
}
