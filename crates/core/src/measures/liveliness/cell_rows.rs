//! The rows of cells of a slab and of its neighbours.

use crate::error::Failure;
use crate::measures::form::BLOCK;
use crate::ranks::{Ranks, SingleRank};
use crate::state::State;
use crate::world::{Edges, Slab};

/// The reach of the terms of stripes, in cells.
const REACH: u32 = 2;

/// The borrowed cells of one layer of a slab, and rows of its neighbours.
pub struct CellRows<'a> {
    /// The slab.
    pub slab: Slab,
    /// The number of pieces before the slab whose rows are here.
    pub before: u32,
    /// The rows of the pieces before the slab, of the slab, and of pieces after it. y is fastest, z is slowest.
    pub rows: Vec<CellRow<'a>>,
}

/// A row of cells, as in [`State`].
#[derive(Debug, Clone, Copy)]
pub struct CellRow<'a> {
    /// The quanta of each cell.
    pub density: &'a [u32],
    /// The control vector of each cell (Q14) along x and y, packed by [`crate::numbers::pack`]. In a deep world without
    /// `control_z` a z follows each packed word, as in [`Layer::control`](crate::state::Layer::control).
    pub control: &'a [u32],
    /// The control vector of each cell (Q14) along z, if `control` does not hold it.
    pub control_z: &'a [i16],
}

impl<'a> CellRows<'a> {
    /// The number of pieces after the slab that complete its last blocks.
    const AFTER: u32 = BLOCK as u32 - 1;

    /// The first layer of a state of the whole world.
    pub fn new(state: &'a State) -> Self {
        Self { slab: Slab::whole(state.extents), before: 0, rows: rows_of(state).collect() }
    }

    /// Calls `work` with the rows of a slab and the rows of its neighbours within the reach of stripes and blocks.
    /// `work` also gets the ranks that divide the world. `state`: the first layer of the slab.
    ///
    /// # Errors
    /// If another rank has ended, or if `work` fails.
    pub fn over_ranks<T>(
        state: &State,
        slab: &Slab,
        edges: Edges,
        ranks: &dyn Ranks,
        work: impl FnOnce(&CellRows<'_>, &dyn Ranks) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if slab.is_whole() {
            return work(&CellRows::new(state), &SingleRank);
        }
        let reach = [REACH, Self::AFTER];
        if slab.world.pieces() / (ranks.size() as u32) < BLOCK as u32 {
            // A slab thinner than a block has too few pieces for its neighbours. So every rank works on the whole
            // world.
            let world = state.clone().gathered(slab.world, ranks)?;
            return work(&CellRows::new(&world), &SingleRank);
        }
        let [before, after] = state.ends_of_neighbours(slab, edges, reach, ranks)?;
        let rows = rows_of(&before).chain(rows_of(state)).chain(rows_of(&after)).collect();
        work(&CellRows { slab: *slab, before: reach[0], rows }, ranks)
    }

    /// A row by its places along y and z in the world. It must be a row of the slab or near it, also across the edge of
    /// a torus.
    pub(super) fn row(&self, [y, z]: [usize; 2]) -> CellRow<'a> {
        let (world, height) = (self.slab.world, self.slab.world.height as usize);
        let first = self.slab.first as usize + world.pieces() as usize - self.before as usize;
        let piece = |along: usize| (along + world.pieces() as usize * 2 - first) % world.pieces() as usize;
        self.rows[if world.depth.is_some() { piece(z) * height + y } else { piece(y) }]
    }

    /// The places along y and z in the world of the rows of the slab.
    pub(super) fn own_rows(&self) -> Vec<[usize; 2]> {
        let (first, pieces) = (self.slab.first as usize, self.slab.pieces as usize);
        let own = first..first + pieces;
        match self.slab.world.depth {
            Some(_) => own.flat_map(|z| (0..self.slab.world.height as usize).map(move |y| [y, z])).collect(),
            None => own.map(|y| [y, 0]).collect(),
        }
    }
}

/// The rows of the first layer of a state.
fn rows_of(state: &State) -> impl Iterator<Item = CellRow<'_>> {
    let (width, layer) = (state.extents.width as usize, &state.layers[0]);
    let [density, control] = layer.columns().map(|(words, of_cell)| words.chunks(width * of_cell));
    density.zip(control).map(|(density, control)| CellRow { density, control, control_z: &[] })
}
