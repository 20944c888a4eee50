//! The movement between the cells of a deep world, slice by slice.
//!
//! The working memory keeps the outflows of three slices: the amounts for the neighbours ahead, and the control vector
//! V. A cell that rests gives nothing, so no outflows are computed for chunks of resting cells. If all cells around a
//! resting cell rest as well, D' = D and V'' = V.

use crate::cells::band::{Band, BandKernel, BandRow};
use crate::cells::context::{PassContext, is_any_awake, strips};
use crate::cells::shares::MAX_GIVEN as GIVEN;
use crate::cells::transport::{HALO, Inflow, outflows, row_words, rows_around};
use crate::lanes::{Lanes, MIN_LANES};
use crate::state::fields::Row;

/// Movement: the outflows and `advect` in one pass. V is the result of `behaviour`, after the bounce.
///
/// D' = D - given + received;  V'' = mean of V over the boids now here, weighted by the amounts from each cell.
///
/// D is the density. The weights are the amounts >> k, with k the least for which D' >> k < 2^17, so that the sums fit
/// in 32 bits.
///
/// Fills rows of D' and of V''. Reads the density, the capacity and the control vector.
pub struct DeepMovement;

impl BandKernel for DeepMovement {
    #[inline(always)]
    fn run<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        Self::band::<L>(context, band);
    }

    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        let extents = context.layout.extents;
        let kept = KeptSlices { width: extents.width as usize, height: extents.height as usize };
        let cells = context.awake_part(band.pieces.start - 1..band.pieces.end + 1).unwrap_or_default().cells.len();
        for strip in strips(0..extents.height as i32, SLICES * KEPT * row_words(cells)) {
            for (index, z) in band.pieces.clone().enumerate() {
                for slice in if index == 0 { z - 1 } else { z + 1 }..=z + 1 {
                    // In the first slices the scratch still holds words of earlier passes.
                    let is_kept = index > 0;
                    for y in strip.start - HALO as i32..strip.end + HALO as i32 {
                        kept.fill::<L>(context, &mut band.scratch.words, [y, slice], is_kept);
                    }
                }
                let is_slice_awake = (z - 1..=z + 1).any(|z| context.is_slice_awake(z));
                for row in strip.clone().map(|y| [y, z]) {
                    let own = BandRow::of_slice(context, index, row);
                    let is_awake = is_slice_awake && kept.join_flags::<L>(&mut band.scratch.words, row);
                    if !is_awake {
                        band.keep_row::<L>(context, [0, 0], own);
                        band.keep_row::<L>(context, [2, 1], own);
                        continue;
                    }
                    let givers = kept.givers(&band.scratch.words, row);
                    let [out_density, out_control] = &mut *band.write else { unreachable!("it writes two fields") };
                    givers.receive::<L>(
                        context,
                        row,
                        bytemuck::cast_slice_mut(&mut out_density[own.words(context, 0)]),
                        bytemuck::cast_slice_mut(&mut out_control[own.words(context, 1)]),
                    );
                    band.mark_row::<L>(context, 0, own);
                    band.mark_row::<L>(context, 1, own);
                }
            }
        }
    }
}

/// The offset of each of the 26 neighbours, and the index of the amount that it gives to the cell among the seven
/// amounts that the neighbour gives.
const GIVERS: [([i32; 3], usize); 26] = {
    let mut givers = [([0; 3], 0); 26];
    let mut count = 0;
    let mut index = 0;
    while index < 27 {
        let offset = [index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1];
        let axes = (offset[0] != 0) as usize | ((offset[1] != 0) as usize) << 1 | ((offset[2] != 0) as usize) << 2;
        if axes != 0 {
            givers[count] = (offset, axes - 1);
            count += 1;
        }
        index += 1;
    }
    givers
};

