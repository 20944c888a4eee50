//! A sample of a swarm for its liveliness: sums over the blocks of the world.

use super::Blocks;
use super::block_sums::{BlockSums, sums_of_cells, sums_of_individuals};
use super::cell_rows::CellRows;
use super::stripes::StripeSums;
use crate::error::Failure;
use crate::measures::form::entropy;
use crate::numbers::each_axis;
use crate::ranks::{Ranks, SingleRank, concat_on_first};
use crate::state::{Individuals, State};
use crate::ticket::reading;
use crate::world::{Edges, Slab};
use bytemuck::{Pod, Zeroable};

reading! {
    engine
    /// The sample of the present swarm for its liveliness. Several layers are one swarm. A device sums 32-bit floats;
    /// the weights are exact.
    LivelinessReading {
        /// The division of the world into blocks.
        blocks: Blocks,
    } -> SwarmSample
}

/// The values of a sample of a swarm.
#[derive(Debug, Clone, PartialEq)]
pub struct SwarmSample {
    /// The weight of the bodies in each block, x fastest: quanta of cells, or numbers of individuals.
    pub weights: Vec<u64>,
    /// ⟨|u|²⟩ over the blocks. |u|² of a block is the mean of û·û′ over all pairs of its boids in two different bodies.
    /// So |u|² is 0 on average for random headings.
    pub order: f64,
    /// The length of the mean unit heading.
    pub polarisation: f64,
    /// The entropy of headings, 0 to 1; 0 if all bodies rest.
    pub entropy: f64,
    /// The sums for stripes; zeros for individuals.
    pub stripes: StripeSums,
}

/// Sums over all blocks. The order and the polarisation of a sample come from them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct OrderSums {
    /// Σ w|u|², with the weight w of the moving bodies of a block.
    pub order: f64,
    /// Σ w over the blocks that count in `order`.
    pub weight: f64,
    /// Σ w v/|v| over the moving bodies.
    pub heading: [f64; 3],
}

impl SwarmSample {
    /// The sample of cells. Several layers are one swarm.
    pub fn from_state(state: &State, blocks: &Blocks) -> Self {
        Self::from_rows(&CellRows::new(&state.merged()), blocks)
    }

    /// The sample of the cells of one layer of the whole world.
    pub fn from_rows(cells: &CellRows<'_>, blocks: &Blocks) -> Self {
        Self::over_ranks(cells, blocks, &SingleRank).expect("a single rank waits for no other one")
    }

    /// The sample of the cells of the slabs of all ranks. Each rank has the rows from [`CellRows::over_ranks`]. The
    /// first rank gets the sample. Other ranks get a sample without blocks.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn over_ranks(cells: &CellRows<'_>, blocks: &Blocks, ranks: &dyn Ranks) -> Result<Self, Failure> {
        let (sums, mut directions) = sums_of_cells(cells, blocks);
        let weights: Vec<u64> = sums.iter().map(|sums| sums.weight).collect();
        let weights = concat_on_first(ranks, &weights)?;
        let orders = concat_on_first(ranks, &OrderSums::by_row(&sums, blocks))?;
        let stripes = concat_on_first(ranks, &StripeSums::by_row(cells, blocks.space.edges))?;
        ranks.sum(&mut directions)?;
        Ok(Self::from_sums(weights, &OrderSums::of_rows(&orders), &directions, StripeSums::of_rows(&stripes)))
    }

    /// The sample of the state of a slab (see [`Self::over_ranks`]). Every rank must make this call.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn from_slab(
        state: &State,
        slab: &Slab,
        edges: Edges,
        blocks: &Blocks,
        ranks: &dyn Ranks,
    ) -> Result<Self, Failure> {
        let sample = |rows: &CellRows<'_>, ranks: &dyn Ranks| Self::over_ranks(rows, blocks, ranks);
        CellRows::over_ranks(&state.merged(), slab, edges, ranks, sample)
    }

    /// The sample of individuals.
    pub fn from_individuals(individuals: &Individuals, blocks: &Blocks) -> Self {
        let (sums, directions) = sums_of_individuals(individuals, blocks);
        let orders = OrderSums::of_rows(&OrderSums::by_row(&sums, blocks));
        let weights = sums.iter().map(|sums| sums.weight).collect();
        Self::from_sums(weights, &orders, &directions, StripeSums::default())
    }

    /// The sample with these sums. `directions`: the weight of the moving bodies in each direction.
    pub fn from_sums(weights: Vec<u64>, orders: &OrderSums, directions: &[u64], stripes: StripeSums) -> Self {
        let all = weights.iter().sum::<u64>().max(1) as f64;
        let length = orders.heading.iter().map(|along| along * along).sum::<f64>().sqrt();
        Self {
            weights,
            order: if orders.weight > 0.0 { orders.order / orders.weight } else { 0.0 },
            polarisation: (length / all).min(1.0),
            entropy: entropy(directions).unwrap_or(0.0),
            stripes,
        }
    }
}

impl OrderSums {
    /// The sums of each row of blocks.
    fn by_row(blocks: &[BlockSums], division: &Blocks) -> Vec<Self> {
        blocks.chunks(division.extents().width as usize).map(Self::of_blocks).collect()
    }

    fn of_blocks(blocks: &[BlockSums]) -> Self {
        let mut sums = Self::default();
        for block in blocks {
            let square: f64 = block.heading.iter().map(|along| along * along).sum();
            let pairs = block.moving * block.moving - block.squares;
            if pairs > 0.0 {
                sums.order += block.moving * (square - block.squares) / pairs;
                sums.weight += block.moving;
            }
            sums.heading.iter_mut().zip(block.heading).for_each(|(sum, own)| *sum += own);
        }
        sums
    }

    /// The sums of all rows. Rows are added in their order, so that threads and ranks do not matter.
    fn of_rows(rows: &[Self]) -> Self {
        rows.iter().fold(Self::default(), |sum, row| Self {
            order: sum.order + row.order,
            weight: sum.weight + row.weight,
            heading: each_axis(|axis| sum.heading[axis] + row.heading[axis]),
        })
    }
}
