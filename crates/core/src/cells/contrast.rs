//! Cohesion by contrast ([`crate::cells::sight::Contrast`]) in a deep world, at a cost that hardly grows with the
//! radii. Two boxes blur the perceived density along x, then along y, then along z. The sums along y slide from row to
//! row, and those along z from slice to slice. All sums are exact, so the order of the axes does not matter. The twins
//! are `shaders/perception/blur.wgsl` and `shaders/perception/contrast.wgsl`.

use super::context::{PassContext, SlicePart, perceive};
use super::rules::control_of_contrast;
use crate::cells::sight::Contrast;
use crate::lanes::{Lanes, MAX_LANES};
use crate::world::Edges;
use std::ops::Range;

/// The number of kept slices of C, the blurred density: the present slice and its neighbours.
const KEPT: usize = 3;
/// The max lanes of a single register. Rows are whole registers.
const REGISTER: usize = MAX_LANES / 2;

/// The sizes of the slices, and the place of each part of the working memory.
#[derive(Clone, Copy)]
pub struct ContrastLayout {
    radii: [usize; 2],
    /// Words of a row: the cells of the lattice in whole registers, and one more cell on either side.
    row: usize,
    /// Rows of a slice: the rows of the lattice, and one more on either side.
    rows: usize,
}

impl ContrastLayout {
    pub fn new(contrast: &Contrast, width: usize, height: usize) -> Self {
        let row = (width.next_multiple_of(REGISTER) + 2).next_multiple_of(REGISTER);
        Self { radii: contrast.radii.map(|radius| radius as usize), row, rows: height + 2 }
    }

    /// The reach of the blur on every side, in cells.
    #[inline(always)]
    fn reach(&self) -> usize {
        self.radii[0] + self.radii[1]
    }

    /// The place in `kept` of slice z, in words.
    #[inline(always)]
    fn kept_slice(&self, z: i32) -> usize {
        z.rem_euclid(KEPT as i32) as usize * self.slice()
    }

    #[inline(always)]
    fn slice(&self) -> usize {
        self.rows * self.row
    }

    /// Sets a part of a slice to 0.
    fn clear(&self, part: &BlurredPart, slice: &mut [i32]) {
        for row in part.rows.clone() {
            slice[row * self.row..][part.words.clone()].fill(0);
        }
    }

    /// The number of rows that a blur along y reads.
    fn read_rows(&self) -> usize {
        self.rows + 2 * self.reach()
    }

    /// The words of each part: the slices blurred along x and y; the slices blurred by the first box along z; two
    /// sliding sums; C.
    fn parts(&self) -> [usize; 4] {
        [2 * self.radii[0] + 2, 2 * self.radii[1] + 2, 2, KEPT].map(|slices| slices * self.slice())
    }

    /// The words of C that the cells of a part of the slices read, and the rows that these words are made of. The part
    /// is one cell larger on every side, in whole registers.
    fn blurred(&self, part: &SlicePart) -> BlurredPart {
        let SlicePart { rows, cells } = part;
        let (first, end) = (rows.start as usize, rows.end as usize + 2);
        let last_word = ((cells.end as usize).next_multiple_of(REGISTER) + 2).next_multiple_of(REGISTER);
        BlurredPart {
            read: first..end + 2 * self.reach(),
            rows: first..end,
            words: cells.start as usize / REGISTER * REGISTER..last_word.min(self.row),
        }
    }

    /// The words of a row during the blur along x.
    fn wide_row(&self) -> usize {
        self.row + 2 * self.reach() + MAX_LANES
    }

    /// The words that are kept of a row, over all slices.
    pub fn words_of_row(&self) -> usize {
        self.parts().iter().sum::<usize>() / self.rows
    }

    /// The number of words of the whole working memory.
    pub fn words(&self) -> usize {
        let along_y = 2 * self.read_rows() * self.row + 4 * self.row;
        self.parts().iter().sum::<usize>() + along_y + 2 * self.wide_row()
    }
}

