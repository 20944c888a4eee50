//! A pass over a lattice that is divided into bands. Threads take the bands one by one.

use crate::cells::band::Scratch;
use crate::cells::context::MAX_WRITES;
use crate::parallel::Divisible;
use crate::state::fields::RowMark;

/// Consecutive bands of the lattice.
pub(super) struct Bands<'a> {
    /// The index of the first band.
    pub first: usize,
    /// For each field that the pass writes: the number of words of a band.
    pub words: [usize; MAX_WRITES],
    /// The number of rows of a band that have marks; 0 in a flat world.
    pub rows: usize,
    /// For each field that the pass writes: the words of the bands. The other entries are empty.
    pub write: [&'a mut [u32]; MAX_WRITES],
    /// For each field that the pass writes: the marks of the rows of the bands; empty in a flat world.
    pub marks: [&'a mut [RowMark]; MAX_WRITES],
    /// The working memory of each band.
    pub scratch: &'a mut [Scratch],
}

impl Divisible for Bands<'_> {
    fn parts(&self) -> usize {
        self.scratch.len()
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        let Self { first, words, rows, write, marks, scratch } = self;
        let (scratch, scratch_after) = scratch.split_at_mut(middle);
        let (write, write_after) = split_each(write, words.map(|words| middle * words));
        let (marks, marks_after) = split_each(marks, [middle * rows; MAX_WRITES]);
        let before = Self { first, words, rows, write, marks, scratch };
        let after =
            Self { first: first + middle, words, rows, write: write_after, marks: marks_after, scratch: scratch_after };
        (before, after)
    }
}

/// Splits each list at its own place, or at its end if the list is shorter.
fn split_each<T>(
    mut lists: [&mut [T]; MAX_WRITES],
    places: [usize; MAX_WRITES],
) -> ([&mut [T]; MAX_WRITES], [&mut [T]; MAX_WRITES]) {
    let mut after: [&mut [T]; MAX_WRITES] = Default::default();
    for ((list, after), place) in lists.iter_mut().zip(&mut after).zip(places) {
        let whole = std::mem::take(list);
        (*list, *after) = whole.split_at_mut(place.min(whole.len()));
    }
    (lists, after)
}
