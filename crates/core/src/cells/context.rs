//! What every kernel is given: the fields that it reads, the rows that it writes, and the parameters of the step.

use super::capacity::UniformCapacities;
use super::sights::{PreparedSight, Sights};
use crate::cells::numbers::Parameters;
use crate::lanes::vector::{pack, unpack};
use crate::lanes::{DoubleLanes, InstructionSet, LaneWork, Lanes};
use crate::noise::lattice::{KnotDraws, LineDraws, RowNoise};
use crate::state::fields::{FieldView, Layout, Row, RowMark};
use crate::world::Extents;
use crate::world::memory::AlignedWords;
use std::ops::Range;

/// How one layer eats another in every cell. The eater has D quanta, the prey has P, and the eater's cell holds R more. ⌊rate · min(D, P,
/// R)⌋ quanta are eaten and born to the eater.
///
/// All rates with one eater add up to at most 1, and so do all rates with one prey. So several layers that eat one layer never find too
/// little of it, in any order. No cell holds more than its capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meal {
    /// The density of the layer that eats, by its place among the densities that the pass reads; 0 is the layer itself.
    pub eater: usize,
    /// The density of the layer that is eaten, by its place in the same way.
    pub prey: usize,
    /// The part of the least amount that is eaten in a step (Q14).
    pub rate: u32,
}

/// The most fields that a kernel writes.
pub const MAX_WRITES: usize = 4;

/// Everything that a kernel may read while it fills rows.
#[derive(Debug, Clone, Copy)]
pub struct PassContext<'a> {
    /// The memory layout of every field.
    pub layout: Layout,
    /// The number of the pass, from 1.
    pub pass: u64,
    /// The instruction set of the processor.
    pub instruction_set: InstructionSet,
    /// The numbers of the step.
    pub parameters: &'a Parameters,
    /// In the order of the kernel's signature, then the control vectors to be summed.
    pub read: &'a [FieldView<'a>],
    /// The words of a row in each field that is written.
    pub row_words_written: &'a [usize],
    /// The sights that the kernel looks through, in its order.
    pub sights: Sights<'a>,
    /// Where all cells around have one capacity.
    pub capacities: &'a UniformCapacities,
    /// The meals in which the layer of the pass eats or is eaten.
    pub meals: &'a [Meal],
}

impl PassContext<'_> {
    /// The sight of a kernel that has one.
    #[inline(always)]
    pub fn sight(&self) -> &PreparedSight {
        self.sights[0].expect("a rule that looks has a sight")
    }

    /// Turns the control vectors of a range of cells by noise, in the words of a row that is written. The last register may reach beyond the
    /// range. `lines`: the numbers that rows of these columns share in a flat world, for kernels that go down a strip.
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

    /// A row that is written, from cell x on.
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

    /// The range of cells of a row outside of which no cell has anything to give, from the density, the first field that is read. A row
    /// in the halo is the row at the opposite end of a torus. Beyond walls the range is empty. It is the whole row in a flat world and in
    /// slices of other slabs, because nothing is known of them.
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

    /// The cells of a row of another slab, of which any may have something to give; none beyond walls.
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

    /// Whether a cell of a row may have something to give ([`Self::awake_cells`]).
    #[inline(always)]
    pub fn is_row_awake(&self, row: Row) -> bool {
        !self.awake_cells(row).is_empty()
    }

    /// Whether a row of a slice is awake ([`Self::is_row_awake`]).
    #[inline(always)]
    pub fn is_slice_awake(&self, z: i32) -> bool {
        (0..self.layout.extents.height as i32).any(|y| self.is_row_awake([y, z]))
    }

    /// The range of cells of a row outside of which no cell is steered. It is the range of awake cells, or the whole row if no cell
    /// rests.
    #[inline(always)]
    pub fn steered_cells(&self, row: Row) -> Range<i32> {
        if self.parameters.rest == 0 { 0..self.layout.extents.width as i32 } else { self.awake_cells(row) }
    }

    /// The part of some slices that holds the steered cells of some rows of each slice; `None`: there are none.
    #[inline(always)]
    pub fn steered_part(&self, slices: Range<i32>, rows: Range<i32>) -> Option<SlicePart> {
        self.part_of::<true>(slices, rows)
    }

    /// The part of some slices that holds the awake cells of all of them; `None`: there are none.
    #[inline(always)]
    pub fn awake_part(&self, slices: Range<i32>) -> Option<SlicePart> {
        self.part_of::<false>(slices, 0..self.layout.extents.height as i32)
    }

    /// The part of some slices that holds the steered or the awake cells of some rows of each slice; `None`: there are none.
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

    /// The words of a row of a band, with its halo, in the field that is written with this number.
    #[inline(always)]
    pub fn words_of_row(&self, written: usize, row: BandRow) -> Range<usize> {
        let row_words = self.row_words_written[written];
        let first = (row.piece * self.layout.rows_of_piece() + row.place) * row_words;
        first..first + row_words
    }

    /// Copies all cells of a row from a field that is read into that row of a field that is written.
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

