//! Lattice fields in memory: one 32-bit word a cell, with a halo so that no inner loop ever wraps.

use crate::lanes::{Lanes, MAX_LANES};
use crate::world::{Edges, Extents};
use std::marker::PhantomData;

/// What the word of a cell means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texel {
    /// An amount in quanta, u32.
    Amount,
    /// A control vector (Q14), packed, held within ±1 cell a step when it is stored.
    Velocity,
    /// A rule's vector (Q10), packed, held within ±4 when it is stored.
    Vector,
}

impl Texel {
    /// The name in a chain's `[fields]`.
    pub fn name(self) -> &'static str {
        match self {
            Texel::Amount => "amount",
            Texel::Velocity => "velocity",
            Texel::Vector => "vector",
        }
    }
}

/// The shape in memory of every field of a lattice: rows of whole chunks of [`MAX_LANES`] cells between two halos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub extents: Extents,
    pub edges: Edges,
    /// Cells of halo on every side.
    pub halo: usize,
    /// Words from one row to the next.
    pub stride: usize,
}

impl Layout {
    /// A layout whose kernels look at most `reach` cells far.
    pub fn new(extents: Extents, edges: Edges, reach: usize) -> Self {
        // A halo of whole vector registers keeps the rows themselves aligned.
        let halo = reach.max(1).next_multiple_of(16);
        let stride = halo + (extents.width as usize).next_multiple_of(MAX_LANES) + halo;
        Self { extents, edges, halo, stride }
    }

    fn rows(&self) -> usize {
        self.extents.height as usize + 2 * self.halo
    }

    /// Puts into a row's halo what lies beyond its ends: the opposite end, or nothing.
    pub fn close_row(&self, row: &mut [u32]) {
        let (halo, width) = (self.halo, self.extents.width as usize);
        match self.edges {
            Edges::Walls => {
                row[..halo].fill(0);
                row[halo + width..].fill(0);
            }
            Edges::Torus if width >= halo => {
                row.copy_within(width..width + halo, 0);
                row.copy_within(halo..2 * halo, halo + width);
                row[halo + width + halo..].fill(0);
            }
            Edges::Torus => {
                for before in 0..halo {
                    row[halo - 1 - before] = row[halo + width - 1 - before % width];
                }
                for after in 0..halo {
                    row[halo + width + after] = row[halo + after % width];
                }
                row[halo + width + halo..].fill(0);
            }
        }
    }
}

/// One field: the words of all cells and of the halo around them.
#[derive(Debug, Clone)]
pub struct Field {
    layout: Layout,
    words: Vec<u32>,
}

impl Field {
    /// A field of zeros.
    pub fn new(layout: Layout) -> Self {
        // A chunk more, so that even behind the last row of the halo there is something.
        Self { layout, words: vec![0; layout.stride * layout.rows() + MAX_LANES] }
    }

    /// The place of a field that is in use elsewhere; it holds no words.
    pub const fn absent(layout: Layout) -> Self {
        Self { layout, words: Vec::new() }
    }

    /// Takes the words of all cells, x fastest.
    pub fn load(&mut self, cells: &[u32]) {
        let layout = self.layout;
        for (row, cells) in self.rows_mut().chunks_mut(layout.stride).zip(cells.chunks(layout.extents.width as usize)) {
            row[layout.halo..][..cells.len()].copy_from_slice(cells);
            layout.close_row(row);
        }
        self.close_ends();
    }

    /// The words of all cells, x fastest.
    pub fn cells(&self) -> impl Iterator<Item = &[u32]> {
        let Layout { halo, stride, extents, .. } = self.layout;
        self.words[halo * stride..]
            .chunks(stride)
            .take(extents.height as usize)
            .map(move |row| &row[halo..][..extents.width as usize])
    }

    /// All rows of the lattice with their halos, without the rows of the halo; [`Layout::stride`] words a row.
    pub fn rows_mut(&mut self) -> &mut [u32] {
        let Layout { halo, stride, extents, .. } = self.layout;
        &mut self.words[halo * stride..][..extents.height as usize * stride]
    }

