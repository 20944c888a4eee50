//! Lattice fields in memory: one 32-bit word per cell, with a halo around the lattice so that no inner loop wraps.

use crate::lanes::{Lanes, MAX_LANES};
use crate::world::{Edges, Extents};
use std::marker::PhantomData;

/// The meaning of a cell's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texel {
    /// An amount in quanta, u32.
    Amount,
    /// A control vector (Q14), packed, clamped to ±1 cell per step when stored.
    Velocity,
    /// A rule's vector (Q10), packed, clamped to ±4 when stored.
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

/// The memory layout of every field of a lattice: rows of whole chunks of [`MAX_LANES`] cells between two halos.
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
    /// The layout for kernels that look at most `reach` cells far.
    pub fn new(extents: Extents, edges: Edges, reach: usize) -> Self {
        // A halo of whole vector registers keeps the rows themselves aligned.
        let halo = reach.max(1).next_multiple_of(16);
        let stride = halo + (extents.width as usize).next_multiple_of(MAX_LANES) + halo;
        Self { extents, edges, halo, stride }
    }

    fn rows(&self) -> usize {
        self.extents.height as usize + 2 * self.halo
    }

    /// Fills the halo of a row: on a torus with the cells of the opposite end, otherwise with zeros.
    pub fn fill_row_halo(&self, row: &mut [u32]) {
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
        // One more chunk, so that the last row of the halo can be read in whole chunks too.
        Self { layout, words: vec![0; layout.stride * layout.rows() + MAX_LANES] }
    }

    /// A placeholder without words, for a field that is taken out of its place.
    pub const fn placeholder(layout: Layout) -> Self {
        Self { layout, words: Vec::new() }
    }

    /// Sets the words of all cells, x fastest.
    pub fn load(&mut self, cells: &[u32]) {
        self.load_rows(cells.chunks(self.layout.extents.width as usize));
    }

    /// The same words under another layout of the same extents.
    pub fn laid_out(self, layout: Layout) -> Self {
        if self.layout == layout {
            return self;
        }
        let mut field = Self::new(layout);
        field.load_rows(self.cells());
        field
    }

    fn load_rows<'a>(&mut self, rows: impl Iterator<Item = &'a [u32]>) {
        let layout = self.layout;
        for (row, cells) in self.rows_mut().chunks_mut(layout.stride).zip(rows) {
            row[layout.halo..][..cells.len()].copy_from_slice(cells);
            layout.fill_row_halo(row);
        }
        self.fill_halo_rows();
    }

    /// The words of all cells, x fastest.
    pub fn cells(&self) -> impl Iterator<Item = &[u32]> {
        let Layout { halo, stride, extents, .. } = self.layout;
        self.words[halo * stride..]
            .chunks(stride)
            .take(extents.height as usize)
            .map(move |row| &row[halo..][..extents.width as usize])
    }

    /// The rows of the lattice with their halos, but not the rows of the halo; [`Layout::stride`] words each.
    pub fn rows_mut(&mut self) -> &mut [u32] {
        let Layout { halo, stride, extents, .. } = self.layout;
        &mut self.words[halo * stride..][..extents.height as usize * stride]
    }

    /// Fills the rows of the halo above and below the lattice, whose own rows must have filled halos.
    pub fn fill_halo_rows(&mut self) {
        let Layout { halo, stride, extents, edges } = self.layout;
        if edges == Edges::Walls {
            // These rows are zero from the start, and nothing writes to them.
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

/// A field as kernels read it: any cell of the lattice or its halo.
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

    /// Row y with its halos, and one chunk more.
    #[inline(always)]
    pub fn row(&self, y: i32) -> &'a [i32] {
        let halo = (self.origin % self.stride) as i32;
        bytemuck::cast_slice(self.span(-halo, y, self.stride + MAX_LANES))
    }

    /// Rows y - 1, y and y + 1.
    #[inline(always)]
    pub fn three_rows(&self, y: i32) -> ThreeRows<'a> {
        let halo = (self.origin % self.stride) as i32;
        ThreeRows { rows: [self.row(y - 1), self.row(y), self.row(y + 1)], halo }
    }

    /// The cells of row y from x on, one per lane.
    #[inline(always)]
    pub fn lanes<L: Lanes>(&self, x: i32, y: i32) -> L {
        L::load(bytemuck::cast_slice(self.span(x, y, L::COUNT)))
    }
}

/// A row of a field with the rows above and below, from which neighbours are read.
#[derive(Debug, Clone, Copy)]
pub struct ThreeRows<'a> {
    pub rows: [&'a [i32]; 3],
    /// The cells in each row before x = 0.
    pub halo: i32,
}

impl<'a> ThreeRows<'a> {
    /// The cells from x on, one per lane, with their neighbours.
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

/// Cells, one per lane, with their eight neighbours each; bounds are checked once for all of them.
#[derive(Debug, Clone, Copy)]
pub struct Neighbourhood<'a, L> {
    rows: [&'a [i32]; 3],
    at: usize,
    lanes: PhantomData<L>,
}

impl<L: Lanes> Neighbourhood<'_, L> {
    /// The neighbours at an offset of -1, 0 or 1 cells on each axis.
    #[inline(always)]
    pub fn neighbour(&self, [dx, dy]: [i32; 2]) -> L {
        assert!((-1..=1).contains(&dx), "neighbours are one cell away");
        // SAFETY: `ThreeRows::at` has checked that the rows hold the cells from `at - 1` to one after the last lane.
        unsafe { L::load_unchecked(self.rows[(1 + dy) as usize], self.at.wrapping_add_signed(dx as isize)) }
    }

    /// The cells themselves.
    #[inline(always)]
    pub fn centre(&self) -> L {
        self.neighbour([0, 0])
    }
}
