//! Cohesion by contrast ([`crate::sight::Contrast`]) in a deep world, at a cost that hardly grows with the radii: the perceived
//! density is blurred by two boxes along x, then along y by sums that slide from row to row, then along z by sums that slide
//! from slice to slice. All sums are exact, so the order of the axes does not show.

use super::context::{PassContext, perceive};
use super::rules::control_of_cohesion;
use crate::lanes::{Lanes, MAX_LANES};
use crate::sight::Contrast;

/// The slices of C that are kept: the present one and its neighbours.
const KEPT: usize = 3;

/// The sizes of the slices, and where each part of the working memory begins.
#[derive(Clone, Copy)]
pub struct ContrastLayout {
    radii: [usize; 2],
    /// Words of a row: the cells of the lattice, one more on either side, and a chunk.
    row: usize,
    /// Rows of a slice: those of the lattice, and one more on either side.
    rows: usize,
}

impl ContrastLayout {
    pub fn new(contrast: &Contrast, width: usize, height: usize) -> Self {
        let row = (width + 2).next_multiple_of(MAX_LANES) + MAX_LANES;
        Self { radii: contrast.radii.map(|radius| radius as usize), row, rows: height + 2 }
    }

    /// Cells that a blur looks to every side.
    fn reach(&self) -> usize {
        self.radii[0] + self.radii[1]
    }

    fn slice(&self) -> usize {
        self.rows * self.row
    }

    /// Rows that a blur along y reads.
    fn read_rows(&self) -> usize {
        self.rows + 2 * self.reach()
    }

    /// The words of the slices in each part: those blurred along x and y, those blurred by the first box along z, the two sliding sums,
    /// and those of C.
    fn parts(&self) -> [usize; 4] {
        [2 * self.radii[0] + 2, 2 * self.radii[1] + 2, 2, KEPT].map(|slices| slices * self.slice())
    }

    /// The words of a row while it is blurred along x.
    fn wide_row(&self) -> usize {
        self.row + 2 * self.reach() + MAX_LANES
    }

    /// The words of working memory.
    pub fn words(&self) -> usize {
        let along_y = 2 * self.read_rows() * self.row + 2 * self.row;
        self.parts().iter().sum::<usize>() + along_y + 2 * self.wide_row()
    }
}

/// The blurred density around the present slice.
pub struct ContrastSums<'a> {
    layout: ContrastLayout,
    /// Rings of slices: blurred along x and y; and blurred by the first box along z too.
    blurred: &'a mut [i32],
    first: &'a mut [i32],
    /// The sums that slide from slice to slice: of the first box, and of the second.
    sliding: &'a mut [i32],
    /// C of the present slice and of its neighbours.
    kept: &'a mut [i32],
    /// Rows blurred along x, and by the first box along y; two sums that slide from row to row; two rows on the way.
    rows: &'a mut [i32],
}

impl<'a> ContrastSums<'a> {
    pub fn new(layout: ContrastLayout, words: &'a mut [i32]) -> Self {
        let [blurred, first, sliding, kept] = layout.parts();
        let (blurred, rest) = words.split_at_mut(blurred);
        let (first, rest) = rest.split_at_mut(first);
        let (sliding, rest) = rest.split_at_mut(sliding);
        let (kept, rows) = rest.split_at_mut(kept);
        blurred.fill(0);
        first.fill(0);
        sliding.fill(0);
        // What lies beyond the last cell of a row is summed with it, in lanes that are never read.
        rows.fill(0);
        Self { layout, blurred, first, sliding, kept, rows }
    }

    /// Cells that the blur looks to every side.
    pub fn reach(&self) -> i32 {
        self.layout.reach() as i32
    }

    /// Takes the next slice of the density; C is then known as far as the blur's reach before it.
    #[inline(always)]
    pub fn advance<L: Lanes>(&mut self, context: &PassContext<'_>, slice: i32) {
        let layout = self.layout;
        let size = layout.slice();
        let [first, second] = layout.radii;
        let ring = |slice: i32, slices: usize| slice.rem_euclid(slices as i32) as usize * size;
        let [new, old] = [slice, slice - 2 * first as i32 - 1].map(|slice| ring(slice, 2 * first + 2));
        self.blur_slice::<L>(context, slice, new);
        let [new_first, old_first] = [slice, slice - 2 * second as i32 - 1].map(|slice| ring(slice, 2 * second + 2));
        let kept = ring(slice - self.reach(), KEPT);
        let (sum_first, sum_second) = self.sliding.split_at_mut(size);
        for cell in (0..size).step_by(L::COUNT) {
            let change = L::load(&self.blurred[new + cell..]).subtract(L::load(&self.blurred[old + cell..]));
            let sum = L::load(&sum_first[cell..]).add(change);
            sum.store(&mut sum_first[cell..]);
            sum.store(&mut self.first[new_first + cell..]);
            let sum = L::load(&sum_second[cell..]).add(sum).subtract(L::load(&self.first[old_first + cell..]));
            sum.store(&mut sum_second[cell..]);
            sum.store(&mut self.kept[kept + cell..]);
        }
    }