    /// Puts into the rows beyond the first and the last what lies there. The rows themselves are closed already.
    pub fn close_ends(&mut self) {
        let Layout { halo, stride, extents, edges } = self.layout;
        if edges == Edges::Walls {
            // Nothing ever writes there: these rows are zeros since the field was made.
            return;
        }
        let height = extents.height as usize;
        for beyond in 0..halo {
            let last = halo + height - 1 - beyond % height;
            self.words.copy_within(last * stride..(last + 1) * stride, (halo - 1 - beyond) * stride);
            let first = halo + beyond % height;
            self.words.copy_within(first * stride..(first + 1) * stride, (halo + height + beyond) * stride);
        }
    }

    /// A view for kernels.
    pub fn view(&self) -> FieldView<'_> {
        let Layout { halo, stride, .. } = self.layout;
        FieldView { words: &self.words, stride, origin: halo * stride + halo }
    }
}

/// A field as kernels read it: any cell within the halo.
#[derive(Debug, Clone, Copy)]
pub struct FieldView<'a> {
    words: &'a [u32],
    stride: usize,
    origin: usize,
}

impl<'a> FieldView<'a> {
    /// `length` cells of row y from x on; x and y may lie in the halo.
    #[inline(always)]
    pub fn span(&self, x: i32, y: i32, length: usize) -> &'a [u32] {
        let first = (self.origin as isize + y as isize * self.stride as isize + x as isize) as usize;
        &self.words[first..first + length]
    }

    /// Row y from the first cell of its halo on, and a chunk beyond its end.
    #[inline(always)]
    pub fn row(&self, y: i32) -> &'a [i32] {
        let halo = (self.origin % self.stride) as i32;
        bytemuck::cast_slice(self.span(-halo, y, self.stride + MAX_LANES))
    }

    /// Rows y - 1, y and y + 1.
    #[inline(always)]
    pub fn around(&self, y: i32) -> Around<'a> {
        let halo = (self.origin % self.stride) as i32;
        Around { rows: [self.row(y - 1), self.row(y), self.row(y + 1)], halo }
    }

    /// Cells of row y from x on, side by side.
    #[inline(always)]
    pub fn lanes<L: Lanes>(&self, x: i32, y: i32) -> L {
        L::load(bytemuck::cast_slice(self.span(x, y, L::COUNT)))
    }
}

/// A row of a field between those above and below: what a cell's neighbours are read from.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    pub rows: [&'a [i32]; 3],
    /// The cells of each row before that at x = 0.
    pub halo: i32,
}

impl<'a> Around<'a> {
    /// Those from x on, side by side.
    ///
    /// # Panics
    /// Where a neighbour of theirs is not in the rows.
    #[inline(always)]
    pub fn cells<L: Lanes>(&self, x: i32) -> Cells<'a, L> {
        let at = (self.halo + x) as usize;
        for row in self.rows {
            assert!(at > 0 && at < row.len().saturating_sub(L::COUNT), "a row is long enough for every chunk");
        }
        Cells { rows: self.rows, at, lanes: PhantomData }
    }
}

/// Cells side by side, with their neighbours, which are all there: one check does for all of them.
#[derive(Debug, Clone, Copy)]
pub struct Cells<'a, L> {
    rows: [&'a [i32]; 3],
    at: usize,
    lanes: PhantomData<L>,
}

impl<L: Lanes> Cells<'_, L> {
    /// Those neighbours of theirs at an offset of -1, 0 or 1 cells on each axis.
    #[inline(always)]
    pub fn beside(&self, [dx, dy]: [i32; 2]) -> L {
        assert!((-1..=1).contains(&dx), "neighbours are one cell away");
        // SAFETY: that there are cells from one before `at` to one after the last was seen when this was made.
        unsafe { L::load_unchecked(self.rows[(1 + dy) as usize], self.at.wrapping_add_signed(dx as isize)) }
    }

    /// They themselves.
    #[inline(always)]
    pub fn here(&self) -> L {
        self.beside([0, 0])
    }
}
