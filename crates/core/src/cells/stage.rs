//! The staged slices that sums over sights are made from in a deep world. The perceived density and the momentum of the
//! slices in reach are computed once for all rules.

use super::context::{PassContext, SlicePart, perceive};
use super::rules::to_q10;
use crate::lanes::vector::scale_halves;
use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::Vector3;
use crate::state::fields::Row;
use std::ops::Range;

/// The number of quantities that are staged of a cell: p, p·V_x, p·V_y and p·V_z. p is the perceived density, and V the
/// control vector (Q10).
pub const QUANTITIES: usize = 4;

/// The staged slices around the present one.
pub struct Stage<'a> {
    words: &'a mut [i32],
    reach: i32,
    /// The number of words of a row.
    row: usize,
    /// The number of rows of a slice.
    rows: usize,
    /// The range along y of the cells for which sums are made.
    rows_of_part: Range<i32>,
    /// The staged words of each row.
    words_of_part: Range<usize>,
    /// The next slice to stage; `None` before the first one.
    next: Option<i32>,
}

impl<'a> Stage<'a> {
    /// The words of a stage for rules with this reach, in cells.
    pub fn words(reach: i32, width: usize, height: usize) -> usize {
        // One more chunk, so that the last row can be read in whole chunks from any of its cells.
        (height + 2 * reach as usize) * Self::words_of_row(reach, width) + MAX_LANES
    }

    /// The words of one quantity in a row of `width` cells.
    #[inline(always)]
    pub fn row_words(reach: i32, width: usize) -> usize {
        width.next_multiple_of(MAX_LANES) + 2 * Self::margin(reach)
    }

    /// Cells staged on either side of a row: the reach, rounded up to whole vector registers.
    #[inline(always)]
    pub fn margin(reach: i32) -> usize {
        (reach as usize).next_multiple_of(16)
    }

    /// A stage of the slices around the cells of a part of each slice.
    pub fn new(words: &'a mut [i32], reach: i32, [width, height]: [usize; 2], part: &SlicePart) -> Self {
        let (row, rows) = (Self::row_words(reach, width), height + 2 * reach as usize);
        // Kernels look from whole chunks of cells, and sums read whole chunks around them.
        let first = part.cells.start as usize / MAX_LANES * MAX_LANES;
        let end = (part.cells.end as usize).next_multiple_of(MAX_LANES) + 2 * Self::margin(reach);
        Self {
            words,
            reach,
            row,
            rows,
            rows_of_part: part.rows.clone(),
            words_of_part: first..end.min(row),
            next: None,
        }
    }

    /// The words that are staged of a row, over all slices in reach.
    pub fn words_of_row(reach: i32, cells: usize) -> usize {
        (2 * reach as usize + 1) * QUANTITIES * Self::row_words(reach, cells)
    }

    /// The index of a cell's first quantity. The other quantities follow at distances of [`Self::quantity`].
    fn place(&self, x: i32, [y, z]: Row) -> usize {
        let slot = z.rem_euclid(2 * self.reach + 1) as usize * QUANTITIES * self.rows;
        (slot + (y + self.reach) as usize) * self.row + (Self::margin(self.reach) as i32 + x) as usize
    }

    /// The distance between two quantities of a cell, in words.
    #[inline(always)]
    fn quantity(&self) -> usize {
        self.rows * self.row
    }

    /// Fills `places` with the indices of the cells at these offsets from the first cell of slice z. The index of a
    /// cell is that of its first quantity.
    pub fn list_places(&self, offsets: &[Vector3], z: i32, places: &mut [usize]) {
        for (place, s) in places.iter_mut().zip(offsets) {
            *place = self.place(s[0], [s[1], z + s[2]]);
        }
    }

    /// Stages all slices in reach of a slice. Calls may skip slices, and never return to an earlier one.
    #[inline(always)]
    pub fn prepare<L: Lanes>(&mut self, context: &PassContext<'_>, z: i32, aligns: bool) {
        let first = z - self.reach;
        for slice in self.next.filter(|next| *next > first).unwrap_or(first)..=z + self.reach {
            self.fill::<L>(context, slice, aligns);
        }
        self.next = Some(z + self.reach + 1);
    }

    /// Stages p, and for alignment p·V, of a slice. Both are 0 in a row in which all cells rest.
    #[inline(always)]
    fn fill<L: Lanes>(&mut self, context: &PassContext<'_>, z: i32, aligns: bool) {
        let (margin, quantity) = (Self::margin(self.reach) as i32, self.quantity());
        let reach = self.reach;
        // Rows that no steered cell looks at are left as they are.
        let wanted = context.steered_part(z - reach..z + reach + 1, self.rows_of_part.clone());
        let Some(SlicePart { rows, .. }) = wanted else { return };
        let words = self.words_of_part.clone();
        for y in rows.start - reach..rows.end + reach {
            let place = self.place(-margin, [y, z]);
            if !context.is_row_awake([y, z]) {
                for staged in 0..if aligns { QUANTITIES } else { 1 } {
                    self.words[place + staged * quantity..][words.clone()].fill(0);
                }
                continue;
            }
            for cell in words.clone().step_by(L::COUNT) {
                let x = cell as i32 - margin;
                let p = perceive(context.read[0].lanes_of::<L>(x, [y, z]), context.parameters);
                p.store(&mut self.words[place + cell..]);
                if aligns {
                    let momentum = scale_halves(to_q10(context.read[2].vectors::<L, 3>(x, [y, z])), p);
                    for axis in 0..3 {
                        momentum[axis].store(&mut self.words[place + (axis + 1) * quantity + cell..]);
                    }
                }
            }
        }
    }

    /// A view of the stage at some places, from the cells of row y of the present slice.
    #[inline(always)]
    pub fn view_from(&self, places: &'a [usize], y: i32) -> StageView<'_> {
        let down = y as usize * self.row;
        let mut farthest = down;
        for place in places {
            farthest = Ord::max(farthest, place + down);
        }
        let cells = self.row - 2 * Self::margin(self.reach);
        // After each place the stage must hold all cells of the row and the margin after them, for every quantity.
        assert!(farthest + (QUANTITIES - 1) * self.quantity() + cells + Self::margin(self.reach) <= self.words.len());
        StageView { places, words: self.words, down, quantity: self.quantity(), reach: self.reach, cells }
    }
}

/// A view of the stage at some places, from the cells of a row.
#[derive(Clone, Copy)]
pub struct StageView<'a> {
    pub places: &'a [usize],
    words: &'a [i32],
    down: usize,
    quantity: usize,
    reach: i32,
    /// The cells of the row, rounded up to whole chunks.
    cells: usize,
}

impl StageView<'_> {
    /// A staged quantity of the cells from x on, seen from a place. The cells may lie up to the margin beyond either
    /// end of the row.
    #[inline(always)]
    pub fn at<L: Lanes>(&self, place: usize, quantity: usize, x: i32) -> L {
        debug_assert!(x >= -(Stage::margin(self.reach) as i32));
        debug_assert!(x + L::COUNT as i32 <= (self.cells + Stage::margin(self.reach)) as i32);
        // SAFETY: `Stage::view_from` has checked that from every place there are these words.
        unsafe {
            L::load_unchecked(
                self.words,
                (place + self.down + quantity * self.quantity).wrapping_add_signed(x as isize),
            )
        }
    }
}