/// The part of the slices that is computed.
#[derive(Clone)]
struct BlurredPart {
    /// The rows that a blur along y reads.
    read: Range<usize>,
    /// The computed rows of C, the blurred density. Slices that are blurred along y have the same computed rows.
    rows: Range<usize>,
    /// The words of each of these rows.
    words: Range<usize>,
}

/// The blurred density around the present slice.
pub struct ContrastSums<'a> {
    layout: ContrastLayout,
    part: BlurredPart,
    /// The ring of slices blurred along x and y.
    blurred: &'a mut [i32],
    /// The ring of slices blurred also along z by the first box.
    first: &'a mut [i32],
    /// The sums that slide from slice to slice: of the first box, then of the second.
    sliding: &'a mut [i32],
    /// C of the present slice and of its neighbours.
    kept: &'a mut [i32],
    /// Rows blurred along x; rows blurred by the first box along y; two sums that slide from row to row; a row of
    /// zeros; a row for results that nothing reads; two rows for the blur along x.
    rows: &'a mut [i32],
    /// The next slice of the density to add; `None` before the first one.
    next: Option<i32>,
    /// The number of added slices since the last slice in which a cell was perceived.
    unseen: usize,
}

impl<'a> ContrastSums<'a> {
    /// Sums for the cells of a part of the slices.
    pub fn new(layout: ContrastLayout, part: &SlicePart, words: &'a mut [i32]) -> Self {
        let [blurred, first, sliding, kept] = layout.parts();
        let (blurred, rest) = words.split_at_mut(blurred);
        let (first, rest) = rest.split_at_mut(first);
        let (sliding, rest) = rest.split_at_mut(sliding);
        let (kept, rows) = rest.split_at_mut(kept);
        // Lanes beyond the last cell of a row are summed as well, but never read.
        rows.fill(0);
        Self { layout, part: layout.blurred(part), blurred, first, sliding, kept, rows, next: None, unseen: 0 }
    }

    /// Adds the slices of the density that C of a slice and of its neighbours is made of. Calls may skip slices, and
    /// never return to an earlier one.
    #[inline(always)]
    pub fn prepare<L: Lanes>(&mut self, context: &PassContext<'_>, slice: i32) {
        let around = 1 + self.layout.reach() as i32;
        let first = slice - around;
        let next = self.next.filter(|next| *next > first);
        if next.is_none() {
            for slices in [&mut *self.blurred, &mut *self.first, &mut *self.sliding] {
                slices.chunks_exact_mut(self.layout.slice()).for_each(|slice| self.layout.clear(&self.part, slice));
            }
            self.unseen = 0;
        }
        for slice in next.unwrap_or(first)..=slice + around {
            self.advance::<L>(context, slice);
        }
        self.next = Some(slice + around + 1);
    }

    /// Adds the next slice of the density. C is then complete up to the slice that lies the blur's reach before it.
    #[inline(always)]
    fn advance<L: Lanes>(&mut self, context: &PassContext<'_>, slice: i32) {
        let layout = self.layout;
        let size = layout.slice();
        let [first, second] = layout.radii;
        let ring = |slice: i32, slices: usize| slice.rem_euclid(slices as i32) as usize * size;
        let [new, old] = [slice, slice - 2 * first as i32 - 1].map(|slice| ring(slice, 2 * first + 2));
        if context.is_slice_awake(slice) && is_slice_read::<L>(context, layout, slice) {
            self.unseen = 0;
            self.blur_slice::<L>(context, slice, new);
        } else if self.unseen < 2 * layout.reach() + 3 + KEPT {
            self.unseen += 1;
            layout.clear(&self.part, &mut self.blurred[new..new + size]);
        } else {
            // All sums have become zeros.
            return;
        }
        let [new_first, old_first] = [slice, slice - 2 * second as i32 - 1].map(|slice| ring(slice, 2 * second + 2));
        let kept = ring(slice - layout.reach() as i32, KEPT);
        let (sum_first, sum_second) = self.sliding.split_at_mut(size);
        let BlurredPart { rows, words, .. } = self.part.clone();
        for row in rows {
            let [at, end] = [words.start, words.end].map(|word| row * layout.row + word);
            let part = |slice: usize| slice + at..slice + end;
            let change = [&self.blurred[part(new)], &self.blurred[part(old)]];
            slide::<L>(&mut sum_first[at..end], change, &mut self.first[part(new_first)]);
            let change = [&self.first[part(new_first)], &self.first[part(old_first)]];
            slide::<L>(&mut sum_second[at..end], change, &mut self.kept[part(kept)]);
        }
    }

