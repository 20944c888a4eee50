//! Sums over the sights of cells, from the staged rows of a `Window`.
//! The twin is `shaders/perception/sums.wgsl`.
//!
//! A sight of few scattered vectors is summed vector by vector. A sight of long columns is summed by the change from
//! one row to the next. Each column loses the cell above its upper end and gains the cell at its lower end. The cost
//! then grows with the radius and not with its square. The first row of a band is summed in full. Boxes have sums of
//! their own (`BoxSums`). A contrast is summed cell by cell.

use super::boxes::BoxSums;
use super::sights::{Column, PreparedSight, SumKind};
use super::window::{QUANTITIES, Window, margin};
use crate::cells::sight::{Contrast, MAX_VECTORS};
use crate::lanes::Lanes;

/// The method by which the sums of a row are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SumMethod {
    /// Vector by vector.
    Single,
    /// By groups of mirrored vectors.
    Mirrored,
    /// From the sums of the row above.
    Sliding,
}

/// The sums of one rule over its sight for the cells of the current row.
pub struct SightSums<'a> {
    pub sight: &'a PreparedSight,
    /// Whether the sums slide from the second row of a band onwards.
    slides: bool,
    /// Whether the rule sums p and p times a vector (cohesion and separation), and not p·V (alignment).
    is_weighted: bool,
    method: SumMethod,
    /// Indices in the window, for the first cell of the row. There is one for each perceptual vector, in the order of
    /// the method. For sliding sums there is one for each column's gain and one for its loss.
    places: &'a mut [usize],
    /// The number of entries of `places` in use.
    used: usize,
    /// The three sums of each cell of the row above, if they slide.
    previous: [&'a mut [i32]; 3],
    boxes: Option<BoxSums<'a>>,
    columns: usize,
}

impl<'a> SightSums<'a> {
    /// The words of working memory for `columns` columns.
    pub fn words(columns: usize, reach: i32) -> usize {
        BoxSums::words(columns + 2 * margin(reach)).max(3 * columns)
    }

    /// The max number of entries of `places`.
    pub const MAX_PLACES: usize = MAX_VECTORS;

    pub fn new(
        sight: &'a PreparedSight,
        kind: SumKind,
        window: &Window<'_>,
        places: &'a mut [usize],
        words: &'a mut [i32],
        columns: usize,
    ) -> Self {
        let slides = kind.slides(&sight.vectors, sight.columns.len() + 2 * sight.mirrored_columns.len());
        let is_weighted = kind != SumKind::Momentum;
        let (previous, boxes) = match kind.box_radius(sight.box_radius) {
            Some(radius) => (Default::default(), Some(BoxSums::new(kind, radius, window, words))),
            None => {
                let mut rows = words.chunks_mut(columns);
                ([0; 3].map(|_| rows.next().unwrap_or_default()), None)
            }
        };
        Self { sight, slides, is_weighted, method: SumMethod::Single, places, used: 0, previous, boxes, columns }
    }

    /// Prepares the sums of the current row. `is_first`: the row is the first of a band, so there are no sums of the
    /// row above.
    #[inline(always)]
    pub fn advance<L: Lanes>(&mut self, window: &Window<'_>, is_first: bool) {
        if let Some(boxes) = &mut self.boxes {
            return boxes.advance::<L>(window, is_first);
        }
        if self.sight.contrast.is_some() {
            return;
        }
        self.method = match &self.sight.mirrored {
            _ if self.slides && !is_first => SumMethod::Sliding,
            Some(_) if self.is_weighted => SumMethod::Mirrored,
            _ => SumMethod::Single,
        };
        let (mut used, mut farthest) = (0, 0);
        let mut put = |column: i32, row: i32| {
            let place = window.place(column, row);
            self.places[used] = place;
            (used, farthest) = (used + 1, Ord::max(farthest, place));
        };
        match (&self.sight.mirrored, self.method) {
            (_, SumMethod::Sliding) => {
                for Column { column, first, last } in &self.sight.columns {
                    put(*column, *last);
                    put(*column, first - 1);
                }
                for Column { column, first, last } in &self.sight.mirrored_columns {
                    put(*column, *last);
                    put(*column, first - 1);
                    put(-column, *last);
                    put(-column, first - 1);
                }
            }
            (Some(mirrored), SumMethod::Mirrored) => {
                for &[x, _] in &mirrored.horizontal {
                    put(x, 0);
                    put(-x, 0);
                }
                for &[y, _] in &mirrored.vertical {
                    put(0, y);
                    put(0, -y);
                }
                for &[[x, y], _] in &mirrored.diagonal {
                    put(x, y);
                    put(-x, y);
                    put(x, -y);
                    put(-x, -y);
                }
                if mirrored.has_own {
                    put(0, 0);
                }
            }
            _ => {
                for &[column, row, _] in &self.sight.vectors {
                    put(column, row);
                }
            }
        }
        self.used = used;
        // The bounds check for all unchecked loads: from each place, any cell of the row, in every quantity.
        assert!(farthest + (QUANTITIES - 1) * window.width + self.columns <= window.words.len());
    }

