//! The slab of a world: the part that one rank (a process of a run on several machines) computes.

use super::{Cuts, Extents};
use crate::ranks::Ranks;
use std::ops::Range;

/// Consecutive pieces of a world: rows of a flat world, or slices of a deep world. The cells of a slab are consecutive
/// too, x fastest and z slowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slab {
    /// The extents of the whole world.
    pub world: Extents,
    /// The number of the first piece of the slab in the world.
    pub first: u32,
    /// The number of pieces of the slab.
    pub pieces: u32,
}

impl Slab {
    /// A slab that is the whole world.
    pub fn whole(world: Extents) -> Self {
        Self { world, first: 0, pieces: world.pieces() }
    }

    /// The slab of this rank, if the numbers of pieces of all slabs differ by at most 1.
    pub fn of_rank(world: Extents, ranks: &dyn Ranks) -> Self {
        Self::of_cuts(world, &Cuts::even(world.pieces(), ranks.size()), ranks.rank())
    }

    /// The slab of the rank `rank`, with these cuts.
    pub fn of_cuts(world: Extents, cuts: &Cuts, rank: usize) -> Self {
        let pieces = cuts.slab(rank);
        Self { world, first: pieces.start, pieces: pieces.len() as u32 }
    }

    /// Whether the slab is the whole world.
    pub fn is_whole(&self) -> bool {
        self.pieces == self.world.pieces()
    }

    /// The extents of the slab, in cells.
    pub fn extents(&self) -> Extents {
        match self.world.depth {
            Some(_) => Extents { depth: Some(self.pieces), ..self.world },
            None => Extents { height: self.pieces, ..self.world },
        }
    }

    /// The indices of the slab's cells among the cells of the world.
    pub fn cells(&self) -> Range<usize> {
        let cells = self.world.cells_of_piece();
        self.first as usize * cells..(self.first + self.pieces) as usize * cells
    }

    /// The indices of the slab's cells in a state. `extents`: the extents of the state, which must be a state of the
    /// slab or of the whole world.
    pub fn cells_in(&self, extents: Extents) -> Range<usize> {
        if extents == self.extents() { 0..extents.cells() } else { self.cells() }
    }

    /// The place `[y, z]` of the slab's first row of cells in the world.
    #[inline(always)]
    pub fn first_row(&self) -> [i32; 2] {
        if self.world.depth.is_some() { [0, self.first as i32] } else { [self.first as i32, 0] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::ThreadRanks;

    #[test]
    fn slabs_of_all_ranks_are_the_world() {
        for world in [Extents::flat(5, 13), Extents::deep(3, 4, 13)] {
            for ranks in 1..=13 {
                let mut next = (0, 0);
                for rank in ThreadRanks::all(ranks) {
                    let slab = Slab::of_rank(world, &rank);
                    assert_eq!((slab.first, slab.cells().start), next);
                    assert!(slab.pieces > 0 && slab.cells().len() == slab.extents().cells());
                    assert_eq!(slab.is_whole(), ranks == 1);
                    next = (slab.first + slab.pieces, slab.cells().end);
                }
                assert_eq!(next, (13, world.cells()));
            }
        }
    }
}
