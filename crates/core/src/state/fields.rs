//! Lattice fields in memory: one 32-bit word per cell, and an additional half word for vectors of a deep world. A halo
//! surrounds the lattice, so that inner loops need not wrap.

#[cfg(test)]
mod tests;
mod view;

pub use view::{FieldView, Neighbourhood, ThreeRows};

use crate::lanes::MAX_LANES;
use crate::numbers::Vector3;
use crate::world::memory::AlignedWords;
use crate::world::{Edges, Extents, MAX_PLACE_EXTENT, MAX_SPECIES, Slab};

/// The most layers of a swarm: densities on one lattice, each with its control vectors.
pub const MAX_LAYERS: usize = MAX_SPECIES;

/// The meaning of a cell's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texel {
    /// An amount in quanta, u32.
    Amount,
    /// A control vector (Q14), packed, clamped to ±1 cell a step when stored.
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

/// The memory layout of every field of a lattice: rows of chunks of [`MAX_LANES`] cells between two halos. In a deep
/// world, slices of rows have halos of rows, and the lattice has halos of slices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The slab of the world that the fields contain.
    pub slab: Slab,
    /// The y and z of the slab's first row in the world.
    pub first_row: Row,
    /// The extents of the world in 1/16 cell.
    pub ends: Vector3,
    /// The number of cells of the slab along each axis.
    pub extents: Extents,
    /// The edges, which decide the content of the halos.
    pub edges: Edges,
    /// The number of halo cells at both ends of a row.
    pub halo: usize,
    /// The number of cells of a row with its halos. It equals the number of words of a row with one word for each cell.
    pub stride: usize,
    /// The number of halo rows above and below each slice.
    pub halo_rows: usize,
    /// The number of halo slices before and behind the lattice; 0 in a flat world.
    pub halo_slices: usize,
    /// The number of pieces (rows of a flat world, slices of a deep world) on each side of the lattice that kernels
    /// read.
    pub around: usize,
}

/// The number of pieces (rows of a flat world, slices of a deep world) on each side of the lattice that kernels with a
/// reach of `reach` cells read.
pub fn pieces_around(reach: usize) -> usize {
    // Kernels of movement compute the outflow of neighbours, so they read two cells away.
    reach.max(2)
}

impl Layout {
    /// The layout of a whole world for kernels with a reach of at most `reach` cells.
    pub fn new(extents: Extents, edges: Edges, reach: usize) -> Self {
        Self::of_slab(Slab::whole(extents), edges, reach)
    }

    /// The layout of a slab for kernels with a reach of at most `reach` cells.
    pub fn of_slab(slab: Slab, edges: Edges, reach: usize) -> Self {
        let extents = slab.extents();
        // A halo of whole vector registers keeps the cells of rows aligned.
        let halo = reach.max(1).next_multiple_of(BLOCK);
        let stride = halo + (extents.width as usize).next_multiple_of(MAX_LANES) + halo;
        let is_deep = extents.depth.is_some();
        let around = pieces_around(reach);
        let halo_rows = if is_deep { around } else { halo };
        let halo_slices = if is_deep { around } else { 0 };
        let (first_row, ends) = (slab.first_row(), slab.world.ends());
        Self { slab, first_row, ends, extents, edges, halo, stride, halo_rows, halo_slices, around }
    }

    /// The number of words of a row: one for each cell, and half a word more for z in vectors of a deep world.
    pub fn row_words(&self, texel: Texel) -> usize {
        let has_z = texel != Texel::Amount && self.extents.depth.is_some();
        self.stride + if has_z { self.stride / 2 } else { 0 }
    }

    /// The number of words of a field, with its halo.
    pub fn field_words(&self, texel: Texel) -> usize {
        // An additional chunk, so that the last row of the halo can be read in whole chunks.
        self.row_words(texel) * self.rows() * self.slices() + MAX_LANES
    }

    /// The number of rows of a slice with its halo.
    #[inline(always)]
    fn rows(&self) -> usize {
        self.extents.height as usize + 2 * self.halo_rows
    }

