//! The input and output of every kernel: the fields that it reads, the rows that it writes, and the parameters of the
//! step.

use super::capacity::UniformCapacities;
use super::sights::{PreparedSight, Sights};
use crate::cells::numbers::Parameters;
use crate::lanes::vector::{pack, unpack};
use crate::lanes::{DoubleLanes, InstructionSet, LaneWork, Lanes};
use crate::noise::lattice::{KnotDraws, LineDraws, RowNoise};
use crate::numbers::Vector3;
use crate::state::fields::{FieldView, Layout, Row};
use crate::world::Extents;
use std::ops::Range;

/// One layer eats another, cell by cell. In a cell the eater has D quanta, the prey has P, and there is room for R more
/// quanta of the eater. ⌊rate · min(D, P, R)⌋ quanta are eaten and born to the eater.
///
/// The rates of one eater add up to at most 1, and so do the rates of one prey. Therefore all eaters of one prey find
/// enough of it, in any order. No cell holds more than its capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meal {
    /// The density of the eater, by its place among the densities that the pass reads. 0 is the layer itself.
    pub eater: usize,
    /// The density of the prey, by its place among these densities.
    pub prey: usize,
    /// The part of min(D, P, R) that is eaten in a step (Q14).
    pub rate: u32,
}

/// The max number of fields that a kernel writes.
pub const MAX_WRITES: usize = 4;

/// Everything that a kernel may read when it fills rows.
#[derive(Debug, Clone, Copy)]
pub struct PassContext<'a> {
    /// The memory layout of every field.
    pub layout: Layout,
    /// The number of the pass since the engine was made, from 1.
    pub pass: u64,
    /// The instruction set of the processor.
    pub instruction_set: InstructionSet,
    /// The numbers of the step.
    pub parameters: &'a Parameters,
    /// The fields in the order of the kernel's signature, then the control vectors to be summed.
    pub read: &'a [FieldView<'a>],
    /// The number of words of a row in each field that is written.
    pub row_words_written: &'a [usize],
    /// The sights of the kernel's rules.
    pub sights: Sights<'a>,
    /// Tells where all cells around have one capacity, so that kernels need not read it.
    pub capacities: &'a UniformCapacities,
    /// The meals in which the layer of the pass eats or is eaten.
    pub meals: &'a [Meal],
}

