//! Noise on a lattice. `shaders/shared/cell_noise.wgsl` computes the same bits.
//!
//! The random numbers of a cell depend on its place. If noise is correlated over a length, only knots have draws. Knots
//! are places on a coarser grid. Between knots, numbers are interpolated along each axis with the formula for times
//! between two draws (see [`super::draw`]).

use super::draw::{ANGLE, DrawKeys, Draws, VECTOR, in_time, mix, once, weights};
use super::numbers::NoiseNumbers;
use super::turn::with_noise;
use crate::lanes::Lanes;
use crate::lanes::vector::{clamp_components, zero};
use crate::numbers::ONE;
use crate::world::{Edges, Extents};

/// The noise of a row of cells along x, in one step.
#[derive(Debug, Clone, Copy)]
pub struct RowNoise<'a> {
    noise: &'a NoiseNumbers,
    width: i32,
    edges: Edges,
    /// The number of knots around a cell: 4 in a flat world, 8 in a deep world.
    knots: usize,
    /// The shared hashes of the rows of knots beside this row of cells: two along y for each of two along z. If each
    /// cell has a draw, all four are of the cell's row.
    lines: [DrawKeys; 4],
    /// The number along y of the first row of knots beside this row of cells.
    first_line: i32,
    /// The interpolation weights (Q14) of the two knots along y, and of the two knots along z.
    weights: [[i32; 2]; 2],
}

/// The draws of consecutive knots along x, a knot in each lane, for each row of knots beside a row of cells.
///
/// Neighbouring cells lie between the same knots. So a knot is drawn once for all cells of a row.
#[derive(Debug, Clone, Copy)]
pub struct KnotDraws<L, const AXES: usize> {
    /// The number along x of the knot in the first lane; `None`: no knot is drawn yet.
    first: Option<i32>,
    angles: [[L; AXES]; 4],
    vectors: [[L; AXES]; 4],
}

impl<L: Lanes, const AXES: usize> KnotDraws<L, AXES> {
    /// No knot is drawn yet.
    #[inline(always)]
    pub fn none() -> Self {
        Self { first: None, angles: [zero(); 4], vectors: [zero(); 4] }
    }

    /// Draws knots from number `first` on, unless all knots from `first` to `last` are already drawn.
    #[inline(always)]
    fn draw(&mut self, row: &RowNoise<'_>, first: i32, last: i32) {
        if self.first.is_some_and(|drawn| drawn <= first && last - drawn < L::COUNT as i32) {
            return;
        }
        self.first = Some(first);
        let knots = L::iota().add(L::splat(first));
        let count = L::splat(row.noise.knots[0]);
        // On a torus, the knot after the last one is the first one.
        let is_round =
            if row.edges == Edges::Torus { L::splat(-1).subtract(knots.less_than(count)) } else { L::splat(0) };
        let knots = knots.subtract(count.and(is_round));
        for line in 0..row.knots / 2 {
            if row.noise.angle != 0 {
                self.angles[line] = in_time::<L, AXES, ANGLE>(row.noise, &row.lines[line], knots);
            }
            if row.noise.vector != 0 {
                self.vectors[line] = in_time::<L, AXES, VECTOR>(row.noise, &row.lines[line], knots);
            }
        }
    }
}

/// The draws of all columns on two lines of knots, for rows of a flat world. The lines lie before and after a row of
/// cells. All rows between the two lines use the same draws.
pub struct LineDraws<'a> {
    /// The number along y of the first line; `None`: nothing is drawn yet.
    first: Option<i32>,
    columns: usize,
    /// The random numbers of the first line, then of the second. Each line has three lists with an entry for each
    /// column: the part of the max angle, and the vector along x and along y.
    words: &'a mut [i32],
}

impl<'a> LineDraws<'a> {
    /// The number of words of memory that a world with this number of columns needs.
    pub const fn words(columns: usize) -> usize {
        6 * columns
    }

