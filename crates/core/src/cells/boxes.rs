//! Sums over boxes, at a cost that does not grow with the radius. The sum down each column of the box slides from row
//! to row. Prefix sums along the row give the sum over any run of columns. The twin is `shaders/perception/boxes.wgsl`.
//!
//! Prefix sums wrap around 2^32. Their differences are exact nevertheless, because every true sum fits in 32 bits
//! (`docs/design.md, Numbers`).
//!
//! In the formulas p is the perceived density of a cell, V its control vector, and (x, y) its offset in cells.

use super::sights::SumKind;
use super::window::Window;
use crate::lanes::Lanes;

/// Rows of working memory: three column sums and their prefix sums.
const ROWS: usize = 6;

/// The sums over a box for the cells of the current row.
pub struct BoxSums<'a> {
    kind: SumKind,
    radius: i32,
    /// The number of cells staged on either side of the columns for which sums are made.
    margin: usize,
    /// The sums of each staged cell down its column of the box: Σ p; then Σ y·p for cohesion, or Σ p·V_x and Σ p·V_y
    /// for alignment.
    columns: [&'a mut [i32]; 3],
    /// The exclusive prefix sums along the row. The first one is of Σ p. The others are of x·Σ p and Σ y·p for
    /// cohesion, or of Σ p·V_x and Σ p·V_y for alignment. x is counted from the first staged cell.
    prefixes: [&'a mut [i32]; 3],
}

impl<'a> BoxSums<'a> {
    /// The words of working memory for this number of staged cells.
    pub const fn words(staged: usize) -> usize {
        ROWS * (staged + 1)
    }

    /// Sums for cohesion or alignment.
    pub fn new(kind: SumKind, radius: i32, window: &Window<'_>, words: &'a mut [i32]) -> Self {
        let mut rows = words.chunks_exact_mut(window.width + 1);
        let mut three = || [0; 3].map(|_| rows.next().expect("the working memory has six rows"));
        let (columns, prefixes) = (three(), three());
        let mut sums = Self { kind, radius, margin: window.margin, columns, prefixes };
        sums.prefixes.iter_mut().for_each(|prefix| prefix[0] = 0);
        sums
    }

    /// Prepares the sums of the current row: from scratch in the first row of a band, by sliding in the others.
    #[inline(always)]
    pub fn advance<L: Lanes>(&mut self, window: &Window<'_>, is_first: bool) {
        match (is_first, self.kind) {
            (true, _) => {
                self.columns.iter_mut().for_each(|sums| sums.fill(0));
                for row in -self.radius..=self.radius {
                    self.add_row::<L>(window, row);
                }
            }
            (false, SumKind::Centre) => self.slide_centre::<L>(window),
            (false, _) => self.slide_momentum::<L>(window),
        }
        self.sum_along_row::<L>();
    }

    /// Adds a row to the column sums.
    #[inline(always)]
    fn add_row<L: Lanes>(&mut self, window: &Window<'_>, row: i32) {
        let [p, momentum_x, momentum_y] = window.row(row);
        let [seen, first, second] = &mut self.columns;
        for cell in (0..window.width).step_by(L::COUNT) {
            let p = L::load(&p[cell..]);
            add(seen, cell, p);
            match self.kind {
                SumKind::Centre => add(first, cell, p.multiply(L::splat(row))),
                _ => {
                    add(first, cell, L::load(&momentum_x[cell..]));
                    add(second, cell, L::load(&momentum_y[cell..]));
                }
            }
        }
    }

    /// Turns the column sums Σ p and Σ y·p of the row above into the column sums of the current row.
    #[inline(always)]
    fn slide_centre<L: Lanes>(&mut self, window: &Window<'_>) {
        let ([gained, ..], [lost, ..]) = (window.row(self.radius), window.row(-self.radius - 1));
        let [seen, down, _] = &mut self.columns;
        for cell in (0..window.width).step_by(L::COUNT) {
            let (gained, lost) = (L::load(&gained[cell..]), L::load(&lost[cell..]));
            // One row further down, every y is smaller by 1.
            let change = gained.multiply(L::splat(self.radius)).add(lost.multiply(L::splat(self.radius + 1)));
            add(down, cell, change.subtract(L::load(&seen[cell..])));
            add(seen, cell, gained.subtract(lost));
        }
    }

    /// Turns the column sums Σ p, Σ p·V_x and Σ p·V_y of the row above into the column sums of the current row.
    #[inline(always)]
    fn slide_momentum<L: Lanes>(&mut self, window: &Window<'_>) {
        let (gained, lost) = (window.row(self.radius), window.row(-self.radius - 1));
        for (sums, (gained, lost)) in self.columns.iter_mut().zip(gained.into_iter().zip(lost)) {
            for cell in (0..window.width).step_by(L::COUNT) {
                add(sums, cell, L::load(&gained[cell..]).subtract(L::load(&lost[cell..])));
            }
        }
    }

    /// Computes the prefix sums from the column sums.
    #[inline(always)]
    fn sum_along_row<L: Lanes>(&mut self) {
        let [seen, first, second] = &self.columns;
        let [seen_prefix, first_prefix, second_prefix] = &mut self.prefixes;
        let mut totals = [L::splat(0); 3];
        let width = seen.len() - 1;
        for cell in (0..width).step_by(L::COUNT) {
            let seen = L::load(&seen[cell..]);
            let (first, second) = match self.kind {
                SumKind::Centre => {
                    let x = L::iota().add(L::splat(cell as i32));
                    (seen.wrapping_multiply(x), L::load(&first[cell..]))
                }
                _ => (L::load(&first[cell..]), L::load(&second[cell..])),
            };
            totals[0] = append(seen_prefix, cell, totals[0], seen);
            totals[1] = append(first_prefix, cell, totals[1], first);
            totals[2] = append(second_prefix, cell, totals[2], second);
        }
    }

    /// The three sums of the cells from `cell` on: Σ p, Σ x·p and Σ y·p, or Σ p, Σ p·V_x and Σ p·V_y.
    #[inline(always)]
    pub fn sums<L: Lanes>(&self, cell: usize) -> [L; 3] {
        let place = self.margin + cell;
        let (first, last) = (place - self.radius as usize, place + self.radius as usize + 1);
        let mut sums = [L::splat(0); 3];
        for sum in 0..3 {
            let prefix = &self.prefixes[sum];
            sums[sum] = L::load(&prefix[last..]).wrapping_subtract(L::load(&prefix[first..]));
        }
        if self.kind == SumKind::Centre {
            // In the prefix sums x is counted from the first staged cell. Here x becomes the offset from the cell.
            let x = L::iota().add(L::splat(place as i32));
            sums[1] = sums[1].wrapping_subtract(sums[0].wrapping_multiply(x));
        }
        sums
    }
}

/// Adds to the sums of the cells from `cell` on.
#[inline(always)]
fn add<L: Lanes>(sums: &mut [i32], cell: usize, more: L) {
    let sums = &mut sums[cell..];
    L::load(sums).add(more).store(sums);
}

/// Appends words to a prefix sum, at the cells from `cell` on. `total` is the sum of all words before them. Returns the
/// total with these words, in every lane.
#[inline(always)]
fn append<L: Lanes>(prefix: &mut [i32], cell: usize, total: L, words: L) -> L {
    let sums = words.prefix_sum().wrapping_add(total);
    sums.store(&mut prefix[cell + 1..]);
    sums.splat_last()
}