impl PassContext<'_> {
    /// The sight of a rule that looks.
    ///
    /// # Panics
    /// If the kernel has no sight.
    #[inline(always)]
    pub fn sight(&self) -> &PreparedSight {
        self.sights[0].expect("a rule that looks has a sight")
    }

    /// Turns the control vectors of a range of cells by noise, in a row that is written. The last register may reach
    /// beyond the range. `lines`: the draws that rows of these columns share in a flat world, for kernels that go down
    /// a strip.
    #[inline(always)]
    pub fn add_noise<const AXES: usize>(
        &self,
        row: Row,
        cells: Range<i32>,
        words: &mut [i32],
        lines: Option<&mut LineDraws<'_>>,
    ) {
        self.instruction_set.run(RowTurn::<AXES> { context: self, row, cells, words, lines });
    }

    /// The first cell of each chunk of lanes in a row. The last chunk may reach beyond the last cell.
    #[inline(always)]
    pub fn chunks<L: Lanes>(&self) -> impl Iterator<Item = i32> + use<L> {
        (0..self.layout.extents.width as i32).step_by(L::COUNT)
    }

    /// The cells of a row.
    pub fn cells(&self, [y, z]: Row) -> impl Iterator<Item = Vector3> + use<> {
        (0..self.layout.extents.width as i32).map(move |x| [x, y, z])
    }

    /// The vector of a cell of a field that is read. In a flat world z is 0.
    pub fn vector(&self, field: FieldView<'_>, [x, y, z]: Vector3) -> Vector3 {
        if self.layout.extents.depth.is_some() {
            return field.vectors(x, [y, z]);
        }
        let [along_x, along_y] = field.vectors(x, [y, z]);
        [along_x, along_y, 0]
    }

    /// Stores the vector of a cell in a row that is written. In a flat world z is left out.
    pub fn put_vector(&self, row: &mut [i32], x: i32, v: Vector3) {
        match self.layout.extents.depth {
            Some(_) => self.store_vector(row, x, v),
            None => self.store_vector(row, x, [v[0], v[1]]),
        }
    }

    /// The words of a row that is written, from cell x on.
    #[inline(always)]
    pub fn at<'r>(&self, row: &'r mut [i32], x: i32) -> &'r mut [i32] {
        &mut row[self.layout.halo + x as usize..]
    }

    /// Stores the vectors of cells in a row that is written, from cell x on.
    #[inline(always)]
    pub fn store_vector<L: Lanes, const AXES: usize>(&self, row: &mut [i32], x: i32, v: [L; AXES]) {
        let first = self.layout.halo + x as usize;
        pack([v[0], v[1]]).store(&mut row[first..]);
        if AXES == 3 {
            let along_z: &mut [i16] = bytemuck::cast_slice_mut(&mut row[self.layout.stride..]);
            v[2].store_halves(&mut along_z[first..]);
        }
    }

    /// The vectors of cells that were stored in a row that is written, from cell x on.
    #[inline(always)]
    pub fn stored_vector<L: Lanes, const AXES: usize>(&self, row: &[i32], x: i32) -> [L; AXES] {
        let first = self.layout.halo + x as usize;
        let [along_x, along_y] = unpack(L::load(&row[first..]));
        let mut v = [along_x; AXES];
        v[1] = along_y;
        if AXES == 3 {
            let along_z: &[i16] = bytemuck::cast_slice(&row[self.layout.stride..]);
            v[2] = L::load_halves(&along_z[first..]);
        }
        v
    }

    /// The range of a row that holds its awake cells, which may have something to give. It comes from the marks of the
    /// density, the first field that is read. A row in the halo of a torus is the row at the opposite end. The range is
    /// empty beyond walls. It is the whole row in a flat world and in slices of other slabs, because nothing is known
    /// of their cells.
    #[inline(always)]
    pub fn awake_cells(&self, [y, z]: Row) -> Range<i32> {
        let Layout { extents: Extents { width, height, depth }, edges, .. } = self.layout;
        let Some(depth) = depth else { return 0..width as i32 };
        if !(0..depth as i32).contains(&z) && !self.layout.slab.is_whole() {
            return self.cells_of_others([y, z]);
        }
        let y = if (0..height as i32).contains(&y) { Some(y.into()) } else { edges.wrap(y.into(), height.into()) };
        let z = if (0..depth as i32).contains(&z) { Some(z.into()) } else { edges.wrap(z.into(), depth.into()) };
        let (Some(y), Some(z)): (Option<i64>, Option<i64>) = (y, z) else { return 0..0 };
        let [first, end] = self.read[0].mark(self.layout.row_number([y as i32, z as i32])).awake;
        first.into()..Ord::min(end.into(), width as i32)
    }

    /// All cells of a row of another slab; none beyond walls.
    #[cold]
    #[inline(never)]
    fn cells_of_others(&self, row: Row) -> Range<i32> {
        let Layout { slab, edges, .. } = self.layout;
        let [y, z] = self.layout.in_world(row);
        match slab.world.deep_index([0, y, z], edges) {
            Some(_) => 0..slab.world.width as i32,
            None => 0..0,
        }
    }

    /// Whether a row has awake cells ([`Self::awake_cells`]).
    #[inline(always)]
    pub fn is_row_awake(&self, row: Row) -> bool {
        !self.awake_cells(row).is_empty()
    }

    /// Whether any row of a slice is awake.
    #[inline(always)]
    pub fn is_slice_awake(&self, z: i32) -> bool {
        (0..self.layout.extents.height as i32).any(|y| self.is_row_awake([y, z]))
    }

    /// The range of a row outside of which no cell is steered: the awake cells, or the whole row if cells never rest.
    #[inline(always)]
    pub fn steered_cells(&self, row: Row) -> Range<i32> {
        if self.parameters.rest == 0 { 0..self.layout.extents.width as i32 } else { self.awake_cells(row) }
    }

    /// The least rectangle that holds the steered cells of these rows in all these slices; `None` if no cell is
    /// steered.
    #[inline(always)]
    pub fn steered_part(&self, slices: Range<i32>, rows: Range<i32>) -> Option<SlicePart> {
        self.part_of::<true>(slices, rows)
    }

    /// The least rectangle that holds the awake cells of all these slices; `None` if no cell is awake.
    #[inline(always)]
    pub fn awake_part(&self, slices: Range<i32>) -> Option<SlicePart> {
        self.part_of::<false>(slices, 0..self.layout.extents.height as i32)
    }

    #[inline(always)]
    fn part_of<const IS_STEERED: bool>(&self, slices: Range<i32>, among: Range<i32>) -> Option<SlicePart> {
        let (width, height) = (self.layout.extents.width as i32, self.layout.extents.height as i32);
        let mut part = SlicePart { rows: height..0, cells: width..0 };
        for z in slices {
            for y in among.clone() {
                let SlicePart { rows, cells } = &mut part;
                let own = if IS_STEERED { self.steered_cells([y, z]) } else { self.awake_cells([y, z]) };
                if !own.is_empty() {
                    *rows = Ord::min(rows.start, y)..Ord::max(rows.end, y + 1);
                    *cells = Ord::min(cells.start, own.start)..Ord::max(cells.end, own.end);
                }
            }
        }
        Some(part).filter(|part| !part.rows.is_empty())
    }

    /// Copies all cells of a row from a field that is read into the words of that row in a field that is written.
    #[inline(always)]
    pub fn copy_row(&self, from: FieldView<'_>, row: Row, to: &mut [u32]) {
        let (halo, width) = (self.layout.halo, self.layout.extents.width as usize);
        let (cells, along_z) = self.layout.split_row(to);
        cells[halo..][..width].copy_from_slice(from.span_of(0, row, width));
        if !along_z.is_empty() {
            along_z[halo..][..width].copy_from_slice(from.along_z(0, row, width));
        }
    }
}