    /// No column is drawn yet. `words`: memory of the length [`Self::words()`].
    pub fn none(words: &'a mut [i32], columns: usize) -> Self {
        Self { first: None, columns, words }
    }

    /// The random numbers of a line from `column` on. `line`: 0 or 1. `component`: 0 for the angle, 1 and 2 for the
    /// vector.
    #[inline(always)]
    fn at(&mut self, line: usize, component: usize, column: usize) -> &mut [i32] {
        &mut self.words[(3 * line + component) * self.columns + column..]
    }
}

/// The indices, along an axis, of the knots before and after each place, and their interpolation weights (Q14).
#[inline(always)]
fn knots_around<V: Lanes>(noise: &NoiseNumbers, axis: usize, extent: i32, edges: Edges, places: V) -> ([V; 2], [V; 2]) {
    let splat = V::splat;
    let knots = splat(noise.knots[axis]);
    let way = places.multiply(knots);
    // ⌊way / extent⌋ is the integer nearest to (way - ⌊(extent - 1) / 2⌋) / extent, or one less than this integer.
    let near = way.subtract(splat((extent - 1) / 2)).quotient(splat(extent).divisor());
    let is_beyond = way.less_than(near.multiply(splat(extent)));
    let first = is_beyond.select(near.subtract(splat(1)), near);
    let rest = way.subtract(first.multiply(splat(extent)));
    let next = first.add(splat(1));
    let is_round = if edges == Edges::Torus { next.equals(knots) } else { splat(0) };
    let angle = rest.multiply(splat(noise.slopes[axis])).shift_right_unsigned::<14>();
    ([first, is_round.select(splat(0), next)], weights(angle))
}

/// The random numbers of cells, interpolated along x from knots of one row. `drawn`: a knot in each lane. `before`: for
/// each cell, the lane of the knot before it. `by_x`: the weights (Q14) of the knots before and after.
#[inline(always)]
fn on_line<L: Lanes, const AXES: usize>(drawn: &[L; AXES], before: L, by_x: [L; 2]) -> [L; AXES] {
    let after = before.add(L::splat(1));
    let (mut first, mut second) = (zero(), zero());
    for axis in 0..AXES {
        first[axis] = drawn[axis].permute(before);
        second[axis] = drawn[axis].permute(after);
    }
    mix(first, second, by_x)
}

impl<'a> RowNoise<'a> {
    /// The noise of the row at [y, z] of a lattice.
    #[inline(always)]
    pub fn new(noise: &'a NoiseNumbers, seed: u32, extents: Extents, edges: Edges, [y, z]: [i32; 2]) -> Self {
        let keys = DrawKeys::new(noise, seed);
        let [width, height, depth] = extents.along_axes().map(|extent| extent as i32);
        // A place along an axis of a deep world, or the number of a knot, has at most 15 bits. In a flat world z is 0.
        let row = |y: i32, z: i32| keys.of_row(((z as u32) << 15) ^ y as u32);
        let knots = 1 << extents.axes();
        if noise.length == 1 {
            return Self { noise, width, edges, knots, lines: [row(y, z); 4], first_line: y, weights: [[ONE, 0]; 2] };
        }
        let (along_y, by_y) = knots_around(noise, 1, height, edges, y);
        let (along_z, by_z) =
            if extents.axes() == 3 { knots_around(noise, 2, depth, edges, z) } else { ([0; 2], [ONE, 0]) };
        let lines = [0, 1, 2, 3].map(|line| row(along_y[line & 1], along_z[line >> 1]));
        Self { noise, width, edges, knots, lines, first_line: along_y[0], weights: [by_y, by_z] }
    }

    /// The random numbers of consecutive cells along x. `x`: the place of the first cell.
    #[inline(always)]
    pub fn draws<L: Lanes, const AXES: usize>(&self, x: i32) -> Draws<L, AXES> {
        let mut draws = Draws::none();
        if self.noise.angle != 0 {
            draws.angle = self.numbers::<L, AXES, ANGLE>(x);
        }
        if self.noise.vector != 0 {
            draws.vector = self.numbers::<L, AXES, VECTOR>(x);
        }
        draws.finished(self.noise)
    }