    fn slices(&self) -> usize {
        self.extents.slices() as usize + 2 * self.halo_slices
    }

    /// The number of pieces, from which bands of work are made: rows of a flat world, slices of a deep world.
    pub fn pieces(&self) -> usize {
        self.slab.pieces as usize
    }

    /// Converts a row of the slab to a row of the world.
    #[inline(always)]
    pub fn in_world(&self, [y, z]: Row) -> Row {
        [y + self.first_row[0], z + self.first_row[1]]
    }

    /// Converts a row of the world to a row of the slab; `None`: another slab has the row.
    #[inline(always)]
    pub fn in_slab(&self, [y, z]: Row) -> Option<Row> {
        let [y, z] = [y - self.first_row[0], z - self.first_row[1]];
        let is_own = (0..self.extents.height as i32).contains(&y) && (0..self.extents.slices() as i32).contains(&z);
        is_own.then_some([y, z])
    }

    /// The number of rows of a piece in memory.
    #[inline(always)]
    pub fn rows_of_piece(&self) -> usize {
        if self.extents.depth.is_some() { self.rows() } else { 1 }
    }

    /// The index of a row of a deep lattice, y fastest.
    #[inline(always)]
    pub fn row_number(&self, [y, z]: Row) -> usize {
        z as usize * self.extents.height as usize + y as usize
    }

    /// The rows of a piece on the lattice, as y and z, each with its index among the piece's rows in memory.
    pub fn lattice_rows(&self, piece: i32) -> impl Iterator<Item = (usize, Row)> + use<> {
        let is_deep = self.extents.depth.is_some();
        let first = self.halo_rows;
        let rows = if is_deep { self.extents.height as usize } else { 1 };
        (0..rows).map(move |row| if is_deep { (first + row, [row as i32, piece]) } else { (0, [piece, 0]) })
    }

    /// Splits a row of a field into the words of its cells and the z components, which only vectors of a deep world
    /// have.
    #[inline(always)]
    pub fn split_row<'r>(&self, row: &'r mut [u32]) -> (&'r mut [u32], &'r mut [i16]) {
        let (cells, along_z) = row.split_at_mut(self.stride);
        (cells, bytemuck::cast_slice_mut(along_z))
    }

    /// Fills the halo of a piece. Each row has halo cells at both ends. In a deep world the slice also has halo rows at
    /// both ends. `words`: the words of the piece, with `row_words` words in each row.
    pub fn fill_piece_halo(&self, words: &mut [u32], row_words: usize) {
        for row in words.chunks_exact_mut(row_words) {
            let (cells, along_z) = self.split_row(row);
            self.fill_row_halo(cells);
            if !along_z.is_empty() {
                self.fill_row_halo(along_z);
            }
        }
        if self.extents.depth.is_some() {
            fill_around(words, row_words, self.halo_rows, self.extents.height as usize, self.edges);
        }
    }

    /// Fills the halo of a row. On a torus the halo repeats the cells of the opposite end. Beyond walls the halo is
    /// zero from the start. Only the last chunk of a row writes to it, so this part is cleared.
    fn fill_row_halo<T: Copy + Default>(&self, row: &mut [T]) {
        let halo = self.halo;
        let width = self.extents.width as usize;
        match self.edges {
            Edges::Walls => row[halo + width..self.stride - halo].fill(T::default()),
            Edges::Torus if width >= halo => {
                // The copies do not overlap. A halo fits into a few registers, so a call to a copy function would take
                // longer than the copy.
                for block in (0..halo).step_by(BLOCK) {
                    copy_block(row, width + block, block);
                    copy_block(row, halo + block, halo + width + block);
                }
                row[halo + width + halo..].fill(T::default());
            }
            Edges::Torus => {
                for before in 0..halo {
                    row[halo - 1 - before] = row[halo + width - 1 - before % width];
                }
                for after in 0..halo {
                    row[halo + width + after] = row[halo + after % width];
                }
                row[halo + width + halo..].fill(T::default());
            }
        }
    }
}

/// The number of cells of a block. A halo along x consists of whole blocks.
const BLOCK: usize = 16;