/// Turns cells of a row by noise ([`PassContext::add_noise`]). It is compiled once for all kernels that steer.
struct RowTurn<'a, 'c, 'l, const AXES: usize> {
    context: &'a PassContext<'c>,
    row: Row,
    cells: Range<i32>,
    words: &'a mut [i32],
    lines: Option<&'a mut LineDraws<'l>>,
}

impl<const AXES: usize> LaneWork for RowTurn<'_, '_, '_, AXES> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { context, row, cells, words, lines } = self;
        let Parameters { noise, seed, .. } = context.parameters;
        let Layout { slab, edges, .. } = context.layout;
        let noise = RowNoise::new(noise, *seed, slab.world, edges, context.layout.in_world(row));
        if let Some(lines) = lines.filter(|_| noise.has_lines::<L>()) {
            noise.draw_lines::<L>(cells.start, lines);
            for x in cells.clone().step_by(L::COUNT) {
                let v = context.stored_vector::<L, AXES>(words, x);
                let column = (x - cells.start) as usize;
                context.store_vector(words, x, noise.turn_between_lines::<L, AXES>(column, v, lines));
            }
        } else if context.parameters.noise.is_interpolated() {
            let mut knots = KnotDraws::none();
            for x in cells.step_by(L::COUNT) {
                let v = context.stored_vector::<L, AXES>(words, x);
                context.store_vector(words, x, noise.turn::<L, AXES>(x, v, &mut knots));
            }
        } else if cells.len() > L::COUNT {
            turn_apart::<DoubleLanes<L>, AXES>(context, &noise, cells, words);
        } else {
            turn_apart::<L, AXES>(context, &noise, cells, words);
        }
    }
}

/// Turns the control vectors of cells by noise. Each cell draws its own random numbers in every step.
#[inline(always)]
fn turn_apart<L: Lanes, const AXES: usize>(
    context: &PassContext<'_>,
    noise: &RowNoise<'_>,
    cells: Range<i32>,
    words: &mut [i32],
) {
    for x in cells.step_by(L::COUNT) {
        let v = context.stored_vector::<L, AXES>(words, x);
        context.store_vector(words, x, noise.turn_apart::<L, AXES>(x, v));
    }
}

/// A rectangle of rows and their cells, for several slices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SlicePart {
    /// The range along y.
    pub rows: Range<i32>,
    /// The range along x.
    pub cells: Range<i32>,
}

impl SlicePart {
    /// The part that lies within these rows.
    pub fn within(&self, rows: &Range<i32>) -> Self {
        let rows = Ord::max(self.rows.start, rows.start)..Ord::min(self.rows.end, rows.end);
        Self { rows, cells: self.cells.clone() }
    }
}

/// Cuts rows into strips. A kernel of a deep world works through all slices of a band strip by strip. The words that it
/// keeps of a strip then stay in the cache.
///
/// `words`: the words that are kept of each row.
pub fn strips(rows: Range<i32>, words: usize) -> impl Iterator<Item = Range<i32>> {
    let most = Ord::max(WORDS_OF_STRIP / Ord::max(words, 1), MIN_ROWS);
    let strips = Ord::max(rows.len().div_ceil(most), 1);
    let each = Ord::max(rows.len().div_ceil(strips), 1);
    rows.clone().step_by(each).map(move |first| first..Ord::min(first + each as i32, rows.end))
}

/// Words kept of a strip: 1 MiB, which fits in the level-2 cache of most processors. Tests cut small worlds into strips
/// too.
const WORDS_OF_STRIP: usize = if cfg!(test) { 1 << 10 } else { 1 << 18 };
/// The min rows of a strip. The rows on either side of each strip are computed twice.
const MIN_ROWS: usize = if cfg!(test) { 3 } else { 16 };

/// The mask of the cells that rest. A resting cell holds fewer quanta than `rest`, gives nothing and keeps its control
/// vector.
#[inline(always)]
pub fn rests<L: Lanes>(density: L, parameters: &Parameters) -> L {
    if parameters.rest == 0 {
        return L::splat(0);
    }
    // A resting density is below 2^31, so the numbers may be compared as unsigned.
    density.min_unsigned(L::splat((parameters.rest - 1) as i32)).equals(density)
}

/// Whether any of the cells is awake: it holds something and does not rest.
#[inline(always)]
pub fn is_any_awake<L: Lanes>(density: L, parameters: &Parameters) -> bool {
    let least = L::splat(parameters.rest.max(1) as i32);
    density.max_unsigned(least).equals(density).any()
}

/// Perceived density p = min(D >> shift, p_max).
#[inline(always)]
pub fn perceive<L: Lanes>(density: L, parameters: &Parameters) -> L {
    let (shift, most) = (L::splat(parameters.shift as i32), L::splat(parameters.most_perceived as i32));
    density.shift_right_unsigned_by(shift).min_unsigned(most)
}
