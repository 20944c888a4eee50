//! The part of the behaviour that flat and deep worlds share: the weighted sum of the rules' control vectors for the
//! cells of a row, the rules that look at no cells, and the steering.

use super::context::{PassContext, rests};
use super::neighbourhood::RowsAround;
use super::rules::{control_of_steering, hunter_at, is_hunted, is_near_wall, roost, walls_at};
use super::transport::bounce_at;
use crate::lanes::vector::{select, splat};
use crate::lanes::{Lanes, MAX_LANES};
use crate::noise::lattice::LineDraws;
use crate::numbers::Vector3;
use crate::state::fields::Row;
use std::array::from_fn;

/// The rules that the behaviour computes, in the order of their weights. The first
/// [`LOOKING`](super::sights::LOOKING) rules look through a sight of their name. The weights of the control vectors
/// that the chain lists come after these.
pub const RULES: [&str; 6] = ["cohesion", "separation", "alignment", "hunter", "walls", "roost"];

/// The weighted sum (Q20) of the vectors of the rules, by axis, for each cell of the current row.
pub struct RuleSums<'a, const AXES: usize> {
    sums: [&'a mut [i32]; AXES],
    /// x of the first cell.
    first: i32,
}

impl<'a, const AXES: usize> RuleSums<'a, AXES> {
    /// Sums for this number of cells from `first` on, in words of a scratch.
    pub fn new(words: &'a mut [i32], first: i32, cells: usize) -> Self {
        let mut rows = words.chunks_exact_mut(cells);
        Self { sums: from_fn(|_| rows.next().expect("the scratch has a row for each axis")), first }
    }

    /// The number of cells.
    #[inline(always)]
    pub fn cells(&self) -> usize {
        self.sums[0].len()
    }

    pub fn clear(&mut self) {
        self.sums.iter_mut().for_each(|sum| sum.fill(0));
    }

    /// Adds the vectors (Q10) of a rule for one chunk. `cell`: the index of the chunk's first cell among the cells of
    /// the sums. The components are at most 4 ([`crate::numbers::RULE_LIMIT`]), so they have 16 bits.
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

    /// Adds a rule that acts on few cells and is computed cell by cell. `rule` is a closure and no function, so that it
    /// is compiled for the instruction set of the lanes.
    #[inline(always)]
    fn add_each<L: Lanes>(
        &mut self,
        x: i32,
        weight: i32,
        context: &PassContext<'_>,
        [y, z]: Row,
        rule: impl Fn(Vector3) -> Vector3,
    ) {
        let mut vectors = [[0; MAX_LANES]; AXES];
        for i in 0..L::COUNT {
            // The last chunk may reach beyond the last cell. Its results there are never read.
            let last = context.layout.extents.width as i32 - 1;
            let v = rule([Ord::min(x + i as i32, last), y, z]);
            for axis in 0..AXES {
                vectors[axis][i] = v[axis];
            }
        }
        let mut v = splat([0; 3]);
        for axis in 0..AXES {
            v[axis] = L::load(&vectors[axis]);
        }
        self.add((x - self.first) as usize, weight, v);
    }

    /// The sums of the cells from x on.
    #[inline(always)]
    fn at<L: Lanes>(&self, x: i32) -> [L; AXES] {
        let mut v = splat([0; 3]);
        for axis in 0..AXES {
            v[axis] = L::load(&self.sums[axis][(x - self.first) as usize..]);
        }
        v
    }

    /// Adds the vectors of the hunters, of the walls and of the roost, and the vectors that the chain lists. Hunters
    /// and walls are computed only for chunks that may be near them.
    #[inline(always)]
    pub fn add_surroundings<L: Lanes>(&mut self, context: &PassContext<'_>, row: Row, chunks: &[i32]) {
        let weights = &context.parameters.weights;
        for &x in chunks {
            if weights[3] != 0 && is_hunted(context, [x, row[0], row[1]]) {
                self.add_each::<L>(x, weights[3], context, row, |cell| hunter_at(context, cell));
            }
            if weights[4] != 0 && is_near_wall(context, [x, row[0], row[1]]) {
                self.add_each::<L>(x, weights[4], context, row, |cell| walls_at(context, cell));
            }
            if weights[5] != 0 {
                self.add((x - self.first) as usize, weights[5], roost::<L, AXES>(context, x, row));
            }
        }
        for (rule, weight) in context.read[3..].iter().zip(&weights[RULES.len()..]) {
            for &x in chunks {
                self.add((x - self.first) as usize, *weight, rule.vectors::<L, AXES>(x, row));
            }
        }
    }

    /// Fills V' of chunks of a row from the sums. `lines`: as in [`PassContext::add_noise`]; `Some` only if the chunks
    /// cover all cells of the sums.
    #[inline(always)]
    pub fn steer<L: Lanes>(
        &self,
        context: &PassContext<'_>,
        row: Row,
        chunks: &[i32],
        out: &mut [i32],
        lines: Option<&mut LineDraws<'_>>,
    ) {
        let capacity = RowsAround::<AXES>::new(context.read[1], row);
        let has_noise = context.parameters.noise.is_any();
        if has_noise {
            for &x in chunks {
                let own = context.read[2].vectors::<L, AXES>(x, row);
                context.store_vector(out, x, control_of_steering(own, self.at(x), context.parameters));
            }
            if lines.is_some() {
                context.add_noise::<AXES>(row, self.first..self.first + self.cells() as i32, out, lines);
            } else {
                for &x in chunks {
                    context.add_noise::<AXES>(row, x..x + L::COUNT as i32, out, None);
                }
            }
        }
        for &x in chunks {
            let own = context.read[2].vectors::<L, AXES>(x, row);
            let wanted = if has_noise {
                context.stored_vector::<L, AXES>(out, x)
            } else {
                control_of_steering(own, self.at(x), context.parameters)
            };
            let mut v = bounce_at(context, wanted, &capacity, x, row);
            if context.parameters.rest != 0 {
                v = select(rests(context.read[0].lanes_of::<L>(x, row), context.parameters), own, v);
            }
            context.store_vector(out, x, v);
        }
    }
}
