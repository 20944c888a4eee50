//! A sample of a swarm for its liveliness: sums over the blocks of the world.

use super::Blocks;
use super::block_sums::{BlockSums, CellRows, sums_of_cells, sums_of_individuals};
use super::stripes::StripeSums;
use crate::individuals::Individuals;
use crate::measures::form::entropy;
use crate::state::State;
use crate::ticket::reading;

reading! {
    /// The sample of the present swarm for its liveliness. Several layers are one swarm. A device sums 32-bit floats; the weights are exact.
    LivelinessReading {
        /// How the world is divided.
        blocks: Blocks,
    } -> SwarmSample
}

/// What a sample holds of a swarm.
#[derive(Debug, Clone, PartialEq)]
pub struct SwarmSample {
    /// The weight of the bodies in each block, x fastest: quanta of cells, or the number of individuals.
    pub weights: Vec<u64>,
    /// ⟨|u|²⟩ over the blocks. |u|² of a block is the mean of û·û′ over all pairs of its boids in two bodies, so that it is 0 on the average
    /// where headings are drawn by chance.
    pub order: f64,
    /// The length of the mean unit heading.
    pub polarisation: f64,
    /// The entropy of headings; 0 if all rest.
    pub entropy: f64,
    /// The sums for stripes; zeros of individuals.
    pub stripes: StripeSums,
}

/// Sums over all blocks, of which the orders of a sample are made.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OrderSums {
    /// Σ w|u|², with the weight w of the bodies of a block that move.
    pub order: f64,
    /// Σ w of the same blocks.
    pub weight: f64,
    /// Σ w v/|v| over the bodies that move.
    pub heading: [f64; 3],
}

impl SwarmSample {
    /// The sample of cells. Several layers are one swarm.
    pub fn from_state(state: &State, blocks: &Blocks) -> Self {
        Self::from_rows(&CellRows::new(&state.merged()), blocks)
    }

    /// The sample of the cells of one layer.
    pub fn from_rows(cells: &CellRows<'_>, blocks: &Blocks) -> Self {
        Self::from_block_sums(sums_of_cells(cells, blocks), StripeSums::new(cells, blocks.space.edges))
    }

    /// The sample of individuals.
    pub fn from_individuals(individuals: &Individuals, blocks: &Blocks) -> Self {
        Self::from_block_sums(sums_of_individuals(individuals, blocks), StripeSums::default())
    }

    fn from_block_sums((sums, directions): (Vec<BlockSums>, Vec<u64>), stripes: StripeSums) -> Self {
        let weights = sums.iter().map(|sums| sums.weight).collect();
        Self::from_sums(weights, &OrderSums::new(&sums), &directions, stripes)
    }

    /// The sample with these sums. `directions`: the weight of the bodies that move in each direction.
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
    fn new(blocks: &[BlockSums]) -> Self {
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
}
