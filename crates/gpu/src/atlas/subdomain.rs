//! The part of a world that a lattice on a device holds.

use murmuration_core::chain::plan::Plan;
use murmuration_core::ranks::Ranks;
use murmuration_core::state::fields::Layout;
use murmuration_core::world::{Edges, Extents, Slab, World};
use std::ops::Range;

/// A slab of a world, and the pieces of the halo around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subdomain {
    /// The part of the world that the rank updates.
    pub slab: Slab,
    /// The numbers of halo pieces before and after the slab.
    pub halo: [u32; 2],
}

impl Subdomain {
    /// The whole world, which has no halo.
    pub fn whole(world: Extents) -> Self {
        Self { slab: Slab::whole(world), halo: [0; 2] }
    }

    /// The part of a world that a rank holds under a plan, with the layout of its slab: the whole world, or a slab with
    /// a halo towards each neighbouring rank.
    pub fn of_rank(world: &World, plan: &Plan, ranks: &dyn Ranks) -> (Layout, Self) {
        let slab = world.slab_of(ranks);
        let layout = Layout::of_slab(slab, world.edges, plan.reach as usize);
        if slab.is_whole() {
            return (layout, Self::whole(world.extents));
        }
        let neighbours = ranks.neighbours(world.edges == Edges::Torus);
        let halo = neighbours.map(|neighbour| neighbour.map_or(0, |_| layout.around as u32));
        (layout, Self { slab, halo })
    }

    /// The extents of the slab and its halo.
    pub fn extents(&self) -> Extents {
        let [before, after] = self.halo;
        Slab { pieces: before + self.slab.pieces + after, ..self.slab }.extents()
    }

    /// The place of the first piece in the world. It is negative if the halo reaches around the edge of a torus.
    pub fn first(&self) -> i32 {
        self.slab.first as i32 - self.halo[0] as i32
    }

    /// The range of the slab's pieces among all pieces.
    pub fn own_pieces(&self) -> Range<u32> {
        self.halo[0]..self.halo[0] + self.slab.pieces
    }

    /// The range of the cells of some pieces among all cells.
    pub fn cells_of(&self, pieces: Range<u32>) -> Range<usize> {
        let cells = self.slab.world.cells_of_piece();
        pieces.start as usize * cells..pieces.end as usize * cells
    }
}