/// Copies a block of cells within a row.
#[inline(always)]
fn copy_block<T: Copy>(row: &mut [T], from: usize, to: usize) {
    let block: [T; BLOCK] = row[from..from + BLOCK].try_into().expect("a block has a fixed size");
    row[to..to + BLOCK].copy_from_slice(&block);
}

/// Fills the `halo` parts before and after the `count` parts of a lattice, `words` words each. On a torus they repeat
/// the parts of the opposite end. Beyond walls they are zero from the start and stay zero.
fn fill_around<T: Copy>(list: &mut [T], words: usize, halo: usize, count: usize, edges: Edges) {
    if edges == Edges::Walls {
        return;
    }
    for beyond in 0..halo {
        let last = halo + count - 1 - beyond % count;
        list.copy_within(last * words..(last + 1) * words, (halo - 1 - beyond) * words);
        let first = halo + beyond % count;
        list.copy_within(first * words..(first + 1) * words, (halo + count + beyond) * words);
    }
}

/// A row of the lattice: y and z. In a flat world z is 0.
pub type Row = [i32; 2];

/// Known properties of a row of a field of a deep world. They let passes skip computations or copies of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowMark {
    /// The number of the pass that computed the row; 0: unknown. A row has equal words in two buffers if both have an
    /// equal number.
    pub pass: u64,
    /// For a density: the first cell that may give quanta, and the cell after the last one; equal if no cell gives any.
    pub awake: [u16; 2],
}

impl RowMark {
    /// The mark of a row of which nothing is known.
    pub const UNKNOWN: Self = Self { pass: 0, awake: Self::ALL };
    /// The value of [`Self::awake`] if any cell of the row may give quanta.
    pub const ALL: [u16; 2] = [0, u16::MAX];
}

const _: () = assert!(MAX_PLACE_EXTENT <= u16::MAX as u32);

/// One field: the words of all cells and of the halo. In vectors of a deep world, a row has first the words with x and
/// y, then the z components, two in a word.
#[derive(Debug, Clone)]
pub struct Field {
    layout: Layout,
    row_words: usize,
    words: AlignedWords<u32>,
    /// The mark of each row of a deep lattice, y fastest; empty in a flat world.
    marks: Vec<RowMark>,
    /// The start of each row of the lattice and its halo, for a field that stores equal rows once; else empty.
    starts: Vec<usize>,
}

impl Field {
    /// A field of zeros.
    ///
    /// # Errors
    /// A message if the system does not provide the memory.
    pub fn new(layout: Layout, texel: Texel) -> Result<Self, String> {
        let Extents { height, depth, .. } = layout.extents;
        let rows = depth.map_or(0, |depth| depth as usize * height as usize);
        let words = AlignedWords::try_zeros(layout.field_words(texel))?;
        let marks = vec![RowMark::UNKNOWN; rows];
        Ok(Self { layout, row_words: layout.row_words(texel), words, marks, starts: Vec::new() })
    }

    /// A field of amounts that stores equal rows once. [`Self::load`] sets it, and passes must not write to it.
    pub fn with_shared_rows(layout: Layout) -> Self {
        let starts = vec![0; layout.rows() * layout.slices()];
        Self { words: AlignedWords::zeros(layout.stride + MAX_LANES), starts, ..Self::placeholder(layout) }
    }

    /// A placeholder without words, for a field that is temporarily moved out.
    pub const fn placeholder(layout: Layout) -> Self {
        Self { layout, row_words: layout.stride, words: AlignedWords::EMPTY, marks: Vec::new(), starts: Vec::new() }
    }

    /// Sets the words of all cells, x fastest. Vectors of a deep world have two words each, as in
    /// [`Layer`](super::Layer).
    pub fn load(&mut self, words: &[u32]) {
        if !self.starts.is_empty() {
            return self.load_shared(words);
        }
        self.load_rows(|first, cells, along_z| {
            if along_z.is_empty() {
                return cells.copy_from_slice(&words[first..first + cells.len()]);
            }
            let vectors = words[2 * first..2 * (first + cells.len())].as_chunks::<2>().0;
            for (index, [word, z]) in vectors.iter().enumerate() {
                (cells[index], along_z[index]) = (*word, *z as i16);
            }
        });
    }