    /// Blurs a slice of the perceived density along x and y. `to`: the place of the result in `blurred`, in words.
    #[inline(always)]
    fn blur_slice<L: Lanes>(&mut self, context: &PassContext<'_>, slice: i32, to: usize) {
        let layout = self.layout;
        let (reach, [first, second]) = (layout.reach(), layout.radii);
        let BlurredPart { words, rows, .. } = self.part.clone();
        let read = self.rows_to_read(context, slice);
        let all = layout.read_rows() * layout.row;
        let (along_x, rest) = self.rows.split_at_mut(all);
        let (along_y, rest) = rest.split_at_mut(all);
        let (sums, rest) = rest.split_at_mut(2 * layout.row);
        let (sum_first, sum_second) = sums.split_at_mut(layout.row);
        let (spare, wide) = rest.split_at_mut(2 * layout.row);
        let (zeros, unwanted) = spare.split_at_mut(layout.row);
        sum_first.fill(0);
        sum_second.fill(0);
        if read != self.part.read {
            layout.clear(&self.part, &mut self.blurred[to..to + layout.slice()]);
        }
        let (zeros, part) =
            (&zeros[words.clone()], |row: usize| row * layout.row + words.start..row * layout.row + words.end);
        let centres = rows.start + 2 * reach..rows.end + 2 * reach;
        for row in read.clone() {
            let y = row as i32 - 1 - reach as i32;
            let own = row * layout.row;
            if context.is_row_awake([y, slice]) {
                blur_row::<L>(context, layout, [y, slice], &words, wide, &mut along_x[own..own + layout.row]);
            } else {
                along_x[part(row)].fill(0);
            }
            // Sums begin with the first row that is read.
            let before = |radius: usize| row.checked_sub(2 * radius + 1).filter(|before| *before >= read.start);
            let old = before(first).map_or(zeros, |before| &along_x[part(before)]);
            slide::<L>(&mut sum_first[words.clone()], [&along_x[part(row)], old], &mut along_y[part(row)]);
            let out = if centres.contains(&row) {
                &mut self.blurred[to..][part(row - 2 * reach)]
            } else {
                &mut unwanted[words.clone()]
            };
            let old = before(second).map_or(zeros, |before| &along_y[part(before)]);
            slide::<L>(&mut sum_second[words.clone()], [&along_y[part(row)], old], out);
        }
    }

    /// The rows that a blur of a slice reads. In all other rows nothing is perceived, or the result is not needed.
    fn rows_to_read(&self, context: &PassContext<'_>, slice: i32) -> Range<usize> {
        let (read, reach, height) = (&self.part.read, self.layout.reach(), context.layout.extents.height as usize);
        let Some(SlicePart { rows, .. }) = context.awake_part(slice..slice + 1) else { return read.clone() };
        let (first, end) = (rows.start as usize, rows.end as usize);
        if context.layout.edges == Edges::Torus && (first <= reach || end + reach >= height) {
            // On a torus these rows are seen from the other end too.
            return read.clone();
        }
        // Row y of the lattice is read as row y + 1 + reach. The sums of the 2·reach rows after it include it.
        Ord::max(read.start, first + 1 + reach)..Ord::min(read.end, end + 1 + 3 * reach)
    }