/// The noise of cells of a row ([`PassContext::add_noise`]): a function of its own, which is compiled once for all kernels that steer.
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

/// The noise of cells that draw each by itself, in every step.
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

/// A rectangle that is the same in several slices: its rows and their cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SlicePart {
    /// Places along y.
    pub rows: Range<i32>,
    /// Places along x.
    pub cells: Range<i32>,
}

impl SlicePart {
    /// The part that lies in some rows.
    pub fn within(&self, rows: &Range<i32>) -> Self {
        let rows = Ord::max(self.rows.start, rows.start)..Ord::min(self.rows.end, rows.end);
        Self { rows, cells: self.cells.clone() }
    }
}

/// The strips of rows that a kernel of a deep world works through one after the other, through all slices of a band each. What it keeps of a
/// strip stays in the cache.
///
/// `rows`: all rows. `words`: how many words are kept of each row.
pub fn strips(rows: Range<i32>, words: usize) -> impl Iterator<Item = Range<i32>> {
    let most = Ord::max(WORDS_OF_STRIP / Ord::max(words, 1), MIN_ROWS);
    let strips = Ord::max(rows.len().div_ceil(most), 1);
    let each = Ord::max(rows.len().div_ceil(strips), 1);
    rows.clone().step_by(each).map(move |first| first..Ord::min(first + each as i32, rows.end))
}

/// The words that a kernel keeps of a strip: a MiB, which the second cache of most processors holds. Tests cut small worlds into strips too.
const WORDS_OF_STRIP: usize = if cfg!(test) { 1 << 10 } else { 1 << 18 };
/// The fewest rows of a strip. The rows on either side of each strip are worked out twice.
const MIN_ROWS: usize = if cfg!(test) { 3 } else { 16 };

/// Consecutive pieces of the lattice that one thread fills: rows of a flat world, slices of a deep one.
pub struct Band<'a, 'b> {
    /// Rows along y of a flat world, or slices along z of a deep one.
    pub pieces: Range<i32>,
    /// These pieces of each field written, halos included.
    pub write: &'b mut [&'a mut [u32]],
    /// The marks of their rows in a deep world.
    pub marks: &'b mut [&'a mut [RowMark]],
    /// The working memory of the thread.
    pub scratch: &'b mut Scratch,
}

/// A row of a band that is written.
#[derive(Clone, Copy)]
pub struct BandRow {
    /// The number of its piece in the band.
    pub piece: usize,
    /// Its place among the piece's rows in memory.
    pub place: usize,
    /// The row, as its place along y and z.
    pub row: Row,
}

impl BandRow {
    /// A row of a deep world, whose slice has this number in the band.
    #[inline(always)]
    pub fn of_slice(context: &PassContext<'_>, piece: usize, row: Row) -> Self {
        Self { piece, place: context.layout.halo_rows + row[0] as usize, row }
    }

    /// The row in a lattice that begins with the band.
    #[inline(always)]
    fn in_band(&self) -> Row {
        [self.row[0], self.piece as i32]
    }
}

impl Band<'_, '_> {
    /// The words of a row of a field written, with its halo.
    #[inline(always)]
    pub fn row_mut(&mut self, context: &PassContext<'_>, written: usize, row: BandRow) -> &mut [u32] {
        &mut self.write[written][context.words_of_row(written, row)]
    }

    /// Copies a row of the field with the number `read` into the field with the number `written`, unless both are known to hold the same
    /// words.
    #[inline(always)]
    pub fn keep_row<L: Lanes>(&mut self, context: &PassContext<'_>, [read, written]: [usize; 2], row: BandRow) {
        let known = context.read[read].mark(context.layout.row_number(row.row));
        if known.pass == 0 {
            context.copy_row(context.read[read], row.row, self.row_mut(context, written, row));
            self.mark_row::<L>(context, written, row);
            return;
        }
        let mark = &mut self.marks[written][context.layout.row_number(row.in_band())];
        if std::mem::replace(mark, known).pass != known.pass {
            context.copy_row(context.read[read], row.row, self.row_mut(context, written, row));
            self.scratch.is_changed[row.piece] = true;
        }
    }