    /// Sets all cells. `fill` gets the index of the first cell of each row, and fills its words and z components.
    pub fn load_rows(&mut self, fill: impl Fn(usize, &mut [u32], &mut [i16])) {
        let Extents { width, height, .. } = self.layout.extents;
        let halo = self.layout.halo;
        let width = width as usize;
        for (y, z) in self.lattice_rows() {
            let place = self.place(y, z) - halo;
            let (cells, along_z) = self.layout.split_row(&mut self.words[place..place + self.row_words]);
            let along_z = if along_z.is_empty() { along_z } else { &mut along_z[halo..][..width] };
            fill((z * height as usize + y) * width, &mut cells[halo..][..width], along_z);
        }
        self.marks.fill(RowMark::UNKNOWN);
        self.fill_halo();
    }

    /// Stores each row that differs from the row before. A row of zeros comes first, for the halo beyond walls.
    fn load_shared(&mut self, cells: &[u32]) {
        let Layout { extents, edges, halo, stride, halo_rows, halo_slices, .. } = self.layout;
        let width = extents.width as usize;
        let height = extents.height as usize;
        let rows = self.layout.rows();
        let mut words = vec![0; stride];
        let mut row = vec![0; stride];
        let mut last = 0;
        for ((y, z), cells) in self.lattice_rows().zip(cells.chunks_exact(width)) {
            row[halo..halo + width].copy_from_slice(cells);
            self.layout.fill_row_halo(&mut row);
            if words[last..] != row {
                last = words.len();
                words.extend_from_slice(&row);
            }
            self.starts[(z + halo_slices) * rows + y + halo_rows] = last;
        }
        words.resize(words.len() + MAX_LANES, 0);
        self.words = AlignedWords::copy(&words);
        for slice in self.starts.chunks_exact_mut(rows) {
            fill_around(slice, 1, halo_rows, height, edges);
        }
        fill_around(&mut self.starts, rows, halo_slices, extents.slices() as usize, edges);
    }

    /// Marks that any cell may give quanta.
    pub fn wake(&mut self) {
        self.marks.iter_mut().for_each(|mark| mark.awake = RowMark::ALL);
    }

    /// Converts the field to another layout of equal extents.
    ///
    /// # Errors
    /// The errors of [`Self::new`].
    pub fn laid_out(self, layout: Layout) -> Result<Self, String> {
        if self.layout == layout {
            return Ok(self);
        }
        if !self.starts.is_empty() {
            let mut field = Self::with_shared_rows(layout);
            field.load(&self.cells().flatten().copied().collect::<Vec<_>>());
            return Ok(field);
        }
        let texel = if self.has_z() { Texel::Vector } else { Texel::Amount };
        let mut field = Self::new(layout, texel)?;
        let (width, height) = (layout.extents.width as usize, layout.extents.height as usize);
        let old = self.view();
        field.load_rows(|first, cells, along_z| {
            let row = [first / width % height, first / width / height].map(|place| place as i32);
            cells.copy_from_slice(old.span_of(0, row, width));
            if !along_z.is_empty() {
                along_z.copy_from_slice(old.along_z(0, row, width));
            }
        });
        Ok(field)
    }

    /// The y and z of every row of the lattice.
    fn lattice_rows(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let Extents { height, .. } = self.layout.extents;
        (0..self.layout.extents.slices() as usize).flat_map(move |z| (0..height as usize).map(move |y| (y, z)))
    }

    /// The index of the first cell of a row of the lattice.
    fn place(&self, y: usize, z: usize) -> usize {
        let Layout { halo, halo_rows, halo_slices, .. } = self.layout;
        ((z + halo_slices) * self.layout.rows() + y + halo_rows) * self.row_words + halo
    }

    /// The words of all cells, a row at a time, x fastest.
    pub fn cells(&self) -> impl Iterator<Item = &[u32]> {
        let view = self.view();
        let width = self.layout.extents.width as usize;
        self.lattice_rows().map(move |(y, z)| view.span_of(0, [y as i32, z as i32], width))
    }

