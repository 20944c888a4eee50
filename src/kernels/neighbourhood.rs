//! Sums over the sight of every cell of a row.
//!
//! Each row of what is summed is staged once and kept while any row in reach needs it: 2·reach + 1 rows a worker. A
//! sight of few scattered vectors is summed vector by vector. A dense one is summed run by run: the staged rows hold
//! running sums, so that a run costs two reads however long it is. Running sums wrap around 2^32; their differences
//! are exact all the same, because every true sum fits in 32 bits (design, section 2).

use super::{Band, Scene, stage_perceived};
use crate::fields::LANES;

/// The sums over the sight, for a chunk of cells.
pub struct Sums {
    /// Σ of the first quantity.
    pub seen: [i32; LANES],
    /// Σ of the x and y components.
    pub x: [i32; LANES],
    pub y: [i32; LANES],
}

impl Sums {
    #[inline(always)]
    pub fn zero() -> Self {
        Self { seen: [0; LANES], x: [0; LANES], y: [0; LANES] }
    }
}

/// The words of scratch that a band needs for `quantities` staged quantities with a sight of this reach.
pub fn scratch_words(quantities: usize, reach: i32, stride: usize) -> usize {
    quantities * (2 * reach as usize + 1) * (stride + LANES)
}

/// The staged rows around the row in hand.
pub struct Staged<'a> {
    words: &'a mut [i32],
    /// Words of a row of one quantity: a row with its halos, and a chunk more for the last running sum.
    width: usize,
    quantities: usize,
    rows: usize,
    reach: i32,
    halo: usize,
    /// The slot of the row at the lower end of the reach.
    lowest: usize,
}

impl<'a> Staged<'a> {
    #[inline(always)]
    pub fn new(scene: &Scene<'_>, scratch: &'a mut [i32], quantities: usize, reach: i32) -> Self {
        Self {
            words: scratch,
            width: scene.stride + LANES,
            quantities,
            rows: 2 * reach as usize + 1,
            reach,
            halo: scene.halo,
            lowest: 0,
        }
    }

    /// Stages what row y of a band needs: all rows in reach for the first row, one more for each later one.
    #[inline(always)]
    fn advance<R: Perceiving>(&mut self, rule: &R, scene: &Scene<'_>, index: usize, y: i32) {
        let size = self.quantities * self.width;
        let first = if index == 0 { y - self.reach } else { y + self.reach };
        for row in first..=y + self.reach {
            // The rows of the first call fill the slots in order; each later row takes the place of the lowest.
            let slot = (index + (row - y + self.reach) as usize) % self.rows;
            rule.stage(scene, row, &mut self.words[slot * size..][..size], self.width);
        }
        self.lowest = index % self.rows;
    }

    /// A chunk of a staged quantity, `row` rows and `column` cells away from the cells at x.
    #[inline(always)]
    fn lanes(&self, quantity: usize, row: i32, x: i32, column: i32) -> &[i32; LANES] {
        let mut slot = self.lowest + (row + self.reach) as usize;
        if slot >= self.rows {
            slot -= self.rows;
        }
        let first = (slot * self.quantities + quantity) * self.width + (self.halo as i32 + x + column) as usize;
        self.words[first..][..LANES].try_into().expect("a staged row is whole chunks")
    }

    /// Σ q and Σ k·q for the staged quantity q and a vector k for each perceptual vector.
    #[inline(always)]
    pub fn weighted(&self, vectors: &[[i32; 2]], weights: &[[i32; 2]], x: i32) -> Sums {
        let mut sums = Sums::zero();
        for (&[column, row], &[weight_x, weight_y]) in vectors.iter().zip(weights) {
            let q = self.lanes(0, row, x, column);
            for i in 0..LANES {
                sums.seen[i] += q[i];
                sums.x[i] += weight_x * q[i];
                sums.y[i] += weight_y * q[i];
            }
        }
        sums
    }

    /// Σ of each of three staged quantities.
    #[inline(always)]
    pub fn plain(&self, vectors: &[[i32; 2]], x: i32) -> Sums {
        let mut sums = Sums::zero();
        for &[column, row] in vectors {
            let (seen, of_x, of_y) =
                (self.lanes(0, row, x, column), self.lanes(1, row, x, column), self.lanes(2, row, x, column));
            for i in 0..LANES {
                sums.seen[i] += seen[i];
                sums.x[i] += of_x[i];
                sums.y[i] += of_y[i];
            }
        }
        sums
    }