    /// The control vectors v_c of cohesion (Q10) of the cells from x on.
    #[inline(always)]
    pub fn control<L: Lanes>(&self, x: i32, [y, z]: [i32; 2]) -> [L; 3] {
        let layout = self.layout;
        let slice = layout.kept_slice(z);
        let (before, after) = (layout.kept_slice(z - 1), layout.kept_slice(z + 1));
        let row = (y + 1) as usize * layout.row;
        let at = row + (x + 1) as usize;
        let pairs = [
            [slice + at - 1, slice + at + 1],
            [slice + at - layout.row, slice + at + layout.row],
            [before + at, after + at],
        ];
        let (mut seen, mut centre) = (L::splat(0), [L::splat(0); 3]);
        for axis in 0..3 {
            let (behind, ahead) = (L::load(&self.kept[pairs[axis][0]..]), L::load(&self.kept[pairs[axis][1]..]));
            seen = seen.add(behind).add(ahead);
            centre[axis] = ahead.subtract(behind).multiply(L::splat(3));
        }
        control_of_contrast(centre, seen)
    }
}

/// Whether any cell that the blur of a slice reads is perceived.
#[inline(always)]
fn is_slice_read<L: Lanes>(context: &PassContext<'_>, layout: ContrastLayout, slice: i32) -> bool {
    let reach = layout.reach() as i32;
    let mut greatest = L::splat(0);
    for row in 0..layout.read_rows() as i32 {
        if !context.is_row_awake([row - 1 - reach, slice]) {
            continue;
        }
        for x in context.chunks::<L>() {
            greatest = greatest.max_unsigned(context.read[0].lanes_of(x, [row - 1 - reach, slice]));
        }
        if L::splat(0).less_than(perceive(greatest, context.parameters)).any() {
            return true;
        }
    }
    false
}

/// Blurs a row of the perceived density by both boxes along x, into `out`. `words`: the range of words of `out` that
/// are computed. The first word of a row belongs to the cell before the first cell, and the last word to the cell after
/// the last cell. `wide`: working memory.
#[inline(always)]
fn blur_row<L: Lanes>(
    context: &PassContext<'_>,
    layout: ContrastLayout,
    row: [i32; 2],
    words: &Range<usize>,
    wide: &mut [i32],
    out: &mut [i32],
) {
    let (perceived, once) = wide.split_at_mut(layout.wide_row());
    let first_cell = -1 - layout.reach() as i32;
    let length = context.layout.extents.width as usize + 2 + 2 * layout.reach();
    let [first, second] = layout.radii;
    for cell in (words.start..(words.end + 2 * layout.reach()).min(length)).step_by(L::COUNT) {
        let p = perceive(context.read[0].lanes_of::<L>(first_cell + cell as i32, row), context.parameters);
        p.store(&mut perceived[cell..]);
    }
    for cell in (words.start..(words.end + 2 * second).min(length - 2 * first)).step_by(L::COUNT) {
        sum_of::<L>(perceived, cell, 2 * first + 1).store(&mut once[cell..]);
    }
    for cell in (words.start..words.end.min(context.layout.extents.width as usize + 2)).step_by(L::COUNT) {
        sum_of::<L>(once, cell, 2 * second + 1).store(&mut out[cell..]);
    }
}

/// The sums of `count` successive numbers, one sum per lane. The sum of the first lane begins at `first`.
#[inline(always)]
fn sum_of<L: Lanes>(numbers: &[i32], first: usize, count: usize) -> L {
    let numbers = &numbers[first..][..count + L::COUNT];
    let mut sum = L::splat(0);
    for next in 0..count {
        // SAFETY: the slice holds `count` + `L::COUNT` numbers, and `next` is below `count`.
        sum = sum.add(unsafe { L::load_unchecked(numbers, next) });
    }
    sum
}

/// Moves sums on by one row or slice: adds the new numbers and subtracts the old ones.
#[inline(always)]
fn slide<L: Lanes>(sums: &mut [i32], [new, old]: [&[i32]; 2], out: &mut [i32]) {
    for word in (0..sums.len()).step_by(L::COUNT) {
        let change = L::load(&new[word..]).subtract(L::load(&old[word..]));
        let next = L::load(&sums[word..]).add(change);
        next.store(&mut sums[word..]);
        next.store(&mut out[word..]);
    }
}