/// Repeats an expression for each index of [`GIVERS`]. The index is a constant in the expression. With a loop, the
/// processor would compute places and signs anew.
macro_rules! for_each_giver {
    (|$GIVER:ident| $each:expr) => {
        for_each_giver!(|$GIVER| $each; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)
    };
    (|$GIVER:ident| $each:expr; $($index:literal)*) => {
        $({
            const $GIVER: usize = $index;
            $each
        })*
    };
}

/// The kept words ([`KEPT`]) of nine rows of cells: of one row, and of its neighbours along y and z. Their cells give
/// amounts to the cells of the row in the middle.
struct GiverRows<'a> {
    words: &'a [i32],
    /// The place of each of the nine rows in `words`. The first index is the offset along z, the second the offset
    /// along y, each plus 1.
    rows: [[usize; 3]; 3],
    row_words: usize,
    /// Whether each chunk has cells that give something. A chunk and its neighbours along x give nothing if its flag
    /// and the [`flags_after`] flags after it are 0.
    flags: &'a [i32],
}

impl GiverRows<'_> {
    /// One kept word of each neighbour of the cells from x on. `word`: its index among [`KEPT`]. `[dx, dy, dz]`: the
    /// offset from a cell to its neighbour.
    #[inline(always)]
    fn word<L: Lanes>(&self, word: usize, [dx, dy, dz]: [i32; 3], x: i32) -> L {
        let row = self.rows[(1 + dz) as usize][(1 + dy) as usize] + word * self.row_words;
        // SAFETY: `receive` has checked that each row holds the cells from x - 1 to one after the last lane.
        unsafe { L::load_unchecked(self.words, (row + HALO).wrapping_add_signed((x + dx) as isize)) }
    }

    /// The control vector of a giver, an index in [`GIVERS`].
    #[inline(always)]
    fn control<L: Lanes>(&self, giver: usize, x: i32) -> [L; 3] {
        let (offset, _) = GIVERS[giver];
        [self.word(GIVEN, offset, x), self.word(GIVEN + 1, offset, x), self.word(GIVEN + 2, offset, x)]
    }

    /// The amount that a giver, an index in [`GIVERS`], gives to each cell from x on. It is the giver's outflow along
    /// the axes of its offset, if the giver's V points to the cell; otherwise 0.
    #[inline(always)]
    fn amount<L: Lanes>(&self, giver: usize, x: i32) -> L {
        let (offset, place) = GIVERS[giver];
        let mut points_here = L::splat(-1);
        for axis in 0..3 {
            // If V is 0 along an axis of an outflow, the outflow is 0, so it may count on either side.
            if offset[axis] > 0 {
                points_here = points_here.and(self.word(GIVEN + axis, offset, x));
            } else if offset[axis] < 0 {
                points_here = points_here.and(L::splat(-1).subtract(self.word(GIVEN + axis, offset, x)));
            }
        }
        points_here.select(self.word(place, offset, x), L::splat(0))
    }

    /// The sums of the amounts that the cells from x on keep and receive. `here`: their density before the movement;
    /// `own`: their V.
    #[inline(always)]
    fn gather<L: Lanes>(&self, here: L, own: [L; 3], x: i32) -> Inflow<L, 3> {
        let mut stays = here;
        for place in 0..GIVEN {
            stays = stays.wrapping_subtract(self.word(place, [0; 3], x));
        }
        let has_enough = here.min_unsigned(stays).equals(stays);
        debug_assert!(!L::splat(-1).wrapping_subtract(has_enough).any(), "a cell gives no more than it has");
        let mut amounts = [L::splat(0); GIVERS.len()];
        let mut now = stays;
        for_each_giver!(|GIVER| {
            amounts[GIVER] = self.amount(GIVER, x);
            now = now.wrapping_add(amounts[GIVER]);
        });
        let shift = Inflow::<L, 3>::shift_of(now);
        let mut all = L::splat(0);
        for_each_giver!(|GIVER| all = all.or(amounts[GIVER]));
        if !L::splat(0).less_than(shift.or(all.shift_right_unsigned::<15>())).any() {
            // The shift is 0. A product with an amount of at most 15 bits takes one instruction.
            let mut received = Inflow::new(None);
            received.add(stays, own);
            for_each_giver!(|GIVER| received.add_small(amounts[GIVER], self.control(GIVER, x)));
            return received;
        }
        let mut received = Inflow::new(Some(shift));
        received.add(stays, own);
        for_each_giver!(|GIVER| received.add(amounts[GIVER], self.control(GIVER, x)));
        received
    }

    /// Fills a row of D' (`out_density`) and of V'' (`out_control`).
    #[inline(always)]
    fn receive<L: Lanes>(&self, context: &PassContext<'_>, row: Row, out_density: &mut [i32], out_control: &mut [i32]) {
        let last = self.rows.as_flattened().iter().max().expect("there are nine rows") + KEPT * self.row_words;
        assert!(last <= self.words.len() && context.layout.extents.width as usize + 2 * HALO <= self.row_words);
        for (chunk, x) in context.chunks::<L>().enumerate() {
            let here: L = context.read[0].lanes_of(x, row);
            let own = context.read[2].vectors::<L, 3>(x, row);
            let (mut now, mut carried) = (here, own);
            let mut any = 0;
            for flag in 0..=flags_after::<L>() {
                any |= self.flags[chunk + flag];
            }
            if any != 0 {
                let received = self.gather(here, own, x);
                now = received.amount;
                if context.parameters.carry != 0 {
                    carried = received.control(own);
                }
            }
            now.store(context.at(out_density, x));
            context.store_vector(out_control, x, carried);
        }
    }
}