    /// Blurs a slice of the perceived density along x and y.
    #[inline(always)]
    fn blur_slice<L: Lanes>(&mut self, context: &PassContext<'_>, slice: i32, to: usize) {
        let layout = self.layout;
        let (reach, [first, second]) = (layout.reach(), layout.radii);
        if is_slice_unseen::<L>(context, layout, slice) {
            self.blurred[to..to + layout.slice()].fill(0);
            return;
        }
        let all = layout.read_rows() * layout.row;
        let (along_x, rest) = self.rows.split_at_mut(all);
        let (along_y, rest) = rest.split_at_mut(all);
        let (sums, wide) = rest.split_at_mut(2 * layout.row);
        let (sum_first, sum_second) = sums.split_at_mut(layout.row);
        sum_first.fill(0);
        sum_second.fill(0);
        for row in 0..layout.read_rows() {
            let y = row as i32 - 1 - reach as i32;
            let own = row * layout.row;
            blur_row::<L>(context, layout, [y, slice], wide, &mut along_x[own..own + layout.row]);
            for cell in (0..layout.row).step_by(L::COUNT) {
                let mut sum = L::load(&sum_first[cell..]).add(L::load(&along_x[own + cell..]));
                if let Some(gone) = row.checked_sub(2 * first + 1) {
                    sum = sum.subtract(L::load(&along_x[gone * layout.row + cell..]));
                }
                sum.store(&mut sum_first[cell..]);
                sum.store(&mut along_y[own + cell..]);
                let mut sum = L::load(&sum_second[cell..]).add(sum);
                if let Some(gone) = row.checked_sub(2 * second + 1) {
                    sum = sum.subtract(L::load(&along_y[gone * layout.row + cell..]));
                }
                sum.store(&mut sum_second[cell..]);
                if let Some(centre) = row.checked_sub(2 * reach) {
                    sum.store(&mut self.blurred[to + centre * layout.row + cell..]);
                }
            }
        }
    }

    /// v_c (Q10) of the cells from x on.
    #[inline(always)]
    pub fn control<L: Lanes>(&self, x: i32, [y, z]: [i32; 2]) -> [L; 3] {
        let layout = self.layout;
        let [slice, before, after] = [z, z - 1, z + 1].map(|z| z.rem_euclid(KEPT as i32) as usize * layout.slice());
        let row = (y + 1) as usize * layout.row;
        let at = row + (x + 1) as usize;
        let load = |place: usize| -> L { L::load(&self.kept[place..]) };
        let pairs = [
            [load(slice + at - 1), load(slice + at + 1)],
            [load(slice + at - layout.row), load(slice + at + layout.row)],
            [load(before + at), load(after + at)],
        ];
        let (mut seen, mut centre) = (L::splat(0), [L::splat(0); 3]);
        for axis in 0..3 {
            let [behind, ahead] = pairs[axis];
            seen = seen.add(behind).add(ahead);
            centre[axis] = ahead.subtract(behind).multiply(L::splat(3));
        }
        control_of_cohesion(centre, seen, 1)
    }
}

/// Whether no cell that the blur of a slice reads is perceived at all.
#[inline(always)]
fn is_slice_unseen<L: Lanes>(context: &PassContext<'_>, layout: ContrastLayout, slice: i32) -> bool {
    let reach = layout.reach() as i32;
    let mut greatest = L::splat(0);
    for row in 0..layout.read_rows() as i32 {
        for x in context.chunks::<L>() {
            greatest = greatest.max_unsigned(context.read[0].lanes_of(0, x, [row - 1 - reach, slice]));
        }
        if L::splat(0).less_than(perceive(greatest, context.parameters)).any() {
            return false;
        }
    }
    true
}

/// Blurs a row of the perceived density by both boxes along x: from the cell before the first one to the one after the last one.
#[inline(always)]
fn blur_row<L: Lanes>(
    context: &PassContext<'_>,
    layout: ContrastLayout,
    row: [i32; 2],
    wide: &mut [i32],
    out: &mut [i32],
) {
    let (perceived, once) = wide.split_at_mut(layout.wide_row());
    let first_cell = -1 - layout.reach() as i32;
    let length = context.layout.extents.width as usize + 2 + 2 * layout.reach();
    let [first, second] = layout.radii;
    for cell in (0..length).step_by(L::COUNT) {
        let p = perceive(context.read[0].lanes_of::<L>(0, first_cell + cell as i32, row), context.parameters);
        p.store(&mut perceived[cell..]);
    }
    for cell in (0..length - 2 * first).step_by(L::COUNT) {
        sum_of::<L>(perceived, cell, 2 * first + 1).store(&mut once[cell..]);
    }
    for cell in (0..context.layout.extents.width as usize + 2).step_by(L::COUNT) {
        sum_of::<L>(once, cell, 2 * second + 1).store(&mut out[cell..]);
    }
}

/// The sums of `count` neighbouring numbers, from each of the first lanes on.
#[inline(always)]
fn sum_of<L: Lanes>(numbers: &[i32], first: usize, count: usize) -> L {
    let mut sum = L::splat(0);
    for next in first..first + count {
        sum = sum.add(L::load(&numbers[next..]));
    }
    sum
}
