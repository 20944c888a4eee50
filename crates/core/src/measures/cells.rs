//! All measures of cells, of a whole world or of the slabs of ranks.

use super::bodies::SlabBodies;
use super::form::{connected_blocks, greatest_part, heading_entropy};
use super::liveliness::{CellRows, stripes};
use super::{Bodies, Measures};
use crate::error::Failure;
use crate::ranks::{Ranks, SingleRank, concat_on_first};
use crate::state::State;
use crate::state::sums::StateSums;
use crate::world::{Edges, Slab, Space};

/// The measures of a density and its control vectors. Several layers are measured as one.
#[derive(Debug, Clone, PartialEq)]
pub struct CellMeasures {
    /// Order, speed, rotation, centre and shape.
    pub measures: Measures,
    /// The number of connected sets of blocks ([`connected_blocks`]).
    pub clusters: u64,
    /// The share of the boids in the greatest connected set, 0 to 1; `None` without boids.
    pub greatest_part: Option<f64>,
    /// The entropy of headings, 0 to 1 ([`heading_entropy`]); `None` without moving boids.
    pub heading_entropy: Option<f64>,
    /// The power of the shortest wavelengths ([`stripes`]); `None` for an even density.
    pub stripes: Option<f64>,
    /// The number of cells with a perceived density above 0.
    pub occupied: u64,
    /// The max density of a cell, in quanta.
    pub greatest: u32,
}

impl CellMeasures {
    /// The measures of a state of the whole world. A cell is occupied if `density >> shift` is not 0.
    pub fn new(state: &State, edges: Edges, shift: u32) -> Self {
        let alone = Self::over_ranks(state, &Slab::whole(state.extents), edges, shift, &SingleRank);
        alone.ok().flatten().expect("a single rank waits for no other one")
    }

    /// The measures of the slabs of all ranks, on the first rank; `None` on the others. `state`: of the slab of this
    /// rank.
    ///
    /// A rank holds its slab and some pieces of its neighbours. The first rank also holds the quanta of all blocks.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn over_ranks(
        state: &State,
        slab: &Slab,
        edges: Edges,
        shift: u32,
        ranks: &dyn Ranks,
    ) -> Result<Option<Self>, Failure> {
        let state = &*state.merged();
        let space = Space { extents: slab.world.along_axes(), edges };
        let bodies = SlabBodies::new(state, *slab, ranks);
        let measures = Measures::from_bodies(&bodies, &space);
        let heading_entropy = heading_entropy(&bodies, measures.dimensions);
        let own = StateSums::new(state, shift);
        let mut sums = [own.rows.iter().map(|row| row.quanta).sum(), own.occupied()];
        bodies.sum_over_ranks(&mut sums);
        bodies.check()?;
        let [total, occupied] = sums;
        let greatest = concat_on_first(ranks, &[own.greatest()])?;
        let parts = connected_blocks(state, slab, edges, ranks)?;
        let stripes = CellRows::over_ranks(state, slab, edges, ranks, |rows, ranks| stripes(rows, edges, ranks))?;
        Ok(ranks.is_first().then(|| Self {
            measures,
            clusters: parts.len() as u64,
            greatest_part: greatest_part(&parts, total),
            heading_entropy,
            stripes,
            occupied,
            greatest: greatest.into_iter().max().unwrap_or(0),
        }))
    }
}