    /// The sums of the row above.
    #[inline(always)]
    fn load<L: Lanes>(&self, cell: usize) -> [L; 3] {
        let [seen, x, y] = &self.previous;
        [L::load(&seen[cell..]), L::load(&x[cell..]), L::load(&y[cell..])]
    }

    /// Keeps the sums for the row below if they slide. Returns the sums.
    #[inline(always)]
    fn store<L: Lanes>(&mut self, cell: usize, sums: [L; 3]) -> [L; 3] {
        if self.slides {
            let [seen, x, y] = &mut self.previous;
            sums[0].store(&mut seen[cell..]);
            sums[1].store(&mut x[cell..]);
            sums[2].store(&mut y[cell..]);
        }
        sums
    }

    /// A staged quantity of the cells from `cell` on, seen from a place.
    #[inline(always)]
    fn staged<L: Lanes>(&self, window: &Window<'_>, place: usize, quantity: usize, cell: usize) -> L {
        debug_assert!(cell + L::COUNT <= self.columns);
        // SAFETY: `advance` has checked that from every place there are `columns` words of each quantity.
        unsafe { L::load_unchecked(window.words, place + quantity * window.width + cell) }
    }

    /// Cohesion: Σ p, Σ x·p and Σ y·p of the cells from `cell` on.
    #[inline(always)]
    pub fn centre<L: Lanes>(&mut self, window: &Window<'_>, cell: usize) -> [L; 3] {
        if let Some(boxes) = &self.boxes {
            return boxes.sums(cell);
        }
        if self.method != SumMethod::Sliding {
            let sums = self.weighted(window, cell, false);
            return self.store(cell, sums);
        }
        let [mut seen, mut x, mut y] = self.load::<L>(cell);
        // One row further down, every y is smaller by 1.
        y = y.subtract(seen);
        // Each column adds gained - lost to Σ p, column·(gained - lost) to Σ x·p, and last·gained - (first - 1)·lost to
        // Σ y·p.
        let (single, mirrored) = self.places[..self.used].split_at(2 * self.sight.columns.len());
        for (index, run) in self.sight.columns.iter().enumerate() {
            let places = &single[2 * index..][..2];
            let gained: L = self.staged(window, places[0], 0, cell);
            let lost: L = self.staged(window, places[1], 0, cell);
            let change = gained.subtract(lost);
            seen = seen.add(change);
            x = x.add(change.multiply_half_by(run.column as i16));
            y = y.add(gained.multiply_half_by(run.last as i16)).add(lost.multiply_half_by(1 - run.first as i16));
        }
        for (index, run) in self.sight.mirrored_columns.iter().enumerate() {
            let places = &mirrored[4 * index..][..4];
            let gained_right: L = self.staged(window, places[0], 0, cell);
            let lost_right: L = self.staged(window, places[1], 0, cell);
            let gained_left: L = self.staged(window, places[2], 0, cell);
            let lost_left: L = self.staged(window, places[3], 0, cell);
            let (gained, lost) = (gained_right.add(gained_left), lost_right.add(lost_left));
            seen = seen.add(gained.subtract(lost));
            let difference = gained_right.subtract(gained_left).subtract(lost_right.subtract(lost_left));
            x = x.add(difference.multiply_half_by(run.column as i16));
            y = y.add(gained.multiply_half_by(run.last as i16)).add(lost.multiply_half_by(1 - run.first as i16));
        }
        self.store(cell, [seen, x, y])
    }

    /// Cohesion by contrast: the divisor and the numerator along x and y of the cells from `cell` on ([`Contrast`]).
    ///
    /// n_x and n_y are the numerators. w is the weight of an offset along an axis, and (x, y) the offset from the cell.
    /// The sums over row y are A = Σ_x w(x)·p, D = Σ_x (w(x-1) - w(x+1))·p and S = Σ_x (w(x-1) + w(x+1))·p.
    ///
    /// ```text
    /// n_x = 2·Σ_y w(y)·D(y)    n_y = 2·Σ_y (w(y-1) - w(y+1))·A(y)    divisor = Σ_y w(y)·S(y) + (w(y-1) + w(y+1))·A(y)
    /// ```
    #[inline(always)]
    pub fn contrast<L: Lanes>(&self, window: &Window<'_>, contrast: &Contrast, cell: usize) -> [L; 3] {
        let weight = |offset: i32| contrast.weight_along(offset);
        let reach = self.sight.reach;
        let [mut seen, mut x, mut y] = [L::splat(0); 3];
        for row in -reach..=reach {
            let [mut all, mut difference, mut both] = [L::splat(0); 3];
            for column in -reach..=reach {
                let p = L::load(&window.words[window.place(column, row) + cell..]);
                let [ahead, behind] = [weight(column - 1), weight(column + 1)];
                all = all.add(p.multiply(L::splat(weight(column))));
                difference = difference.add(p.multiply(L::splat(ahead - behind)));
                both = both.add(p.multiply(L::splat(ahead + behind)));
            }
            let [own, ahead, behind] = [row, row - 1, row + 1].map(weight);
            x = x.add(difference.multiply(L::splat(2 * own)));
            y = y.add(all.multiply(L::splat(2 * (ahead - behind))));
            seen = seen.add(both.multiply(L::splat(own))).add(all.multiply(L::splat(ahead + behind)));
        }
        [seen, x, y]
    }