    /// Σ q and Σ s·q over the runs of a sight, from running sums of q and of column·q.
    #[inline(always)]
    pub fn weighted_over_runs(&self, runs: &[crate::sight::Run], x: i32) -> Sums {
        let mut sums = Sums::zero();
        for run in runs {
            let (before, after) = (self.lanes(0, run.row, x, run.first), self.lanes(0, run.row, x, run.last + 1));
            let (before_x, after_x) = (self.lanes(1, run.row, x, run.first), self.lanes(1, run.row, x, run.last + 1));
            for i in 0..LANES {
                let seen = after[i].wrapping_sub(before[i]);
                sums.seen[i] += seen;
                sums.x[i] = sums.x[i].wrapping_add(after_x[i].wrapping_sub(before_x[i]));
                sums.y[i] += run.row * seen;
            }
        }
        for i in 0..LANES {
            // The running sum of column·q counts columns from the start of the staged row; s counts from the cell.
            let column = self.halo as i32 + x + i as i32;
            sums.x[i] = sums.x[i].wrapping_sub(column.wrapping_mul(sums.seen[i]));
        }
        sums
    }

    /// Σ of each of three quantities over the runs of a sight, from their running sums.
    #[inline(always)]
    pub fn plain_over_runs(&self, runs: &[crate::sight::Run], x: i32) -> Sums {
        let mut sums = Sums::zero();
        for run in runs {
            let ends = |quantity| {
                (self.lanes(quantity, run.row, x, run.first), self.lanes(quantity, run.row, x, run.last + 1))
            };
            let ((seen, seen_end), (of_x, of_x_end), (of_y, of_y_end)) = (ends(0), ends(1), ends(2));
            for i in 0..LANES {
                sums.seen[i] = sums.seen[i].wrapping_add(seen_end[i].wrapping_sub(seen[i]));
                sums.x[i] = sums.x[i].wrapping_add(of_x_end[i].wrapping_sub(of_x[i]));
                sums.y[i] = sums.y[i].wrapping_add(of_y_end[i].wrapping_sub(of_y[i]));
            }
        }
        sums
    }
}

/// Turns a staged row into its running sums: word i becomes the sum of the words before it, modulo 2^32.
#[inline(always)]
pub fn running_sums(row: &mut [i32]) {
    let mut sum = 0i32;
    for word in row {
        let value = *word;
        *word = sum;
        sum = sum.wrapping_add(value);
    }
}

/// A rule that sums over its sight. A trait and not closures, so that all of it is inlined into the functions that are
/// compiled for an instruction set.
pub trait Perceiving {
    /// How many quantities are staged.
    const QUANTITIES: usize;

    /// Stages row y, halos included: the rows of all quantities, one after the other, `width` words apart. Where nothing
    /// else is said, the one quantity is the perceived density.
    #[inline(always)]
    fn stage(&self, scene: &Scene<'_>, y: i32, words: &mut [i32], width: usize) {
        stage_perceived(scene, y, &mut words[..width]);
    }

    /// The sums over the sight for the chunk of cells from x on.
    fn sums(&self, staged: &Staged<'_>, x: i32) -> Sums;

    /// What is written, from the sums.
    fn finish(&self, scene: &Scene<'_>, x: i32, y: i32, sums: &Sums, out: &mut [u32; LANES]);
}

/// Fills the rows of a band that a perceiving rule writes.
#[inline(always)]
pub fn rows<R: Perceiving>(rule: R, scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    let reach = scene.sight().reach;
    let mut staged = Staged::new(scene, band.scratch, R::QUANTITIES, reach);
    for (index, y) in band.rows.clone().enumerate() {
        staged.advance(&rule, scene, index, y);
        let row = &mut band.write[0][index * scene.stride..][..scene.stride];
        for x in scene.chunks() {
            let sums = rule.sums(&staged, x);
            rule.finish(scene, x, y, &sums, scene.lanes_mut(row, x));
        }
    }
}
