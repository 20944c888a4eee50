//! The cuts that divide a world into slabs, one for each rank (a process of a run on several machines).

use crate::error::Failure;
use crate::ranks::Ranks;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// The maximum number of words that a rank sends to a neighbour in one exchange.
const MAX_WORDS: usize = 1 << 24;

/// The division of a world among ranks. A piece is a row of cells in a flat world, and a slice in a deep world. The
/// list has the first piece of each rank, followed by the number of all pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cuts(Arc<[u32]>);

impl Cuts {
    /// Divides `pieces` pieces into slabs whose numbers of pieces differ by at most 1.
    pub fn even(pieces: u32, ranks: usize) -> Self {
        Self((0..=ranks).map(|rank| (u64::from(pieces) * rank as u64 / ranks as u64) as u32).collect())
    }

    /// Divides the pieces into slabs of about equal load. `loads`: the load of each piece, in any unit. `thickness`:
    /// the allowed numbers of pieces of a slab. `None`: the world has too few or too many pieces for such slabs.
    pub fn by_load(loads: &[u64], ranks: usize, thickness: RangeInclusive<usize>) -> Option<Self> {
        let pieces = loads.len();
        let least = *thickness.start();
        let most = (*thickness.end()).min(loads.len());
        if pieces < ranks * least || pieces > ranks * most {
            return None;
        }
        let total: u128 = loads.iter().map(|load| u128::from(*load)).sum();
        let mut firsts = vec![0];
        let (mut piece, mut before) = (0, 0);
        for rank in 1..ranks {
            // The slab of this rank starts at the piece for which the sum of all loads before it is nearest to `even`.
            let even = total * rank as u128 / ranks as u128;
            let first = firsts[rank - 1] as usize;
            let after = ranks - rank;
            let earliest = (first + least).max(pieces.saturating_sub(after * most));
            let latest = (first + most).min(pieces - after * least);
            while piece < latest && (piece < earliest || before + u128::from(loads[piece] / 2) < even) {
                before += u128::from(loads[piece]);
                piece += 1;
            }
            firsts.push(piece as u32);
        }
        firsts.push(pieces as u32);
        Some(Self(firsts.into()))
    }

    /// The number of pieces of the world.
    pub fn pieces(&self) -> u32 {
        self.0[self.ranks()]
    }

    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        self.0.len() - 1
    }

    /// The pieces of the slab of a rank.
    pub fn slab(&self, rank: usize) -> Range<u32> {
        self.0[rank]..self.0[rank + 1]
    }

    /// The rank whose slab has a piece.
    pub fn rank_of(&self, piece: u32) -> usize {
        self.0.partition_point(|first| *first <= piece) - 1
    }

    /// The number of pieces of the thinnest slab.
    pub fn thinnest(&self) -> u32 {
        self.0.windows(2).map(|own| own[1] - own[0]).min().unwrap_or(0)
    }

    /// The largest load of a slab. `loads`: the load of each piece.
    pub fn greatest_load(&self, loads: &[u64]) -> u64 {
        self.0.windows(2).map(|own| loads[own[0] as usize..own[1] as usize].iter().sum()).max().unwrap_or(0)
    }

    /// Whether the cuts `other` reduce the largest load of a slab by 1/10 or more. A smaller gain would not repay the
    /// exchange of pieces. `loads`: the load of each piece.
    pub fn is_improved_by(&self, other: &Self, loads: &[u64]) -> bool {
        let [own, other] = [self, other].map(|cuts| u128::from(cuts.greatest_load(loads)));
        other < own && 10 * other <= 9 * own
    }

    /// Changes the slab of this rank from these cuts to the cuts `next`. `own`: the words of the present slab, with
    /// `of_piece` words for each piece. Neighbouring ranks exchange pieces. Returns the words of the new slab.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn move_to(
        &self,
        next: &Self,
        mut own: Vec<u32>,
        of_piece: usize,
        ranks: &dyn Ranks,
    ) -> Result<Vec<u32>, Failure> {
        let rank = ranks.rank();
        let most = (MAX_WORDS / of_piece).max(1) as u32;
        let mut now = self.0.to_vec();
        while now[..] != next.0[..] {
            // In one exchange, a cut can move only within the two slabs beside it.
            let mut then = now.clone();
            for index in 1..self.ranks() {
                let [earliest, latest] = [now[index - 1], now[index + 1]];
                let nearby = now[index].saturating_sub(most)..=now[index].saturating_add(most);
                then[index] = next.0[index].clamp(earliest, latest).clamp(*nearby.start(), *nearby.end());
            }
            let words = |greater: u32, smaller: u32| greater.saturating_sub(smaller) as usize * of_piece;
            let to_before = words(then[rank], now[rank]);
            let to_after = own.len() - words(now[rank + 1], then[rank + 1]);
            let mut before = vec![0; words(now[rank], then[rank])];
            let mut after = vec![0; words(then[rank + 1], now[rank + 1])];
            ranks.exchange(false, [&own[..to_before], &own[to_after..]], [&mut before, &mut after])?;
            own = [&before, &own[to_before..to_after], &after].concat();
            now = then;
        }
        Ok(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::ThreadRanks;

    #[test]
    fn loads_are_cut_evenly_within_the_bounds_of_thickness() {
        let loads = [1, 1, 1, 1, 9, 9, 1, 1, 1, 1, 1, 1];
        let cuts = |thickness| Cuts::by_load(&loads, 3, thickness).map(|cuts| cuts.0.to_vec());
        assert_eq!(cuts(1..=12), Some(vec![0, 5, 6, 12]));
        assert_eq!(cuts(2..=12), Some(vec![0, 5, 7, 12]));
        assert_eq!(cuts(2..=5), Some(vec![0, 5, 7, 12]));
        assert_eq!(cuts(4..=4), Some(vec![0, 4, 8, 12]));
        assert_eq!(cuts(5..=12), None);
        assert_eq!(cuts(1..=3), None);
        assert_eq!(Cuts::by_load(&[0; 12], 3, 1..=12).map(|cuts| cuts.thinnest()), Some(1));
        let even = Cuts::even(12, 3);
        let better = Cuts::by_load(&loads, 3, 1..=12).unwrap();
        assert_eq!([&even, &better].map(|cuts| cuts.greatest_load(&loads)), [20, 13]);
        assert!(even.is_improved_by(&better, &loads) && !better.is_improved_by(&even, &loads));
        assert!(!even.is_improved_by(&better, &[0; 12]));
        assert_eq!(
            (0..12).map(|piece| better.rank_of(piece)).collect::<Vec<_>>(),
            [0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2]
        );
    }

    #[test]
    fn pieces_come_to_the_ranks_that_have_them_next() {
        let all = [[0, 3, 6, 9, 12], [0, 1, 2, 3, 12], [0, 9, 10, 11, 12], [0, 1, 6, 11, 12], [0, 5, 6, 7, 12]];
        let cuts = all.map(|firsts| Cuts(firsts.into()));
        let words = |pieces: Range<u32>| pieces.flat_map(|piece| [2 * piece, 2 * piece + 1]).collect::<Vec<_>>();
        std::thread::scope(|scope| {
            for ranks in ThreadRanks::all(4) {
                let cuts = &cuts;
                scope.spawn(move || {
                    for (before, after) in cuts.iter().flat_map(|before| cuts.iter().map(move |after| (before, after)))
                    {
                        let own = words(before.slab(ranks.rank()));
                        let moved = before.move_to(after, own, 2, &ranks).unwrap();
                        assert_eq!(moved, words(after.slab(ranks.rank())), "{before:?} {after:?}");
                    }
                });
            }
        });
    }
}
