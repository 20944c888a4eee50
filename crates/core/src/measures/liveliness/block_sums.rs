//! Sums over the bodies in each block of a world.

use super::Blocks;
use super::cell_rows::{CellRow, CellRows};
use crate::lanes::{InstructionSet, LaneWork, Lanes};
use crate::measures::bodies::BATCH;
use crate::measures::form::{FLAT_BINS, bin_deep, bin_flat, directions};
use crate::measures::{Batch, Bodies};
use crate::numbers::unpack;
use crate::parallel::*;
use crate::state::Individuals;
use crate::state::sums::added;
use crate::world::PLACE_BITS;

/// Sums over the bodies of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockSums {
    pub weight: u64,
    /// Sums over the moving bodies, with the weight w and the velocity v of a body: Σ w, Σ w², and Σ w v/|v|.
    pub moving: f64,
    pub squares: f64,
    pub heading: [f64; 3],
}

/// For each body of a batch, its terms in the sums `moving`, `squares` and `heading` of [`BlockSums`]. A body at rest
/// has zeros.
struct Headings {
    moving: [f64; BATCH],
    squares: [f64; BATCH],
    heading: [[f64; BATCH]; 3],
}

impl Headings {
    fn empty() -> Self {
        Self { moving: [0.0; BATCH], squares: [0.0; BATCH], heading: [[0.0; BATCH]; 3] }
    }

    /// Computes the terms of a batch, and adds the weights of its moving bodies to `directions`.
    #[inline(always)]
    fn fill<const AXES: usize>(&mut self, batch: &Batch, directions: &mut [u64]) {
        let mut bins = [0; BATCH];
        let mut weights = [0; BATCH];
        for index in 0..batch.count {
            let mut v = [0.0; 3];
            for axis in 0..AXES {
                v[axis] = f64::from(batch.velocities[axis][index]);
            }
            let speed = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            weights[index] = if speed > 0.0 { batch.weights[index] } else { 0 };
            let weight = f64::from(weights[index]);
            let divisor = if speed > 0.0 { speed } else { 1.0 };
            self.moving[index] = weight;
            self.squares[index] = weight * weight;
            for axis in 0..AXES {
                self.heading[axis][index] = weight * v[axis] / divisor;
            }
            if AXES == 2 {
                bins[index] = bin_flat(v[0], v[1]);
            }
        }
        for index in 0..batch.count {
            if AXES == 3 && weights[index] > 0 {
                let v = [batch.velocities[0][index], batch.velocities[1][index], batch.velocities[2][index]];
                let is_flat = directions.len() == FLAT_BINS;
                bins[index] = if is_flat { bin_flat(v[0].into(), v[1].into()) } else { bin_deep(v) };
            }
            directions[bins[index] as usize] += u64::from(weights[index]);
        }
    }

    /// Rounds the headings of bodies of weight 1 to multiples of 2^-24. Sums of up to 2^29 such headings are exact, in
    /// any order.
    #[inline(always)]
    fn round<const AXES: usize>(&mut self) {
        // Floats from 2^28 to 2^29 are multiples of 2^-24.
        const ROUNDING: f64 = (3u64 << 27) as f64;
        for along in &mut self.heading[..AXES] {
            along.iter_mut().for_each(|part| *part = (*part + ROUNDING) - ROUNDING);
        }
    }

    /// Adds the terms of a body of a batch to the sums of its block.
    #[inline(always)]
    fn add_to<const AXES: usize>(&self, index: usize, weight: u32, sums: &mut BlockSums) {
        sums.weight += u64::from(weight);
        sums.moving += self.moving[index];
        sums.squares += self.squares[index];
        for axis in 0..AXES {
            sums.heading[axis] += self.heading[axis][index];
        }
    }
}

/// The sums over the cells in each block that begins in the slab, x fastest, and the moving weight in each direction.
///
/// The cells of a block are summed in their order, so that threads do not matter.
pub(super) fn sums_of_cells(cells: &CellRows<'_>, blocks: &Blocks) -> (Vec<BlockSums>, Vec<u64>) {
    let columns = blocks.extents().width as usize;
    let (axes, side, set) = (blocks.space.axes(), blocks.side as usize, InstructionSet::widest());
    let row_of_blocks = |first: [usize; 2]| {
        let (mut sums, mut directions) = (vec![BlockSums::default(); columns], vec![0; directions(axes)]);
        let (own, of_direction) = (&mut sums[..], &mut directions[..]);
        // A deep world of one slice is a flat space.
        if cells.slab.world.axes() == 2 {
            set.run(RowOfBlocks::<2> { cells, side, first, sums: own, directions: of_direction });
        } else {
            set.run(RowOfBlocks::<3> { cells, side, first, sums: own, directions: of_direction });
        }
        (sums, directions)
    };
    let begins = |[y, z]: &[usize; 2]| y.is_multiple_of(side) && z.is_multiple_of(side);
    let parts: Vec<_> =
        cells.own_rows().into_iter().filter(begins).collect::<Vec<_>>().into_par_iter().map(row_of_blocks).collect();
    let mut sums = Vec::with_capacity(parts.len() * columns);
    let mut all = vec![0; directions(axes)];
    for (own, of_direction) in parts {
        sums.extend(own);
        all = added(all, of_direction);
    }
    (sums, all)
}

