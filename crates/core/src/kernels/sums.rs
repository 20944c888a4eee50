//! Sums over the sights of cells, from rows that are staged once for all rules.
//!
//! A sight of few scattered vectors is summed vector by vector. One of long columns is summed by what changes from one row
//! to the next: each column loses the cell at its upper end and gains one at its lower end, so that the cost grows with
//! the radius and not with its square. The first row of a band is summed in full. What a box costs does not grow at all.

use super::PreparedSight;
use super::behaviour::LOOKING;
use super::boxes::Boxes;
use crate::lanes::Lanes;
use crate::sight::MOST_VECTORS;

/// What is staged: p, p·V_x and p·V_y.
const QUANTITIES: usize = 3;

/// A vertical run of perceptual vectors: (column, first) to (column, last).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub column: i32,
    pub first: i32,
    pub last: i32,
}

/// The vertical runs of a sight's vectors, from the left.
pub fn columns(vectors: &[[i32; 2]]) -> Vec<Column> {
    let mut vectors = vectors.to_vec();
    vectors.sort_unstable();
    let mut columns: Vec<Column> = Vec::new();
    for [x, y] in vectors {
        match columns.last_mut() {
            Some(run) if run.column == x && run.last + 1 == y => run.last = y,
            _ => columns.push(Column { column: x, first: y, last: y }),
        }
    }
    columns
}

/// Whether sums over a sight are made from those of the row above, because that takes fewer reads than single vectors: two a
/// column. What is weighted by pulls is not: they change from row to row.
pub fn slides(summed: Summed, vectors: &[[i32; 2]], columns: &[Column]) -> bool {
    summed != Summed::Pressure && 2 * columns.len() < vectors.len()
}

/// The radius of the box as which sums over a sight are made, if they are: from a radius of 3 on, where the GPU and the CPU
/// win by it. What is weighted by pulls has no such sums.
pub fn as_box(summed: Summed, box_radius: Option<i32>) -> Option<i32> {
    box_radius.filter(|radius| summed != Summed::Pressure && *radius >= 3)
}

/// The staged rows around the row in hand, of a few columns of the lattice and those in reach beside them.
pub struct Window<'a> {
    pub words: &'a mut [i32],
    /// Words of a row of one quantity.
    pub width: usize,
    /// Cells staged on either side of the columns.
    pub beside: usize,
    pub reach: i32,
    /// Where the row in hand is kept.
    slot: i32,
}

/// Staged cells on either side, in whole vector registers.
fn beside(reach: i32) -> usize {
    (reach as usize).next_multiple_of(16)
}

/// Rows that are kept: those in reach, and the one above them, which the sums lose.
fn rows(reach: i32) -> i32 {
    2 * reach + 2
}

impl<'a> Window<'a> {
    /// The words of a window on so many columns.
    pub fn words(columns: usize, reach: i32) -> usize {
        rows(reach) as usize * QUANTITIES * (columns + 2 * beside(reach))
    }

    /// A window on so many columns.
    pub fn new(words: &'a mut [i32], columns: usize, reach: i32) -> Self {
        Self { words, width: columns + 2 * beside(reach), beside: beside(reach), reach, slot: 0 }
    }

    /// Takes the next row in hand.
    pub fn advance(&mut self) {
        self.slot = (self.slot + 1) % rows(self.reach);
    }

    /// The three quantities of a row in reach, from the first staged cell on.
    pub fn row(&self, row: i32) -> [&[i32]; QUANTITIES] {
        let place = self.place(-(self.beside as i32), row);
        let words = &self.words[place..][..QUANTITIES * self.width];
        let (seen, rest) = words.split_at(self.width);
        let (of_x, of_y) = rest.split_at(self.width);
        [seen, of_x, of_y]
    }

    /// Where the first quantity is kept of the cell `column` columns right of the first one worked on, `row` rows from the one
    /// in hand: at most as many as the reach, and one more above. The other quantities follow, `width` words apart.
    pub fn place(&self, column: i32, row: i32) -> usize {
        let all = rows(self.reach);
        let slot = (self.slot + row + all) % all;
        slot as usize * QUANTITIES * self.width + (self.beside as i32 + column) as usize
    }
}

/// The perceptual vectors of a sight that is its own mirror image, by those that mirror each other: all have one weight but
/// for the signs, so that one multiplication does for all.
#[derive(Debug, Clone, Default)]
pub struct Mirrored {
    pub has_own: bool,
    /// (x, 0) and (-x, 0), as x and separation's pull.
    pub level: Vec<[i32; 2]>,
    /// (0, y) and (0, -y), as y and the pull.
    pub upright: Vec<[i32; 2]>,
    /// (±x, ±y), as (x, y) and the pull.
    pub slanted: Vec<[[i32; 2]; 2]>,
}