    #[inline(always)]
    fn numbers<L: Lanes, const AXES: usize, const KIND: u32>(&self, x: i32) -> [L; AXES] {
        let places = L::iota().add(L::splat(x));
        if self.noise.length == 1 {
            return in_time::<L, AXES, KIND>(self.noise, &self.lines[0], places);
        }
        let (knots, by_x) = knots_around(self.noise, 0, self.width, self.edges, places);
        let mut drawn = [zero(); 8];
        // The number of knots is not a constant for the compiler. So the compiler does not copy the code of a draw for
        // each knot.
        for index in 0..self.knots {
            drawn[index] = in_time::<L, AXES, KIND>(self.noise, &self.lines[index / 2], knots[index & 1]);
        }
        let [by_y, by_z] = self.weights_in_lanes();
        let below = mix(mix(drawn[0], drawn[1], by_x), mix(drawn[2], drawn[3], by_x), by_y);
        if AXES == 2 {
            return below;
        }
        mix(below, mix(mix(drawn[4], drawn[5], by_x), mix(drawn[6], drawn[7], by_x), by_y), by_z)
    }

    /// The weights (Q14) along y and along z in every lane. It uses no closure, because a closure would not be compiled
    /// for the instruction set of the lanes.
    #[inline(always)]
    fn weights_in_lanes<L: Lanes>(&self) -> [[L; 2]; 2] {
        let [by_y, by_z] = self.weights;
        [[L::splat(by_y[0]), L::splat(by_y[1])], [L::splat(by_z[0]), L::splat(by_z[1])]]
    }

    /// The result of [`Self::draws`], computed with knots that are already drawn for this row.
    #[inline(always)]
    pub fn draws_between<L: Lanes, const AXES: usize>(&self, x: i32, knots: &mut KnotDraws<L, AXES>) -> Draws<L, AXES> {
        if !self.has_lines::<L>() {
            return self.draws(x);
        }
        let (before, by_x) = self.draw_knots(x, knots);
        let mut draws = Draws::none();
        if self.noise.angle != 0 {
            draws.angle = self.between(&knots.angles, before, by_x);
        }
        if self.noise.vector != 0 {
            draws.vector = self.between(&knots.vectors, before, by_x);
        }
        draws.finished(self.noise)
    }

    /// Whether one register has a lane for each knot that the cells of its lanes need. Four lanes are enough if knots
    /// are at least 1.5 cells apart, or if there is only one knot. This holds unless every cell draws.
    #[inline(always)]
    pub fn has_lines<L: Lanes>(&self) -> bool {
        self.noise.length > 1 && L::COUNT >= 4
    }

    /// Draws the knots around the cells from x on. Returns, for each cell, the lane of the knot before it, and the
    /// weights (Q14) of the knots before and after.
    #[inline(always)]
    fn draw_knots<L: Lanes, const AXES: usize>(&self, x: i32, knots: &mut KnotDraws<L, AXES>) -> (L, [L; 2]) {
        let last = Ord::min(x + L::COUNT as i32, self.width) - 1;
        let first = knots_around(self.noise, 0, self.width, self.edges, x).0[0];
        let last = knots_around(self.noise, 0, self.width, self.edges, last).0[0];
        knots.draw(self, first, last + 1);
        let places = L::iota().add(L::splat(x));
        let ([before, _], by_x) = knots_around(self.noise, 0, self.width, self.edges, places);
        (before.subtract(L::splat(knots.first.unwrap_or(0))), by_x)
    }

