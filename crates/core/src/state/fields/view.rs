//! Views of fields, with which kernels read several cells at once (one per lane) and their neighbours.

use crate::lanes::vector::unpack;
use crate::lanes::{Lanes, MAX_LANES};
use crate::state::fields::{Row, RowMark};
use std::marker::PhantomData;

/// A read-only view of a field: one word for each cell of the lattice and of the halo around it.
#[derive(Debug, Clone, Copy)]
pub struct FieldView<'a> {
    pub(super) words: &'a [u32],
    /// The mark of each row of a deep lattice.
    pub(super) marks: &'a [RowMark],
    /// The index of the first word of each row, if equal rows are stored once; otherwise empty.
    pub(super) starts: &'a [usize],
    /// The number of rows of a slice with its halo rows.
    pub(super) rows: usize,
    /// The index of the lattice's first row among all rows, halo rows included.
    pub(super) first_row: usize,
    /// The number of words of a row before its z components.
    pub(super) stride: usize,
    /// The number of cells in each row before x = 0.
    pub(super) halo: usize,
    /// The number of words from a row to the next row.
    pub(super) row_words: usize,
    /// The number of words from a slice to the next slice.
    pub(super) slice_words: usize,
    /// The index of the word of the lattice's first cell.
    pub(super) origin: usize,
}

impl<'a> FieldView<'a> {
    /// The mark of a row of a deep lattice by its index ([`crate::state::fields::Layout::row_number`]). In a flat world
    /// marks are unknown.
    #[inline(always)]
    pub fn mark(&self, row: usize) -> RowMark {
        self.marks.get(row).copied().unwrap_or(RowMark::UNKNOWN)
    }

    /// The index of the word of the cell x = 0 of a row.
    #[inline(always)]
    fn start(&self, [y, z]: Row) -> isize {
        let (y, z) = (y as isize, z as isize);
        if self.starts.is_empty() {
            return self.origin as isize + z * self.slice_words as isize + y * self.row_words as isize;
        }
        let row = self.first_row as isize + z * self.rows as isize + y;
        (self.starts[row as usize] + self.halo) as isize
    }

    /// The words of `length` cells of a row, from the cell x on. Cells may be in the halo.
    #[inline(always)]
    pub fn span_of(&self, x: i32, row: Row, length: usize) -> &'a [u32] {
        let first = self.start(row) + x as isize;
        &self.words[first as usize..first as usize + length]
    }

    /// The z components of the vectors of `length` cells of a row, from the cell x on. Only for fields of vectors in a
    /// deep world.
    #[inline(always)]
    pub fn along_z(&self, x: i32, row: Row, length: usize) -> &'a [i16] {
        let first = 2 * (self.start(row) + (self.stride - self.halo) as isize) + self.halo as isize + x as isize;
        &bytemuck::cast_slice(self.words)[first as usize..first as usize + length]
    }

    /// The words of `length` cells of row y of a flat world, from the cell x on. Cells may be in the halo.
    #[inline(always)]
    pub fn span(&self, x: i32, y: i32, length: usize) -> &'a [u32] {
        self.span_of(x, [y, 0], length)
    }

    /// The words of row y of a flat world with the halos at its ends, and [`MAX_LANES`] further words.
    #[inline(always)]
    pub fn row(&self, y: i32) -> &'a [i32] {
        self.row_of([y, 0])
    }

    /// The words of a row with the halos at its ends, and [`MAX_LANES`] further words.
    #[inline(always)]
    pub fn row_of(&self, row: Row) -> &'a [i32] {
        bytemuck::cast_slice(self.span_of(-(self.halo as i32), row, self.stride + MAX_LANES))
    }

    /// Rows y - 1, y and y + 1 of a flat world.
    #[inline(always)]
    pub fn three_rows(&self, y: i32) -> ThreeRows<'a> {
        self.three_rows_of([y, 0])
    }

    /// The words of rows y - 1, y and y + 1 of a slice.
    #[inline(always)]
    pub fn three_rows_of(&self, [y, z]: Row) -> ThreeRows<'a> {
        let rows = [self.row_of([y - 1, z]), self.row_of([y, z]), self.row_of([y + 1, z])];
        ThreeRows { rows, halo: self.halo as i32 }
    }

    /// The words of cells of row y of a flat world, from the cell x on, one per lane.
    #[inline(always)]
    pub fn lanes<L: Lanes>(&self, x: i32, y: i32) -> L {
        self.lanes_of(x, [y, 0])
    }

    /// The words of cells of a row, from the cell x on, one per lane.
    #[inline(always)]
    pub fn lanes_of<L: Lanes>(&self, x: i32, row: Row) -> L {
        L::load(bytemuck::cast_slice(self.span_of(x, row, L::COUNT)))
    }

    /// The vectors of cells of a row, from the cell x on, one per lane, in a world of `AXES` axes. Control vectors are
    /// Q14 of a cell a step, vectors of rules are Q10.
    #[inline(always)]
    pub fn vectors<L: Lanes, const AXES: usize>(&self, x: i32, row: Row) -> [L; AXES] {
        let [first, second] = unpack(self.lanes_of::<L>(x, row));
        let mut v = [first; AXES];
        v[1] = second;
        if AXES == 3 {
            v[2] = L::load_halves(self.along_z(x, row, L::COUNT));
        }
        v
    }
}

/// A row of a field with the rows above and below, for reading neighbours.
#[derive(Debug, Clone, Copy)]
pub struct ThreeRows<'a> {
    /// The words of the rows above, at and below the row, with their halos.
    pub rows: [&'a [i32]; 3],
    /// The cells in each row before x = 0.
    pub halo: i32,
}

impl<'a> ThreeRows<'a> {
    /// The cells of the middle row from x on, one per lane, with their neighbours.
    ///
    /// # Panics
    /// If a neighbour lies outside the rows.
    #[inline(always)]
    pub fn at<L: Lanes>(&self, x: i32) -> Neighbourhood<'a, L> {
        let at = (self.halo + x) as usize;
        for row in self.rows {
            assert!(at > 0 && at < row.len().saturating_sub(L::COUNT), "a row is long enough for every chunk");
        }
        Neighbourhood { rows: self.rows, at, lanes: PhantomData }
    }
}

/// Cells, one per lane, with their eight neighbours. Bounds are checked once for all neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Neighbourhood<'a, L> {
    rows: [&'a [i32]; 3],
    at: usize,
    lanes: PhantomData<L>,
}

impl<L: Lanes> Neighbourhood<'_, L> {
    /// The words of the neighbours at an offset of -1, 0 or 1 cells on each axis, one per lane.
    #[inline(always)]
    pub fn neighbour(&self, [dx, dy]: [i32; 2]) -> L {
        assert!((-1..=1).contains(&dx), "neighbours are one cell away");
        // SAFETY: `ThreeRows::at` has checked that the rows contain the cells from `at - 1` to one after the last lane.
        unsafe { L::load_unchecked(self.rows[(1 + dy) as usize], self.at.wrapping_add_signed(dx as isize)) }
    }

    /// The words of the cells themselves, one per lane.
    #[inline(always)]
    pub fn centre(&self) -> L {
        self.neighbour([0, 0])
    }
}
