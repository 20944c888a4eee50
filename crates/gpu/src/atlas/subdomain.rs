//! The part of a world that the textures of a device contain: the slab of a rank and the halo around it.

use murmuration_core::chain::plan::Plan;
use murmuration_core::ranks::Ranks;
use murmuration_core::state::fields::Layout;
use murmuration_core::world::{Edges, Extents, Slab, World};
use std::ops::Range;

/// A slab of a world (the part that one rank computes), and the pieces of the halo around it. A piece is a row of a
/// flat world or a slice of a deep world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subdomain {
    /// The part of the world that the rank computes.
    pub slab: Slab,
    /// The number of halo pieces before the slab, and the number after it.
    pub halo: [u32; 2],
}

impl Subdomain {
    /// The whole world, which has no halo.
    pub fn whole(world: Extents) -> Self {
        Self { slab: Slab::whole(world), halo: [0; 2] }
    }

    /// The layout of a rank's slab and its subdomain: the whole world, or the slab with a halo towards each
    /// neighbouring rank. The plan gives the reach of the rules, which the halo needs.
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

    /// The extents of the slab together with its halo, in cells.
    pub fn extents(&self) -> Extents {
        let [before, after] = self.halo;
        Slab { pieces: before + self.slab.pieces + after, ..self.slab }.extents()
    }

    /// The number, in the world, of the first piece of the halo. It is negative if the halo goes round the edge of a
    /// torus.
    pub fn first(&self) -> i32 {
        self.slab.first as i32 - self.halo[0] as i32
    }

    /// The range of the slab's pieces among the pieces of slab and halo.
    pub fn own_pieces(&self) -> Range<u32> {
        self.halo[0]..self.halo[0] + self.slab.pieces
    }

    /// The range of the cells of some pieces among the cells of slab and halo.
    pub fn cells_of(&self, pieces: Range<u32>) -> Range<usize> {
        let cells = self.slab.world.cells_of_piece();
        pieces.start as usize * cells..pieces.end as usize * cells
    }
}