impl Mirrored {
    /// `None` where a mirror image is missing.
    pub fn new(vectors: &[[i32; 2]], pulls: &[[i32; 2]]) -> Option<Self> {
        let has = |x: i32, y: i32| vectors.contains(&[x, y]);
        if !vectors.iter().all(|&[x, y]| has(-x, y) && has(x, -y)) {
            return None;
        }
        let mut mirrored = Self { has_own: has(0, 0), ..Self::default() };
        for (&[x, y], &pull) in vectors.iter().zip(pulls) {
            match (x, y) {
                (1.., 0) => mirrored.level.push([x, pull[0]]),
                (0, 1..) => mirrored.upright.push([y, pull[1]]),
                (1.., 1..) => mirrored.slanted.push([[x, y], pull]),
                _ => (),
            }
        }
        Some(mirrored)
    }
}

/// How the sums over a sight are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// Vector by vector.
    Single,
    /// By vectors that mirror each other.
    Mirrored,
    /// From those of the row above.
    Sliding,
}

/// How the sums over one sight are made in the row in hand, and those of the row above.
pub struct Summing<'a> {
    sight: &'a PreparedSight,
    /// Whether it ever slides.
    slides: bool,
    /// Whether it looks at p alone, weighted by vectors.
    is_weighted: bool,
    method: Method,
    /// Where in the window each perceptual vector of the first cell leads, in the order of the method; or each column's gain
    /// and loss.
    places: &'a mut [usize],
    used: usize,
    /// The three sums of each cell of the row.
    kept: &'a mut [i32],
    boxes: Option<Boxes<'a>>,
    columns: usize,
}

/// What a rule sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Summed {
    /// p and s·p.
    Centre,
    /// p·s/|s|².
    Pressure,
    /// p and p·V.
    Momentum,
}

impl Summed {
    /// What cohesion, separation and alignment sum.
    pub const BY_RULE: [Self; LOOKING] = [Self::Centre, Self::Pressure, Self::Momentum];
}

impl<'a> Summing<'a> {
    /// The words of what it keeps for so many columns.
    pub fn kept_words(columns: usize, reach: i32) -> usize {
        Boxes::kept_words(columns + 2 * beside(reach)).max(3 * columns)
    }

    /// The most places that it may need.
    pub const MOST_PLACES: usize = MOST_VECTORS;

    pub fn new(
        sight: &'a PreparedSight,
        summed: Summed,
        window: &Window<'_>,
        places: &'a mut [usize],
        kept: &'a mut [i32],
        columns: usize,
    ) -> Self {
        let slides = slides(summed, &sight.vectors, &sight.columns);
        let is_weighted = summed != Summed::Momentum;
        let (kept, boxes) = match as_box(summed, sight.box_radius) {
            Some(radius) => (&mut [][..], Some(Boxes::new(summed, radius, window, kept))),
            None => (kept, None),
        };
        Self { sight, slides, is_weighted, method: Method::Single, places, used: 0, kept, boxes, columns }
    }

    /// Prepares for the row in hand. `is_first`: nothing is known of the row above.
    #[inline(always)]
    pub fn take<L: Lanes>(&mut self, window: &Window<'_>, is_first: bool) {
        if let Some(boxes) = &mut self.boxes {
            return boxes.take::<L>(window, is_first);
        }
        self.method = match &self.sight.mirrored {
            _ if self.slides && !is_first => Method::Sliding,
            Some(_) if self.is_weighted => Method::Mirrored,
            _ => Method::Single,
        };
        self.used = 0;
        let mut put = |column: i32, row: i32| {
            self.places[self.used] = window.place(column, row);
            self.used += 1;
        };
        match (&self.sight.mirrored, self.method) {
            (_, Method::Sliding) => {
                for run in &self.sight.columns {
                    put(run.column, run.last);
                    put(run.column, run.first - 1);
                }
            }
            (Some(mirrored), Method::Mirrored) => {
                mirrored.level.iter().for_each(|&[x, _]| [x, -x].into_iter().for_each(|x| put(x, 0)));
                mirrored.upright.iter().for_each(|&[y, _]| [y, -y].into_iter().for_each(|y| put(0, y)));
                for &[[x, y], _] in &mirrored.slanted {
                    [[x, y], [-x, y], [x, -y], [-x, -y]].into_iter().for_each(|[x, y]| put(x, y));
                }
                if mirrored.has_own {
                    put(0, 0);
                }
            }
            _ => self.sight.vectors.iter().for_each(|&[column, row]| put(column, row)),
        }
        // What is loaded later without a check: each of these places, any cell of the row from there, in every quantity.
        let farthest = self.places[..self.used].iter().copied().max().unwrap_or(0);
        assert!(farthest + (QUANTITIES - 1) * window.width + self.columns <= window.words.len());
    }

    /// Those of the row above.
    #[inline(always)]
    fn load<L: Lanes>(&self, cell: usize) -> [L; 3] {
        let (seen, rest) = self.kept.split_at(self.columns);
        let (x, y) = rest.split_at(self.columns);
        [L::load(&seen[cell..]), L::load(&x[cell..]), L::load(&y[cell..])]
    }

    #[inline(always)]
    fn store<L: Lanes>(&mut self, cell: usize, sums: [L; 3]) -> [L; 3] {
        if self.slides {
            sums[0].store(&mut self.kept[cell..]);
            sums[1].store(&mut self.kept[self.columns + cell..]);
            sums[2].store(&mut self.kept[2 * self.columns + cell..]);
        }
        sums
    }