    /// Alignment: Σ p, Σ p·V_x and Σ p·V_y of the cells from `cell` on.
    #[inline(always)]
    pub fn momentum<L: Lanes>(&mut self, window: &Window<'_>, cell: usize) -> [L; 3] {
        if let Some(boxes) = &self.boxes {
            return boxes.sums(cell);
        }
        if self.method != SumMethod::Sliding {
            let [mut seen, mut x, mut y] = [L::splat(0); 3];
            for place in &self.places[..self.used] {
                seen = seen.add(self.staged(window, *place, 0, cell));
                x = x.add(self.staged(window, *place, 1, cell));
                y = y.add(self.staged(window, *place, 2, cell));
            }
            return self.store(cell, [seen, x, y]);
        }
        let [mut seen, mut x, mut y] = self.load::<L>(cell);
        for places in self.places[..self.used].chunks_exact(2) {
            let [gained, lost] = [places[0], places[1]];
            seen = seen.add(self.staged::<L>(window, gained, 0, cell).subtract(self.staged(window, lost, 0, cell)));
            x = x.add(self.staged::<L>(window, gained, 1, cell).subtract(self.staged(window, lost, 1, cell)));
            y = y.add(self.staged::<L>(window, gained, 2, cell).subtract(self.staged(window, lost, 2, cell)));
        }
        self.store(cell, [seen, x, y])
    }

    /// Separation: Σ p·s/|s|² (Q10) of the cells from `cell` on.
    #[inline(always)]
    pub fn pressure<L: Lanes>(&self, window: &Window<'_>, cell: usize) -> [L; 2] {
        let [_, x, y] = self.weighted::<L>(window, cell, true);
        [x, y]
    }

    /// Σ p and Σ k·p. k is each perceptual vector, or its pull if `by_pulls`.
    #[inline(always)]
    fn weighted<L: Lanes>(&self, window: &Window<'_>, cell: usize, by_pulls: bool) -> [L; 3] {
        let [mut seen, mut x, mut y] = [L::splat(0); 3];
        let (Some(mirrored), SumMethod::Mirrored) = (&self.sight.mirrored, self.method) else {
            let weights = if by_pulls { &self.sight.pulls } else { &self.sight.vectors };
            for (index, place) in self.places[..self.used].iter().enumerate() {
                let [weight_x, weight_y, _] = &weights[index];
                let p: L = self.staged(window, *place, 0, cell);
                seen = seen.add(p);
                x = x.add(p.multiply_half_by(*weight_x as i16));
                y = y.add(p.multiply_half_by(*weight_y as i16));
            }
            return [seen, x, y];
        };
        let (horizontal, rest) = self.places[..self.used].split_at(2 * mirrored.horizontal.len());
        let (vertical, rest) = rest.split_at(2 * mirrored.vertical.len());
        let (diagonal, own) = rest.split_at(4 * mirrored.diagonal.len());
        let by = usize::from(by_pulls);
        for (index, weights) in mirrored.horizontal.iter().enumerate() {
            let places = &horizontal[2 * index..][..2];
            let [right, left] = [self.staged::<L>(window, places[0], 0, cell), self.staged(window, places[1], 0, cell)];
            seen = seen.add(right.add(left));
            x = x.add(right.subtract(left).multiply_half_by(weights[by] as i16));
        }
        for (index, weights) in mirrored.vertical.iter().enumerate() {
            let places = &vertical[2 * index..][..2];
            let [below, above] =
                [self.staged::<L>(window, places[0], 0, cell), self.staged(window, places[1], 0, cell)];
            seen = seen.add(below.add(above));
            y = y.add(below.subtract(above).multiply_half_by(weights[by] as i16));
        }
        for (index, weights) in mirrored.diagonal.iter().enumerate() {
            let places = &diagonal[4 * index..][..4];
            let [weight_x, weight_y] = weights[by];
            let right_below: L = self.staged(window, places[0], 0, cell);
            let left_below: L = self.staged(window, places[1], 0, cell);
            let right_above: L = self.staged(window, places[2], 0, cell);
            let left_above: L = self.staged(window, places[3], 0, cell);
            let (falling, rising) = (right_below.subtract(left_above), right_above.subtract(left_below));
            seen = seen.add(right_below.add(left_above)).add(right_above.add(left_below));
            x = x.add(falling.add(rising).multiply_half_by(weight_x as i16));
            y = y.add(falling.subtract(rising).multiply_half_by(weight_y as i16));
        }
        for place in own {
            seen = seen.add(self.staged(window, *place, 0, cell));
        }
        [seen, x, y]
    }
}
