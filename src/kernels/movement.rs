//! Movement: what `outflow` and `advect` do, in one pass, from V as `behaviour` leaves it: turned where the way is blocked.
//!
//! The outflows of three rows are kept at a time, so that they never leave the cache.

use super::outflow::{BILINEAR, NEAREST, SPLIT};
use super::{Band, Scene};
use crate::fields::{FieldView, LANES};
use crate::lanes::Lanes;

/// Rows of outflows that are kept.
const KEPT: usize = 3;
/// Cells beside a row's own whose outflows are kept, on either side.
const BESIDE: usize = 1;

/// The words of scratch that a band needs for rows of so many cells.
pub fn scratch_words(width: usize) -> usize {
    KEPT * 3 * row_words(width)
}

/// The words of one row of one outflow: the row's chunks and the cells beside, in whole chunks.
fn row_words(width: usize) -> usize {
    (width.next_multiple_of(LANES) + 2 * BESIDE).next_multiple_of(LANES)
}

/// Fills rows of D' and of V''. Reads the density, the capacity and the control vector.
#[inline(always)]
pub fn play<L: Lanes>(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    match scene.parameters.distribution {
        NEAREST => rows::<L, NEAREST>(scene, band),
        SPLIT => rows::<L, SPLIT>(scene, band),
        _ => rows::<L, BILINEAR>(scene, band),
    }
}

#[inline(always)]
fn rows<L: Lanes, const METHOD: u32>(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    let [out_density, out_control] = &mut *band.write else { unreachable!("movement writes two fields") };
    let row_words = row_words(scene.extents.width as usize);
    for (index, y) in band.rows.clone().enumerate() {
        for row in if index == 0 { y - 1 } else { y + 1 }..=y + 1 {
            let kept = &mut band.scratch[place(row) * row_words..][..3 * row_words];
            give::<L, METHOD>(scene, row, kept);
        }
        let [above, level, below] = [place(y - 1), place(y), place(y + 1)].map(|row| row * row_words);
        let outflows = [&band.scratch[above..], &band.scratch[level..], &band.scratch[below..]];
        let row = index * scene.stride..(index + 1) * scene.stride;
        let out_density = bytemuck::cast_slice_mut(&mut out_density[row.clone()]);
        let out_control = bytemuck::cast_slice_mut(&mut out_control[row]);
        take::<L>(scene, y, outflows, row_words, out_density, out_control);
    }
}

/// Where the outflows of a row are kept, in rows of one outflow.
#[inline(always)]
fn place(y: i32) -> usize {
    (y + 1) as usize % KEPT * 3
}

/// The components of packed vectors.
#[inline(always)]
pub fn unpacked<L: Lanes>(word: L) -> (L, L) {
    (word.shift_left::<16>().shift_right::<16>(), word.shift_right::<16>())
}

/// Vectors as they are stored.
#[inline(always)]
pub fn packed<L: Lanes>(x: L, y: L) -> L {
    x.and(L::all(0xffff)).or(y.shift_left::<16>())
}

/// The part `fraction / ONE` of amounts, rounded down ([`crate::numbers::multiply_fraction`]).
#[inline(always)]
fn multiply_fraction<L: Lanes>(amount: L, fraction: L) -> L {
    let low = amount.and(L::all(0x3fff)).multiply(fraction).shift_right_unsigned::<14>();
    amount.shift_right_unsigned::<14>().wrapping_multiply(fraction).wrapping_add(low)
}

/// Rows y - 1, y and y + 1 of a field.
#[inline(always)]
pub fn around(field: FieldView<'_>, y: i32) -> [&[i32]; 3] {
    [field.row(y - 1), field.row(y), field.row(y + 1)]
}

/// What the cells ahead have, on x, on y and across, by the signs of V.
#[inline(always)]
fn ahead<L: Lanes>(rows: &[&[i32]; 3], at: usize, x: L, y: L) -> [L; 3] {
    let [above, level, below] = *rows;
    let beyond = y.select(L::load(&above[at..]), L::load(&below[at..]));
    [along(level, at, x), beyond, y.select(along(above, at, x), along(below, at, x))]
}

/// What the cell beside has, by the sign of V_x.
#[inline(always)]
fn along<L: Lanes>(row: &[i32], at: usize, x: L) -> L {
    x.select(L::load(&row[at - 1..]), L::load(&row[at + 1..]))
}

/// Puts what the cells of row y give along x, along y and along both into the three thirds of `kept`, from the cell before
/// the row's first on.
#[inline(always)]
fn give<L: Lanes, const METHOD: u32>(scene: &Scene<'_>, y: i32, kept: &mut [i32]) {
    let (density, capacity, control) = (around(scene.read[0], y), around(scene.read[1], y), scene.read[2].row(y));
    let (along_x, rest) = kept.split_at_mut(kept.len() / 3);
    let (along_y, along_both) = rest.split_at_mut(rest.len() / 2);
    for cell in (0..along_x.len()).step_by(L::COUNT) {
        let at = scene.halo - BESIDE + cell;
        let (v_x, v_y) = unpacked(L::load(&control[at..]));
        let here = L::load(&density[1][at..]);
        let (density, capacity) = (ahead(&density, at, v_x, v_y), ahead(&capacity, at, v_x, v_y));
        let shares = shares::<L, METHOD>(v_x.absolute(), v_y.absolute());
        given(here, shares[0], capacity[0], density[0]).store(&mut along_x[cell..]);
        given(here, shares[1], capacity[1], density[1]).store(&mut along_y[cell..]);
        given(here, shares[2], capacity[2], density[2]).store(&mut along_both[cell..]);
    }
}

