//! Sums over boxes, whose cost does not grow with the radius: each column of the box slides from row to row, and running sums
//! along the row say what so many columns beside each other hold.
//!
//! Running sums wrap around 2^32. Their differences are exact all the same, because every true sum fits in 32 bits (design,
//! section 2).

use super::sums::{Summed, Window};
use crate::lanes::Lanes;

/// What is summed down the columns, and the running sums of that.
const KEPT: usize = 6;

/// The sums over a box for the row in hand.
pub struct Boxes<'a> {
    summed: Summed,
    radius: i32,
    /// Cells staged on either side of the columns worked on.
    beside: usize,
    /// For each staged cell Σ p of its column of the box and, for cohesion, Σ y·p, for alignment Σ p·V_x and Σ p·V_y.
    columns: [&'a mut [i32]; 3],
    /// The sums of all before each staged cell: of Σ p, then for cohesion of x·Σ p and Σ y·p, with x counted from the
    /// first staged cell, for alignment of the others.
    before: [&'a mut [i32]; 3],
}

impl<'a> Boxes<'a> {
    /// The words of what is kept of a window on so many staged cells.
    pub const fn kept_words(staged: usize) -> usize {
        KEPT * (staged + 1)
    }

    /// For cohesion or alignment.
    pub fn new(summed: Summed, radius: i32, window: &Window<'_>, kept: &'a mut [i32]) -> Self {
        let mut rows = kept.chunks_exact_mut(window.width + 1);
        let mut three = || [0; 3].map(|_| rows.next().expect("there is room for what is kept"));
        let (columns, before) = (three(), three());
        let mut boxes = Self { summed, radius, beside: window.beside, columns, before };
        // Before the first there is nothing.
        boxes.before.iter_mut().for_each(|sums| sums[0] = 0);
        boxes
    }

    /// Takes the next row in hand. `is_first`: nothing is known of the row above.
    #[inline(always)]
    pub fn take<L: Lanes>(&mut self, window: &Window<'_>, is_first: bool) {
        match (is_first, self.summed) {
            (true, _) => {
                self.columns.iter_mut().for_each(|sums| sums.fill(0));
                for row in -self.radius..=self.radius {
                    self.gain::<L>(window, row);
                }
            }
            (false, Summed::Centre) => self.slide_centre::<L>(window),
            (false, _) => self.slide_momentum::<L>(window),
        }
        self.run::<L>();
    }

    /// Adds a row in reach.
    #[inline(always)]
    fn gain<L: Lanes>(&mut self, window: &Window<'_>, row: i32) {
        let [p, of_x, of_y] = window.row(row);
        let [seen, first, second] = &mut self.columns;
        for cell in (0..window.width).step_by(L::COUNT) {
            let p = L::load(&p[cell..]);
            add(seen, cell, p);
            match self.summed {
                Summed::Centre => add(first, cell, p.multiply(L::splat(row))),
                _ => {
                    add(first, cell, L::load(&of_x[cell..]));
                    add(second, cell, L::load(&of_y[cell..]));
                }
            }
        }
    }

    /// Σ p and Σ y·p from those of the row above.
    #[inline(always)]
    fn slide_centre<L: Lanes>(&mut self, window: &Window<'_>) {
        let ([gained, ..], [lost, ..]) = (window.row(self.radius), window.row(-self.radius - 1));
        let [seen, down, _] = &mut self.columns;
        for cell in (0..window.width).step_by(L::COUNT) {
            let (gained, lost) = (L::load(&gained[cell..]), L::load(&lost[cell..]));
            // A row further down, each cell in sight is a row further up.
            let nearer = gained.multiply(L::splat(self.radius)).add(lost.multiply(L::splat(self.radius + 1)));
            add(down, cell, nearer.subtract(L::load(&seen[cell..])));
            add(seen, cell, gained.subtract(lost));
        }
    }

    /// Σ p, Σ p·V_x and Σ p·V_y from those of the row above.
    #[inline(always)]
    fn slide_momentum<L: Lanes>(&mut self, window: &Window<'_>) {
        let (gained, lost) = (window.row(self.radius), window.row(-self.radius - 1));
        for (sums, (gained, lost)) in self.columns.iter_mut().zip(gained.into_iter().zip(lost)) {
            for cell in (0..window.width).step_by(L::COUNT) {
                add(sums, cell, L::load(&gained[cell..]).subtract(L::load(&lost[cell..])));
            }
        }
    }

    /// The running sums of the row.
    #[inline(always)]
    fn run<L: Lanes>(&mut self) {
        let [seen, first, second] = &self.columns;
        let [of_seen, of_first, of_second] = &mut self.before;
        let mut ends = [L::splat(0); 3];
        let width = seen.len() - 1;
        for cell in (0..width).step_by(L::COUNT) {
            let seen = L::load(&seen[cell..]);
            let (first, second) = match self.summed {
                Summed::Centre => {
                    let x = L::iota().add(L::splat(cell as i32));
                    (seen.wrapping_multiply(x), L::load(&first[cell..]))
                }
                _ => (L::load(&first[cell..]), L::load(&second[cell..])),
            };
            ends[0] = run(of_seen, cell, ends[0], seen);
            ends[1] = run(of_first, cell, ends[1], first);
            ends[2] = run(of_second, cell, ends[2], second);
        }
    }

    /// The three sums of some cells: Σ p, Σ x·p and Σ y·p, or Σ p, Σ p·V_x and Σ p·V_y.
    #[inline(always)]
    pub fn sums<L: Lanes>(&self, cell: usize) -> [L; 3] {
        let place = self.beside + cell;
        let (first, last) = (place - self.radius as usize, place + self.radius as usize + 1);
        let mut sums = [L::splat(0); 3];
        for (sum, before) in sums.iter_mut().zip(&self.before) {
            *sum = L::load(&before[last..]).wrapping_subtract(L::load(&before[first..]));
        }
        if self.summed == Summed::Centre {
            // Counted from the cell itself.
            let x = L::iota().add(L::splat(place as i32));
            sums[1] = sums[1].wrapping_subtract(sums[0].wrapping_multiply(x));
        }
        sums
    }
}

/// Adds to the sums of some cells.
#[inline(always)]
fn add<L: Lanes>(sums: &mut [i32], cell: usize, more: L) {
    let sums = &mut sums[cell..];
    L::load(sums).add(more).store(sums);
}

/// Puts the sums of all before the cells that follow `cell`, where `end` is that before `cell` itself; gives the last.
#[inline(always)]
fn run<L: Lanes>(before: &mut [i32], cell: usize, end: L, words: L) -> L {
    let sums = words.prefix_sum().wrapping_add(end);
    sums.store(&mut before[cell + 1..]);
    sums.splat_last()
}