/// The sums of a row of blocks.
struct RowOfBlocks<'a, const AXES: usize> {
    cells: &'a CellRows<'a>,
    /// The side of a block in cells: a power of two, at most [`BATCH`].
    side: usize,
    /// y and z of the first row of cells.
    first: [usize; 2],
    sums: &'a mut [BlockSums],
    directions: &'a mut [u64],
}

impl<const AXES: usize> LaneWork for RowOfBlocks<'_, AXES> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let extents = self.cells.slab.world;
        let (width, height) = (extents.width as usize, extents.height as usize);
        let [first_y, first_z] = self.first;
        let [last_y, last_z] =
            [Ord::min(first_y + self.side, height), Ord::min(first_z + self.side, extents.slices() as usize)];
        let (mut batch, mut headings) = (Batch::empty(), Headings::empty());
        for z in first_z..last_z {
            for y in first_y..last_y {
                let row = self.cells.row([y, z]);
                let mut x = 0;
                while x < width {
                    if fill_batch::<AXES>(&mut batch, row, x) {
                        headings.fill::<AXES>(&batch, self.directions);
                        let mut index = 0;
                        while index < batch.count {
                            let block = (x + index) / self.side;
                            let mut sums = self.sums[block];
                            let last = Ord::min(index + self.side, batch.count);
                            while index < last {
                                headings.add_to::<AXES>(index, batch.weights[index], &mut sums);
                                index += 1;
                            }
                            self.sums[block] = sums;
                        }
                    }
                    x += batch.count;
                }
            }
        }
    }
}

/// Fills a batch with the weights and velocities of the cells of a row from x on. Returns whether a cell has weight. If
/// none has, velocities are not filled.
#[inline(always)]
fn fill_batch<const AXES: usize>(batch: &mut Batch, row: CellRow<'_>, x: usize) -> bool {
    let density = &row.density[x..];
    batch.count = Ord::min(BATCH, density.len());
    let mut all = 0;
    for index in 0..batch.count {
        batch.weights[index] = density[index];
        all |= density[index];
    }
    if all == 0 {
        return false;
    }
    if AXES == 3 && row.control_z.is_empty() {
        for (index, [word, z]) in row.control[2 * x..].as_chunks().0[..batch.count].iter().enumerate() {
            let [x, y] = unpack(*word);
            [x, y, *z as i32].into_iter().enumerate().for_each(|(axis, along)| batch.velocities[axis][index] = along);
        }
        return true;
    }
    let control = &row.control[x..];
    for index in 0..batch.count {
        let v = unpack(control[index]);
        batch.velocities[0][index] = v[0];
        batch.velocities[1][index] = v[1];
    }
    if AXES == 3 {
        let control_z = &row.control_z[x..];
        for index in 0..batch.count {
            batch.velocities[2][index] = control_z[index] as i32;
        }
    }
    true
}

/// The sums over the individuals in each block, x fastest, and the number of moving individuals in each direction.
pub(super) fn sums_of_individuals(individuals: &Individuals, blocks: &Blocks) -> (Vec<BlockSums>, Vec<u64>) {
    let mut sums = vec![BlockSums::default(); blocks.extents().cells()];
    let mut directions = vec![0; directions(blocks.space.axes())];
    let (own, of_direction, set) = (&mut sums[..], &mut directions[..], InstructionSet::widest());
    if blocks.space.axes() == 2 {
        set.run(BlocksOfIndividuals::<2> { individuals, blocks, sums: own, directions: of_direction });
    } else {
        set.run(BlocksOfIndividuals::<3> { individuals, blocks, sums: own, directions: of_direction });
    }
    (sums, directions)
}

/// The sums of all blocks. The order of individuals does not matter.
struct BlocksOfIndividuals<'a, const AXES: usize> {
    individuals: &'a Individuals,
    blocks: &'a Blocks,
    sums: &'a mut [BlockSums],
    directions: &'a mut [u64],
}

impl<const AXES: usize> LaneWork for BlocksOfIndividuals<'_, AXES> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let shift = PLACE_BITS + self.blocks.side.ilog2();
        let extents = self.blocks.extents();
        let (width, height) = (extents.width as usize, extents.height as usize);
        let (mut range, mut batch, mut headings) = (0..self.individuals.len(), Batch::empty(), Headings::empty());
        while !range.is_empty() {
            self.individuals.take(&mut range, &mut batch);
            headings.fill::<AXES>(&batch, self.directions);
            headings.round::<AXES>();
            for index in 0..batch.count {
                let [x, y, z] = &batch.places;
                let [x, y, z] = [x[index] >> shift, y[index] >> shift, z[index] >> shift];
                let block = &mut self.sums[(z as usize * height + y as usize) * width + x as usize];
                headings.add_to::<AXES>(index, batch.weights[index], block);
            }
        }
    }
}