    /// The number of words of a piece: a row of a flat world or a slice of a deep world.
    pub fn piece_words(&self) -> usize {
        self.layout.rows_of_piece() * self.row_words
    }

    /// The pieces of the lattice with their own halos, without the pieces of the outer halo.
    fn pieces_mut(&mut self) -> &mut [u32] {
        self.pieces_and_marks_mut().0
    }

    /// The pieces as in `pieces_mut`, and the marks of their rows.
    pub fn pieces_and_marks_mut(&mut self) -> (&mut [u32], &mut [RowMark]) {
        if self.words.is_empty() {
            return Default::default();
        }
        let (piece, count, before) = (self.piece_words(), self.layout.pieces(), self.pieces_before());
        (&mut self.words[before * piece..][..count * piece], &mut self.marks)
    }

    /// The number of pieces in memory before the first piece of the lattice.
    fn pieces_before(&self) -> usize {
        if self.layout.extents.depth.is_some() { self.layout.halo_slices } else { self.layout.halo_rows }
    }

    fn fill_halo(&mut self) {
        let layout = self.layout;
        let row_words = self.row_words;
        let piece = self.piece_words();
        self.pieces_mut().chunks_mut(piece).for_each(|words| layout.fill_piece_halo(words, row_words));
        self.fill_outer_halo();
    }

    /// Fills the halo before the first piece and after the last piece. The halos of the pieces must already be filled.
    pub fn fill_outer_halo(&mut self) {
        let Layout { extents, edges, halo_rows, halo_slices, .. } = self.layout;
        let piece = self.piece_words();
        match extents.depth {
            Some(depth) => fill_around(&mut self.words, piece, halo_slices, depth as usize, edges),
            None => fill_around(&mut self.words, piece, halo_rows, extents.height as usize, edges),
        }
    }

    /// The first and the last `depth` pieces of the lattice, and the `depth` halo pieces before and after it.
    pub fn ends_and_halos(&mut self, depth: usize) -> ([&[u32]; 2], [&mut [u32]; 2]) {
        let words = depth * self.piece_words();
        let own = self.pieces_before() * self.piece_words();
        let (before, rest) = self.words.split_at_mut(own);
        let (pieces, after) = rest.split_at_mut(self.layout.pieces() * self.row_words * self.layout.rows_of_piece());
        let first = &pieces[..words];
        let last = &pieces[pieces.len() - words..];
        ([first, last], [&mut before[own - words..], &mut after[..words]])
    }

    /// The number of words of a row.
    pub fn row_words(&self) -> usize {
        self.row_words
    }

    /// Appends the words of `count` cells of a row from x on, in the format of [`Self::load`].
    pub fn append_words(&self, x: i32, row: Row, count: usize, to: &mut Vec<u32>) {
        let (view, has_z) = (self.view(), self.has_z());
        let cells = view.span_of(x, row, count);
        if !has_z {
            return to.extend_from_slice(cells);
        }
        to.extend(cells.iter().zip(view.along_z(x, row, count)).flat_map(|(word, z)| [*word, i32::from(*z) as u32]));
    }

    /// The number of words of a cell, in the format of [`Self::load`].
    pub fn words_of_cell(&self) -> usize {
        if self.has_z() { 2 } else { 1 }
    }

    /// Whether cells have a z component.
    pub fn has_z(&self) -> bool {
        self.row_words > self.layout.stride
    }

    /// A view for kernels.
    pub fn view(&self) -> FieldView<'_> {
        let origin = if self.words.is_empty() { 0 } else { self.place(0, 0) };
        let rows = self.layout.rows();
        FieldView {
            words: &self.words,
            marks: &self.marks,
            starts: &self.starts,
            rows,
            first_row: self.layout.halo_slices * rows + self.layout.halo_rows,
            stride: self.layout.stride,
            halo: self.layout.halo,
            row_words: self.row_words,
            slice_words: self.row_words * self.layout.rows(),
            origin,
        }
    }
}