    /// The random numbers of cells, interpolated from knots. `drawn`: the knots of each row, a knot in each lane.
    /// `before`: for each cell, the lane of the knot before it. `by_x`: the weights (Q14) of both knots.
    #[inline(always)]
    fn between<L: Lanes, const AXES: usize>(&self, drawn: &[[L; AXES]; 4], before: L, by_x: [L; 2]) -> [L; AXES] {
        let [by_y, by_z] = self.weights_in_lanes();
        let mut lines = [zero(); 4];
        for line in 0..1 << (AXES - 1) {
            lines[line] = on_line(&drawn[line], before, by_x);
        }
        let below = mix(lines[0], lines[1], by_y);
        if AXES == 2 { below } else { mix(below, mix(lines[2], lines[3], by_y), by_z) }
    }

    /// Draws all columns from x on, on both lines of knots beside this row. If the row before had the same lines,
    /// nothing is drawn.
    #[inline(always)]
    pub fn draw_lines<L: Lanes>(&self, x: i32, lines: &mut LineDraws<'_>) {
        if lines.first.replace(self.first_line) == Some(self.first_line) {
            return;
        }
        let mut knots = KnotDraws::<L, 2>::none();
        for column in (0..lines.columns).step_by(L::COUNT) {
            let (before, by_x) = self.draw_knots(x + column as i32, &mut knots);
            for line in 0..2 {
                if self.noise.angle != 0 {
                    on_line(&knots.angles[line], before, by_x)[0].store(lines.at(line, 0, column));
                }
                if self.noise.vector != 0 {
                    let vector = on_line(&knots.vectors[line], before, by_x);
                    vector[0].store(lines.at(line, 1, column));
                    vector[1].store(lines.at(line, 2, column));
                }
            }
        }
    }

    /// The random numbers of consecutive cells, interpolated along y between both lines. `column`: the first cell.
    #[inline(always)]
    fn between_lines<L: Lanes, const AXES: usize>(&self, column: usize, lines: &mut LineDraws<'_>) -> Draws<L, AXES> {
        let [by_y, _] = self.weights_in_lanes();
        let mut draws = Draws::none();
        if self.noise.angle != 0 {
            let [first, second] = [L::load(lines.at(0, 0, column)), L::load(lines.at(1, 0, column))];
            draws.angle[0] = mix([first], [second], by_y)[0];
        }
        if self.noise.vector != 0 {
            for axis in 0..2 {
                let first = L::load(lines.at(0, 1 + axis, column));
                let second = L::load(lines.at(1, 1 + axis, column));
                draws.vector[axis] = mix([first], [second], by_y)[0];
            }
        }
        draws.finished(self.noise)
    }

    /// Turns the control vectors (Q14) of consecutive cells by noise. `x`: the place of the first cell. Each component
    /// stays within ±1.
    #[inline(always)]
    pub fn turn<L: Lanes, const AXES: usize>(&self, x: i32, v: [L; AXES], knots: &mut KnotDraws<L, AXES>) -> [L; AXES] {
        clamp_components(with_noise(v, self.noise, &self.draws_between(x, knots)), ONE)
    }

    /// The result of [`Self::turn`] in a flat world, from lines whose knots are already drawn. `column`: the place of
    /// the first cell along x.
    #[inline(always)]
    pub fn turn_between_lines<L: Lanes, const AXES: usize>(
        &self,
        column: usize,
        v: [L; AXES],
        lines: &mut LineDraws<'_>,
    ) -> [L; AXES] {
        clamp_components(with_noise(v, self.noise, &self.between_lines(column, lines)), ONE)
    }

    /// The result of [`Self::turn`] for noise with a draw for each cell in each step, which needs no interpolation.
    #[inline(always)]
    pub fn turn_apart<L: Lanes, const AXES: usize>(&self, x: i32, v: [L; AXES]) -> [L; AXES] {
        let places = L::iota().add(L::splat(x));
        let mut draws = Draws::none();
        if self.noise.angle != 0 {
            draws.angle = once::<L, AXES, ANGLE>(&self.lines[0], places);
        }
        if self.noise.vector != 0 {
            draws.vector = once::<L, AXES, VECTOR>(&self.lines[0], places);
        }
        clamp_components(with_noise(v, self.noise, &draws), ONE)
    }
}
