//! A sample of a swarm, from which its liveliness follows: sums over the blocks of the world.

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
    /// Samples the present swarm for its liveliness. Several layers count as one swarm. A GPU sums with 32-bit floats,
    /// but its weights are exact.
    LivelinessReading {
        /// The division of the world into blocks.
        blocks: Blocks,
    } -> SwarmSample
}

/// The data of a swarm at one step from which its liveliness is computed. A body is an individual, or a cell with
/// boids.
#[derive(Debug, Clone, PartialEq)]
pub struct SwarmSample {
    /// The weight of each block: its quanta, or its number of individuals. x is fastest, z is slowest.
    pub weights: Vec<u64>,
    /// The mean of |u|² over the blocks. |u|² of a block is the mean of û·û′ over all pairs of boids in two different
    /// bodies. û and û′ are their unit headings. So random headings have |u|² = 0 on average.
    pub order: f64,
    /// The length of the mean unit heading of all boids, 0 to 1.
    pub polarisation: f64,
    /// The entropy of the boids' headings, divided by its max (see `heading_entropy` in the measures); 0 if all boids
    /// rest.
    pub entropy: f64,
    /// Sums for the measure of stripes; zeros for individuals.
    pub stripes: StripeSums,
}

/// Sums over blocks. The order and the polarisation of a [`SwarmSample`] follow from the sums over all blocks.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct OrderSums {
    /// Σ w|u|² over the blocks, with the weight w of the moving bodies of a block and |u|² of [`SwarmSample::order`].
    pub order: f64,
    /// Σ w over the blocks that have at least one pair of moving bodies.
    pub weight: f64,
    /// Σ w v/|v| over the moving bodies, with the weight w and the velocity v of a body.
    pub heading: [f64; 3],
}

impl SwarmSample {
    /// Samples the cells of a whole world. Several layers count as one swarm.
    pub fn from_state(state: &State, blocks: &Blocks) -> Self {
        Self::from_rows(&CellRows::new(&state.merged()), blocks)
    }

    /// Samples one layer of a whole world.
    pub fn from_rows(cells: &CellRows<'_>, blocks: &Blocks) -> Self {
        Self::over_ranks(cells, blocks, &SingleRank).expect("a single rank waits for no other one")
    }

    /// Samples one layer of a world that is divided among ranks. `cells`: the rows of this rank from
    /// [`CellRows::over_ranks`]. The first rank gets the sample. Other ranks get a sample without blocks.
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

    /// Samples the cells of a world that is divided among ranks, as [`Self::over_ranks`] does. Several layers count as
    /// one swarm. All ranks must call this function.
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

    /// Samples a world of individuals.
    pub fn from_individuals(individuals: &Individuals, blocks: &Blocks) -> Self {
        let (sums, directions) = sums_of_individuals(individuals, blocks);
        let orders = OrderSums::of_rows(&OrderSums::by_row(&sums, blocks));
        let weights = sums.iter().map(|sums| sums.weight).collect();
        Self::from_sums(weights, &orders, &directions, StripeSums::default())
    }

    /// The sample that follows from sums over the whole world. `weights`: of each block. `directions`: the weight of
    /// the moving bodies in each direction.
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

    /// The sums of all rows. Rows are added in their order, so the result does not depend on threads and ranks.
    fn of_rows(rows: &[Self]) -> Self {
        rows.iter().fold(Self::default(), |sum, row| Self {
            order: sum.order + row.order,
            weight: sum.weight + row.weight,
            heading: each_axis(|axis| sum.heading[axis] + row.heading[axis]),
        })
    }
}
