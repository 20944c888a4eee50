//! Bands of the lattice, and the forms of kernels that fill them.

use super::context::{MAX_WRITES, PassContext, is_any_awake};
use crate::lanes::{DoubleLanes, Lanes};
use crate::state::fields::{Row, RowMark};
use crate::world::memory::AlignedWords;
use std::ops::Range;

/// Consecutive pieces of the lattice that one thread fills: rows of a flat world, slices of a deep one.
pub struct Band<'a, 'b> {
    /// Rows along y of a flat world, or slices along z of a deep one.
    pub pieces: Range<i32>,
    /// The words of these pieces in each field that the kernel writes, halos included.
    pub write: &'b mut [&'a mut [u32]],
    /// In a deep world, the marks of the pieces' rows in each field that the kernel writes.
    pub marks: &'b mut [&'a mut [RowMark]],
    /// The working memory of the thread.
    pub scratch: &'b mut Scratch,
}

/// A row of a band, with its place in the memory that a kernel writes.
#[derive(Clone, Copy)]
pub struct BandRow {
    /// The index of its piece in the band.
    pub piece: usize,
    /// Its index among the piece's rows in memory, halo rows included.
    pub place: usize,
    /// The row, as its place along y and z.
    pub row: Row,
}

impl BandRow {
    /// A row of a deep world. `piece`: the index of its slice in the band.
    #[inline(always)]
    pub fn of_slice(context: &PassContext<'_>, piece: usize, row: Row) -> Self {
        Self { piece, place: context.layout.halo_rows + row[0] as usize, row }
    }

    /// The range of the row, with its halo, among the band's words of one field that the kernel writes. `written`: the
    /// number of the field.
    #[inline(always)]
    pub fn words(&self, context: &PassContext<'_>, written: usize) -> Range<usize> {
        let row_words = context.row_words_written[written];
        let first = (self.piece * context.layout.rows_of_piece() + self.place) * row_words;
        first..first + row_words
    }

    /// The row with z counted from the first slice of the band.
    #[inline(always)]
    fn in_band(&self) -> Row {
        [self.row[0], self.piece as i32]
    }
}

impl Band<'_, '_> {
    /// The words of a row, with its halo, in one field that the kernel writes. `written`: the number of the field.
    #[inline(always)]
    pub fn row_mut(&mut self, context: &PassContext<'_>, written: usize, row: BandRow) -> &mut [u32] {
        &mut self.write[written][row.words(context, written)]
    }

    /// The words of a row, with its halo, in each field that the kernel writes.
    #[inline(always)]
    fn rows_mut(&mut self, context: &PassContext<'_>, row: BandRow) -> [&mut [i32]; MAX_WRITES] {
        let mut rows: [&mut [i32]; MAX_WRITES] = Default::default();
        for (index, (row_mut, words)) in rows.iter_mut().zip(self.write.iter_mut()).enumerate() {
            *row_mut = bytemuck::cast_slice_mut(&mut words[row.words(context, index)]);
        }
        rows
    }

    /// Copies a row of one field that the kernel reads into one field that the kernel writes. `read`, `written`: the
    /// numbers of the two fields. Copies nothing if the marks of the two rows say that both rows hold the same words.
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

    /// Marks a row of one field that the kernel writes as computed in this pass, and notes the awake cells of the row.
    /// `written`: the number of the field.
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
    /// Rows that the kernel stages.
    pub words: AlignedWords<i32>,
    /// Indices into `words`.
    pub places: Vec<usize>,
    /// For each piece, whether this pass has written a row of it, so that its halo has changed.
    pub is_changed: Vec<bool>,
    /// The quanta that this pass counts for [`BuiltInKernel::counts`](super::BuiltInKernel::counts).
    pub counted: [u64; 2],
}

/// A kernel on a band of rows. It is a trait and not a function pointer, so that the kernel is inlined into the
/// functions that are compiled for each instruction set.
pub trait BandKernel {
    /// Fills the band, with two registers side by side. A kernel that holds many values at once overrides this with
    /// single registers. With two, the values do not fit in the processor's registers, and compilation is slow.
    #[inline(always)]
    fn run<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        Self::band::<DoubleLanes<L>>(context, band);
    }

    /// Fills the rows of the pieces in each field that the kernel writes.
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>);
}

/// A kernel that fills each row by itself.
pub trait RowKernel {
    /// Whether the kernel leaves a row unchanged: the row of its first written field equals the row of its first read
    /// field. Such a row is copied.
    #[inline(always)]
    fn is_kept(_: &PassContext<'_>, _: Row) -> bool {
        false
    }

    /// Fills a row in each field that the kernel writes.
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]);
}

/// Runs a kernel of rows on every row of a band. In a deep world the kernel works with single registers.
pub struct Rows<K, const AXES: usize>(pub K);

impl<K: RowKernel, const AXES: usize> BandKernel for Rows<K, AXES> {
    #[inline(always)]
    fn run<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        if AXES == 2 { Self::band::<DoubleLanes<L>>(context, band) } else { Self::band::<L>(context, band) }
    }

    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        for (index, piece) in band.pieces.clone().enumerate() {
            for (place, row) in context.layout.lattice_rows(piece) {
                let own = BandRow { piece: index, place, row };
                if K::is_kept(context, row) {
                    band.keep_row::<L>(context, [0, 0], own);
                    continue;
                }
                K::row::<L>(context, row, &mut band.rows_mut(context, own)[..context.row_words_written.len()]);
                for written in 0..band.write.len() {
                    band.mark_row::<L>(context, written, own);
                }
            }
        }
    }
}

/// A kernel of the chains that have one pass for each rule. It fills a row in each field that it writes, cell by cell.
pub type ScalarKernel = fn(&PassContext<'_>, Row, &mut [&mut [i32]]);

/// Runs a scalar kernel on every row of a band.
pub fn fill_rows(kernel: ScalarKernel, context: &PassContext<'_>, band: &mut Band<'_, '_>) {
    for (index, piece) in band.pieces.clone().enumerate() {
        for (place, row) in context.layout.lattice_rows(piece) {
            let own = BandRow { piece: index, place, row };
            kernel(context, row, &mut band.rows_mut(context, own)[..context.row_words_written.len()]);
            for written in 0..band.write.len() {
                band.mark_row::<i32>(context, written, own);
            }
        }
    }
}