/// The number of slices that are kept.
const SLICES: usize = 3;
/// The words that are kept of a cell: the amounts that it gives, and the components of V.
const KEPT: usize = GIVEN + 3;
/// The words of scratch that a band needs for slices of this size.
pub fn scratch_words(width: usize, height: usize) -> usize {
    SLICES * (slice_words(width, height) + (height + 2 * HALO) * flags(width)) + flags(width)
}

/// The max number of chunks of a row with its halo. Each has a flag: whether the chunk has an awake cell.
#[inline(always)]
fn flags(width: usize) -> usize {
    (width + 2 * HALO).div_ceil(MIN_LANES) + 1
}

/// The number of flags after a chunk's own flag that are needed to cover its cells and their neighbours. The first flag
/// of a row begins at the halo before the row.
#[inline(always)]
const fn flags_after<L: Lanes>() -> usize {
    (2 * HALO).div_ceil(L::COUNT)
}

/// The words that are kept of a slice.
#[inline(always)]
fn slice_words(width: usize, height: usize) -> usize {
    (height + 2 * HALO) * KEPT * row_words(width)
}

/// The layout of the three kept slices in the scratch.
struct KeptSlices {
    width: usize,
    height: usize,
}

impl KeptSlices {
    /// The place of a row's kept words in the scratch.
    #[inline(always)]
    fn place(&self, [y, z]: Row) -> usize {
        let slice = (z + SLICES as i32) as usize % SLICES;
        slice * slice_words(self.width, self.height) + (y + HALO as i32) as usize * KEPT * row_words(self.width)
    }

    /// The place of a row's flags in the scratch.
    #[inline(always)]
    fn flags(&self, [y, z]: Row) -> usize {
        let slice = (z + SLICES as i32) as usize % SLICES;
        let row = slice * (self.height + 2 * HALO) + (y + HALO as i32) as usize;
        SLICES * slice_words(self.width, self.height) + row * flags(self.width)
    }

    /// The place in the scratch of the flags that [`Self::join_flags`] joins.
    #[inline(always)]
    fn joined_flags(&self) -> usize {
        SLICES * (slice_words(self.width, self.height) + (self.height + 2 * HALO) * flags(self.width))
    }

