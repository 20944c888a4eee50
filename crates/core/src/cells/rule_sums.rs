//! The weighted sum of the rules' control vectors for the cells of a row.

use super::context::PassContext;
use crate::lanes::{Lanes, MAX_LANES};
use std::array::from_fn;

/// The weighted sum (Q20) of the vectors of the rules, by axis, for each cell of the current row.
pub struct RuleSums<'a, const AXES: usize> {
    pub sums: [&'a mut [i32]; AXES],
}

impl<'a, const AXES: usize> RuleSums<'a, AXES> {
    /// Sums for this number of cells, in words of a scratch.
    pub fn new(words: &'a mut [i32], cells: usize) -> Self {
        let mut rows = words.chunks_exact_mut(cells);
        Self { sums: from_fn(|_| rows.next().expect("the scratch has a row for each axis")) }
    }

    /// The number of cells.
    #[inline(always)]
    pub fn cells(&self) -> usize {
        self.sums[0].len()
    }

    pub fn clear(&mut self) {
        self.sums.iter_mut().for_each(|sum| sum.fill(0));
    }

    /// Adds the vectors (Q10) of a rule for the cells from `cell` on. Their components are at most 4
    /// ([`crate::numbers::RULE_LIMIT`]), so they have 16 bits.
    #[inline(always)]
    pub fn add<L: Lanes>(&mut self, cell: usize, weight: i32, v: [L; AXES]) {
        for axis in 0..AXES {
            let sum = &mut self.sums[axis][cell..];
            let weighted = match i16::try_from(weight) {
                Ok(weight) => v[axis].multiply_half_by(weight),
                Err(_) => v[axis].multiply(L::splat(weight)),
            };
            L::load(sum).add(weighted).store(sum);
        }
    }

    /// Adds a rule that acts on few cells and is computed cell by cell. `x`: the place of `cell` along its row.
    #[inline(always)]
    pub fn add_each<L: Lanes>(
        &mut self,
        cell: usize,
        weight: i32,
        context: &PassContext<'_>,
        x: i32,
        rule: impl Fn(i32) -> [i32; AXES],
    ) {
        let mut vectors = [[0; MAX_LANES]; AXES];
        for i in 0..L::COUNT {
            // The last chunk may reach beyond the last cell. Its results there are never read.
            let v = rule(Ord::min(x + i as i32, context.layout.extents.width as i32 - 1));
            for axis in 0..AXES {
                vectors[axis][i] = v[axis];
            }
        }
        let mut v = [L::splat(0); AXES];
        for axis in 0..AXES {
            v[axis] = L::load(&vectors[axis]);
        }
        self.add(cell, weight, v);
    }

    /// The sums of the cells from `cell` on.
    #[inline(always)]
    pub fn at<L: Lanes>(&self, cell: usize) -> [L; AXES] {
        let mut v = [L::splat(0); AXES];
        for axis in 0..AXES {
            v[axis] = L::load(&self.sums[axis][cell..]);
        }
        v
    }
}
