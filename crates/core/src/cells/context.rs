//! What every kernel is given: the fields that it reads, the rows that it writes, and the parameters of the step.

use super::parameters::Parameters;
use super::sights::{PreparedSight, Sights};
use crate::fields::{FieldView, Layout, Row};
use crate::lanes::{Lanes, Unrolled};
use crate::vector::pack;
use std::ops::Range;

/// The most fields that a kernel writes.
pub const MOST_WRITES: usize = 4;

/// Everything that a kernel may read while it fills rows.
#[derive(Debug, Clone, Copy)]
pub struct PassContext<'a> {
    /// That of every field.
    pub layout: Layout,
    pub parameters: &'a Parameters,
    /// In the order of the kernel's signature, then the control vectors to be summed.
    pub read: &'a [FieldView<'a>],
    /// The words of a cell in each field that is written.
    pub words_written: &'a [usize],
    /// The sights that the kernel looks through, in its order.
    pub sights: Sights<'a>,
}

impl PassContext<'_> {
    /// The sight of a kernel that has one.
    #[inline(always)]
    pub fn sight(&self) -> &PreparedSight {
        self.sights[0].expect("a rule that looks has a sight")
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
            v[2].store(&mut row[self.layout.stride + first..]);
        }
    }

    /// Copies all cells of a row from a field that is read into that row of a field that is written.
    #[inline(always)]
    pub fn copy_row(&self, from: FieldView<'_>, row: Row, to: &mut [u32]) {
        let width = self.layout.extents.width as usize;
        for (part, words) in to.chunks_exact_mut(self.layout.stride).enumerate() {
            words[self.layout.halo..][..width].copy_from_slice(from.span_of(part, 0, row, width));
        }
    }
}

/// Consecutive pieces of the lattice that one thread fills: rows of a flat world, slices of a deep one.
pub struct Band<'a, 'b> {
    pub pieces: Range<i32>,
    /// These pieces of each field written, halos included.
    pub write: &'b mut [&'a mut [u32]],
    pub scratch: &'b mut Scratch,
}

/// The working memory of a band.
pub struct Scratch {
    /// For rows that the kernel stages.
    pub words: Vec<i32>,
    /// For indices into them.
    pub places: Vec<usize>,
}

/// A kernel on a band of rows. A trait rather than a function pointer, so that it is inlined into the functions that are
/// compiled for an instruction set.
pub trait BandKernel {
    /// Fills the rows of the pieces of each field written, two registers side by side. A kernel that holds many values at once takes single
    /// registers instead: two would not stay in the processor, and are slow to compile.
    #[inline(always)]
    fn run<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        Self::band::<Unrolled<L>>(context, band);
    }

    /// Fills the rows of the pieces of each field written.
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>);
}

/// A kernel that fills each row by itself.
pub trait RowKernel {
    /// Fills a row of each field written.
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]);
}

/// A kernel of rows on every row of a band.
pub struct Rows<K>(pub K);

/// The same for deep worlds, in single registers.
pub struct RowsInSpace<K>(pub K);

impl<K: RowKernel> BandKernel for RowsInSpace<K> {
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
        let rows_of_piece = context.layout.rows_of_piece();
        for (index, piece) in band.pieces.clone().enumerate() {
            for (place, row) in context.layout.lattice_rows(piece) {
                let mut unused: [&mut [i32]; MOST_WRITES] = Default::default();
                let written = &mut unused[..band.write.len()];
                let fields = band.write.iter_mut().zip(context.words_written);
                for (slot, (words, words_per_cell)) in written.iter_mut().zip(fields) {
                    let row_words = words_per_cell * context.layout.stride;
                    let first = (index * rows_of_piece + place) * row_words;
                    *slot = bytemuck::cast_slice_mut(&mut words[first..first + row_words]);
                }
                K::row::<L>(context, row, written);
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

/// Perceived density p = min(D >> shift, p_max).
#[inline(always)]
pub fn perceive<L: Lanes>(density: L, parameters: &Parameters) -> L {
    let (shift, most) = (L::splat(parameters.shift as i32), L::splat(parameters.most_perceived as i32));
    density.shift_right_unsigned_by(shift).min_unsigned(most)
}