    /// Joins the flags of a row and of the eight rows around it. Returns whether any flag is set.
    #[inline(always)]
    fn join_flags<L: Lanes>(&self, scratch: &mut [i32], [y, z]: Row) -> bool {
        let (kept, joined) = scratch.split_at_mut(self.joined_flags());
        let mut rows = [0; 9];
        for (index, row) in rows.iter_mut().enumerate() {
            *row = self.flags([y + index as i32 % 3 - 1, z + index as i32 / 3 - 1]);
        }
        let mut any = 0;
        // A chunk receives from the cells of its own flag and of the flags after it.
        for chunk in 0..self.width.div_ceil(L::COUNT) + flags_after::<L>() {
            joined[chunk] = 0;
            for row in rows {
                joined[chunk] |= kept[row + chunk];
            }
            any |= joined[chunk];
        }
        any != 0
    }

    /// Computes the outflows of a row and of the cells on either side of it. `is_kept`: the words that the outflows
    /// replace belong to an earlier slice of the same pass.
    #[inline(always)]
    fn fill<L: Lanes>(&self, context: &PassContext<'_>, scratch: &mut [i32], row: Row, is_kept: bool) {
        let had_any = !is_kept || scratch[self.flags(row)..][..flags(self.width)].iter().any(|flag| *flag != 0);
        if !had_any && !context.is_row_awake(row) {
            return;
        }
        let rows = rows_around::<3>(context, row);
        let mut awake = context.awake_cells(row);
        if awake.start == 0 || awake.end == self.width as i32 {
            // The halo may be awake too.
            awake = -(HALO as i32)..(self.width + HALO) as i32;
        }
        let (words, flag) = (row_words(self.width), self.flags(row));
        // The row ends at most a register after the last cell. The words after it are no control vectors.
        for cell in (0..self.width + 2 * HALO).step_by(L::COUNT) {
            let x = cell as i32 - HALO as i32;
            let may_be = x < awake.end && x + L::COUNT as i32 > awake.start;
            let is_awake = may_be && is_any_awake(context.read[0].lanes_of::<L>(x, row), context.parameters);
            let flag = &mut scratch[flag + cell / L::COUNT];
            let was_awake = *flag != 0;
            *flag = i32::from(is_awake);
            if is_kept && !is_awake && !was_awake {
                // The slice that was kept here before gave nothing either.
                continue;
            }
            // A cell that gives nothing has no V here, because no cell reads it.
            let mut all = [L::splat(0); KEPT];
            if is_awake {
                let v = context.read[2].vectors::<L, 3>(x, row);
                let outflows = outflows(context, v, &rows, x, row);
                for word in 0..all.len() {
                    all[word] = if word < GIVEN { outflows[word] } else { v[word - GIVEN] };
                }
            }
            let kept = &mut scratch[self.place(row)..][..KEPT * words];
            for (word, lanes) in all.iter().enumerate() {
                lanes.store(&mut kept[word * words + cell..]);
            }
        }
        if is_kept {
            return;
        }
        let filled = (self.width + 2 * HALO).next_multiple_of(L::COUNT);
        scratch[self.flags(row)..][..flags(self.width)][filled / L::COUNT..].fill(0);
        for kept in scratch[self.place(row)..][..KEPT * words].chunks_exact_mut(words) {
            kept[filled..].fill(0);
        }
    }

    /// The places in the scratch of a row and of the rows beside it.
    #[inline(always)]
    fn three_rows(&self, [y, z]: Row) -> [usize; 3] {
        [self.place([y - 1, z]), self.place([y, z]), self.place([y + 1, z])]
    }

    /// The kept words of the rows around a row. The flags are those that were joined last.
    #[inline(always)]
    fn givers<'a>(&self, scratch: &'a [i32], [y, z]: Row) -> GiverRows<'a> {
        GiverRows {
            words: scratch,
            rows: [self.three_rows([y, z - 1]), self.three_rows([y, z]), self.three_rows([y, z + 1])],
            row_words: row_words(self.width),
            flags: &scratch[self.joined_flags()..][..flags(self.width)],
        }
    }
}
