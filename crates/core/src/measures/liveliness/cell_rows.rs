//! Rows of cells along x that measures need: the rows of a slab, and some rows of its neighbours.

use crate::error::Failure;
use crate::measures::form::BLOCK;
use crate::ranks::{Ranks, SingleRank};
use crate::state::State;
use crate::world::{Edges, Slab};

/// The measure of stripes reads cells up to this distance, in cells.
const REACH: u32 = 2;

/// The rows of cells of one layer that a rank needs: the rows of its slab, and rows near it in the slabs of its
/// neighbours.
pub struct CellRows<'a> {
    /// The part of the world on this rank.
    pub slab: Slab,
    /// The number of pieces before the slab whose rows are in `rows`. A piece is a row of a flat world or a layer of a
    /// deep world.
    pub before: u32,
    /// The rows of the pieces before the slab, of the slab, and of the pieces after it. They are sorted by z, then by
    /// y.
    pub rows: Vec<CellRow<'a>>,
}

/// A row of cells along x, borrowed from a [`State`].
#[derive(Debug, Clone, Copy)]
pub struct CellRow<'a> {
    /// The quanta of each cell.
    pub density: &'a [u32],
    /// The control vector of each cell (Q14) along x and y, packed by [`crate::numbers::pack`]. In a deep world with an
    /// empty `control_z`, a word for z follows each packed word, as in
    /// [`Layer::control`](crate::state::Layer::control).
    pub control: &'a [u32],
    /// The control vector of each cell (Q14) along z. It is empty if the world is flat or `control` holds z.
    pub control_z: &'a [i16],
}

impl<'a> CellRows<'a> {
    /// The number of pieces after the slab whose rows are needed. They complete blocks that begin in the slab.
    const AFTER: u32 = BLOCK as u32 - 1;

    /// The rows of the first layer of the whole world.
    pub fn new(state: &'a State) -> Self {
        Self { slab: Slab::whole(state.extents), before: 0, rows: rows_of(state).collect() }
    }

    /// Calls `work` with the rows of a slab and the neighbouring rows that stripes and blocks need. `work` also gets
    /// the ranks that the rows are divided among. `state`: the slab. Only its first layer counts.
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
            // If slabs are thinner than a block, they have too few pieces for their neighbours. Then each rank works on
            // the whole world.
            let world = state.clone().gathered(slab.world, ranks)?;
            return work(&CellRows::new(&world), &SingleRank);
        }
        let [before, after] = state.ends_of_neighbours(slab, edges, reach, ranks)?;
        let rows = rows_of(&before).chain(rows_of(state)).chain(rows_of(&after)).collect();
        work(&CellRows { slab: *slab, before: reach[0], rows }, ranks)
    }

    /// The row at places y and z of the world. It must be a row of the slab or one of the rows near it, also across the
    /// edges of a torus.
    pub(super) fn row(&self, [y, z]: [usize; 2]) -> CellRow<'a> {
        let (world, height) = (self.slab.world, self.slab.world.height as usize);
        let first = self.slab.first as usize + world.pieces() as usize - self.before as usize;
        let piece = |along: usize| (along + world.pieces() as usize * 2 - first) % world.pieces() as usize;
        self.rows[if world.depth.is_some() { piece(z) * height + y } else { piece(y) }]
    }

    /// The places y and z in the world of each row of the slab.
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