    /// Notes that a row of a field was worked out.
    #[inline(always)]
    pub fn mark_row<L: Lanes>(&mut self, context: &PassContext<'_>, written: usize, row: BandRow) {
        self.scratch.is_changed[row.piece] = true;
        let number = context.layout.row_number(row.in_band());
        if number >= self.marks[written].len() {
            return;
        }
        let mut awake = RowMark::ALL;
        if context.row_words_written[written] == context.layout.stride {
            let cells: &[i32] = bytemuck::cast_slice(&self.row_mut(context, written, row)[context.layout.halo..]);
            awake = [0; 2];
            for x in context.chunks::<L>() {
                if is_any_awake(L::load(&cells[x as usize..]), context.parameters) {
                    awake = [if awake[1] == 0 { x as u16 } else { awake[0] }, x as u16 + L::COUNT as u16];
                }
            }
        }
        self.marks[written][number] = RowMark { pass: context.pass, awake };
    }
}

/// The working memory of a band.
pub struct Scratch {
    /// For rows that the kernel stages.
    pub words: AlignedWords<i32>,
    /// For indices into them.
    pub places: Vec<usize>,
    /// A flag for each piece: whether the present pass has written a row of it, so that its halo has changed.
    pub is_changed: Vec<bool>,
    /// The quanta that the present pass counts for [`BuiltInKernel::counts`](super::BuiltInKernel::counts).
    pub counted: [u64; 2],
}

/// A kernel on a band of rows. A trait rather than a function pointer, so that it is inlined into the functions that are
/// compiled for an instruction set.
pub trait BandKernel {
    /// Fills the rows of the pieces of each field written, two registers side by side. A kernel that holds many values at once takes single
    /// registers instead: two would not stay in the processor, and are slow to compile.
    #[inline(always)]
    fn run<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        Self::band::<DoubleLanes<L>>(context, band);
    }

    /// Fills the rows of the pieces of each field written.
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>);
}

/// A kernel that fills each row by itself.
pub trait RowKernel {
    /// Whether the row of the first field written equals the row of the first field read.
    #[inline(always)]
    fn is_kept(_: &PassContext<'_>, _: Row) -> bool {
        false
    }

    /// Fills a row of each field written.
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]);
}

/// A kernel of rows on every row of a band.
pub struct Rows<K>(pub K);

/// The same for deep worlds, in single registers.
pub struct DeepRows<K>(pub K);

impl<K: RowKernel> BandKernel for DeepRows<K> {
    #[inline(always)]
    fn run<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        Self::band::<L>(context, band);
    }

    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        Rows::<K>::band::<L>(context, band);
    }
}

impl<K: RowKernel> BandKernel for Rows<K> {
    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        for (index, piece) in band.pieces.clone().enumerate() {
            for (place, row) in context.layout.lattice_rows(piece) {
                let own = BandRow { piece: index, place, row };
                if K::is_kept(context, row) {
                    band.keep_row::<L>(context, [0, 0], own);
                    continue;
                }
                let mut unused: [&mut [i32]; MAX_WRITES] = Default::default();
                let written = &mut unused[..band.write.len()];
                for (index, (slot, words)) in written.iter_mut().zip(band.write.iter_mut()).enumerate() {
                    *slot = bytemuck::cast_slice_mut(&mut words[context.words_of_row(index, own)]);
                }
                K::row::<L>(context, row, written);
                for written in 0..band.write.len() {
                    band.mark_row::<L>(context, written, own);
                }
            }
        }
    }
}

/// Where a cell rests: it holds fewer quanta than `rest`, gives nothing and keeps its control vector.
#[inline(always)]
pub fn rests<L: Lanes>(density: L, parameters: &Parameters) -> L {
    if parameters.rest == 0 {
        return L::splat(0);
    }
    // A resting density is below 2^31, so the comparison may be of unsigned numbers.
    density.min_unsigned(L::splat((parameters.rest - 1) as i32)).equals(density)
}

/// Whether any of the cells may give anything: it holds something and does not rest.
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