    /// A quantity of some cells from a place on.
    #[inline(always)]
    fn staged<L: Lanes>(&self, window: &Window<'_>, place: usize, quantity: usize, cell: usize) -> L {
        debug_assert!(cell + L::COUNT <= self.columns);
        // SAFETY: `take` has seen that every place has room for the whole row in each quantity.
        unsafe { L::load_unchecked(window.words, place + quantity * window.width + cell) }
    }

    /// Σ p, Σ x·p and Σ y·p of some cells.
    #[inline(always)]
    pub(super) fn weighted<L: Lanes>(&mut self, window: &Window<'_>, cell: usize) -> [L; 3] {
        if let Some(boxes) = &self.boxes {
            return boxes.sums(cell);
        }
        if self.method != Method::Sliding {
            let sums = self.by_vectors(window, cell, false);
            return self.store(cell, sums);
        }
        let [mut seen, mut x, mut y] = self.load::<L>(cell);
        // A row further down, each cell in sight is a row further up.
        y = y.subtract(seen);
        for (places, run) in self.places.chunks_exact(2).zip(&self.sight.columns) {
            let gained: L = self.staged(window, places[0], 0, cell);
            let lost: L = self.staged(window, places[1], 0, cell);
            let change = gained.subtract(lost);
            seen = seen.add(change);
            x = x.add(change.multiply(L::splat(run.column)));
            // last·gained - (first - 1)·lost
            y = y.add(gained.multiply(L::splat(run.last))).subtract(lost.multiply(L::splat(run.first - 1)));
        }
        self.store(cell, [seen, x, y])
    }

    /// Σ p, Σ p·V_x and Σ p·V_y of some cells.
    #[inline(always)]
    pub(super) fn plain<L: Lanes>(&mut self, window: &Window<'_>, cell: usize) -> [L; 3] {
        if let Some(boxes) = &self.boxes {
            return boxes.sums(cell);
        }
        if self.method != Method::Sliding {
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

    /// Σ p·s/|s|² (Q10) of some cells.
    #[inline(always)]
    pub(super) fn pressure<L: Lanes>(&self, window: &Window<'_>, cell: usize) -> [L; 2] {
        let [_, x, y] = self.by_vectors::<L>(window, cell, true);
        [x, y]
    }

    /// Σ p and Σ k·p for a vector k for each perceptual vector: itself, or separation's pull.
    #[inline(always)]
    fn by_vectors<L: Lanes>(&self, window: &Window<'_>, cell: usize, by_pulls: bool) -> [L; 3] {
        let [mut seen, mut x, mut y] = [L::splat(0); 3];
        let (Some(mirrored), Method::Mirrored) = (&self.sight.mirrored, self.method) else {
            let weights = if by_pulls { &self.sight.pulls } else { &self.sight.vectors };
            for (place, [weight_x, weight_y]) in self.places[..self.used].iter().zip(weights) {
                let p: L = self.staged(window, *place, 0, cell);
                seen = seen.add(p);
                x = x.add(p.multiply(L::splat(*weight_x)));
                y = y.add(p.multiply(L::splat(*weight_y)));
            }
            return [seen, x, y];
        };
        let (level, rest) = self.places[..self.used].split_at(2 * mirrored.level.len());
        let (upright, rest) = rest.split_at(2 * mirrored.upright.len());
        let (slanted, own) = rest.split_at(4 * mirrored.slanted.len());
        let by = usize::from(by_pulls);
        for (places, weights) in level.chunks_exact(2).zip(&mirrored.level) {
            let [right, left] = [self.staged::<L>(window, places[0], 0, cell), self.staged(window, places[1], 0, cell)];
            seen = seen.add(right.add(left));
            x = x.add(right.subtract(left).multiply(L::splat(weights[by])));
        }
        for (places, weights) in upright.chunks_exact(2).zip(&mirrored.upright) {
            let [below, above] =
                [self.staged::<L>(window, places[0], 0, cell), self.staged(window, places[1], 0, cell)];
            seen = seen.add(below.add(above));
            y = y.add(below.subtract(above).multiply(L::splat(weights[by])));
        }
        for (places, weights) in slanted.chunks_exact(4).zip(&mirrored.slanted) {
            let [weight_x, weight_y] = weights[by];
            let right_below: L = self.staged(window, places[0], 0, cell);
            let left_below: L = self.staged(window, places[1], 0, cell);
            let right_above: L = self.staged(window, places[2], 0, cell);
            let left_above: L = self.staged(window, places[3], 0, cell);
            let (falling, rising) = (right_below.subtract(left_above), right_above.subtract(left_below));
            seen = seen.add(right_below.add(left_above)).add(right_above.add(left_below));
            x = x.add(falling.add(rising).multiply(L::splat(weight_x)));
            y = y.add(falling.subtract(rising).multiply(L::splat(weight_y)));
        }
        for place in own {
            seen = seen.add(self.staged(window, *place, 0, cell));
        }
        [seen, x, y]
    }
}