/// What a cell gives to another: its share, and at most an eighth of the room there.
#[inline(always)]
fn given<L: Lanes>(here: L, share: L, capacity: L, density: L) -> L {
    let room = capacity.subtract_down_to_zero(density).shift_right_unsigned::<3>();
    multiply_fraction(here, share).min_unsigned(room)
}

/// [`super::outflow::shares`] of vectors with components of these sizes.
#[inline(always)]
fn shares<L: Lanes, const METHOD: u32>(x: L, y: L) -> [L; 3] {
    let (a, b) = (x.max(y), x.min(y));
    match METHOD {
        NEAREST => {
            let both = a.add(b);
            let is_diagonal = a.multiply(a).shift_left::<1>().less(both.multiply(both));
            let axis = is_diagonal.select(L::all(0), a);
            let is_level = x.less(y);
            [is_level.select(L::all(0), axis), is_level.select(axis, L::all(0)), is_diagonal.and(a)]
        }
        SPLIT => [x.subtract(b), y.subtract(b), b],
        _ => {
            let both = x.multiply(y).shift_right::<14>();
            [x.subtract(both), y.subtract(both), both]
        }
    }
}

/// What comes to some cells: how much, and the sums of V over it, weighted by amounts that were shifted.
struct Arriving<L> {
    shift: Option<L>,
    now: L,
    weight: L,
    x: L,
    y: L,
}

impl<L: Lanes> Arriving<L> {
    #[inline(always)]
    fn add(&mut self, amount: L, v: (L, L)) {
        self.now = self.now.wrapping_add(amount);
        let Some(bits) = self.shift else {
            // What overflows here is worked out again with a shift.
            self.weight = self.now;
            self.x = self.x.wrapping_add(amount.wrapping_multiply(v.0));
            self.y = self.y.wrapping_add(amount.wrapping_multiply(v.1));
            return;
        };
        let part = amount.shift_right_by(bits);
        self.weight = self.weight.add(part);
        self.x = self.x.add(part.multiply(v.0));
        self.y = self.y.add(part.multiply(v.1));
    }

    /// Adds all that comes to the cells at `at`; `cell`: the same in the outflows.
    #[inline(always)]
    fn gather(
        shift: Option<L>,
        stayed: L,
        outflows: [&[i32]; 3],
        row_words: usize,
        control: [&[i32]; 3],
        at: usize,
        cell: usize,
    ) -> Self {
        let nothing = L::all(0);
        let mut arriving = Self { shift, now: nothing, weight: nothing, x: nothing, y: nothing };
        arriving.add(stayed, unpacked(L::load(&control[1][at..])));
        // Spelt out neighbour by neighbour, with the signs that V has where it points here.
        macro_rules! from {
            ($row:literal, $column:literal, $along:literal, |$x:ident, $y:ident| $points_here:expr) => {
                let amount = L::load(&outflows[$row][$along * row_words + cell + $column..]);
                let ($x, $y) = unpacked(L::load(&control[$row][at + $column - 1..]));
                arriving.add($points_here.select(amount, nothing), ($x, $y));
            };
        }
        from!(0, 0, 2, |x, y| nothing.subtract(x).and(nothing.subtract(y)));
        from!(0, 1, 1, |x, y| nothing.subtract(y));
        from!(0, 2, 2, |x, y| x.and(nothing.subtract(y)));
        from!(1, 0, 0, |x, y| nothing.subtract(x));
        from!(1, 2, 0, |x, y| x);
        from!(2, 0, 2, |x, y| nothing.subtract(x).and(y));
        from!(2, 1, 1, |x, y| y);
        from!(2, 2, 2, |x, y| x.and(y));
        arriving
    }
}

/// Fills row y of D' and of V'' from the outflows of the three rows around it.
#[inline(always)]
fn take<L: Lanes>(
    scene: &Scene<'_>,
    y: i32,
    outflows: [&[i32]; 3],
    row_words: usize,
    out_density: &mut [i32],
    out_control: &mut [i32],
) {
    let (density, control) = (scene.read[0].row(y), around(scene.read[2], y));
    let carries = scene.parameters.carry != 0;
    for cell in (0..(scene.extents.width as usize).next_multiple_of(LANES)).step_by(L::COUNT) {
        let at = scene.halo + cell;
        let mut stayed = L::load(&density[at..]);
        for along in 0..3 {
            stayed = stayed.wrapping_subtract(L::load(&outflows[1][along * row_words + cell + BESIDE..]));
        }
        let mut arriving = Arriving::gather(None, stayed, outflows, row_words, control, at, cell);
        arriving.now.store(&mut out_density[at..]);
        let own = L::load(&control[1][at..]);
        if !carries {
            own.store(&mut out_control[at..]);
            continue;
        }
        // Where no cell holds two boids nothing is shifted; that was taken for granted so far.
        let shift = L::all(15).subtract(arriving.now.leading_zeros().min(L::all(15)));
        if L::all(0).less(shift).any() {
            arriving = Arriving::gather(Some(shift), stayed, outflows, row_words, control, at, cell);
        }
        let divisor = arriving.weight.divisor();
        let mean = packed(arriving.x.quotient(divisor), arriving.y.quotient(divisor));
        arriving.now.equal(L::all(0)).select(own, mean).store(&mut out_control[at..]);
    }
}
