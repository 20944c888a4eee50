//! The picture of a world that is divided among several ranks. Each rank computes sums over its slab.

use super::glow::{Frame, density_and_momentum, glow_of_blocks};
use super::layers::Layers;
use super::plane::PlanePixels;
use super::{Picture, picture};
use crate::error::Failure;
use crate::look::Look;
use crate::ranks::{Ranks, concat_on_first};
use crate::state::State;
use crate::world::{Edges, Extents, Slab, World};

/// Draws the [`picture`] of a whole world that is divided among ranks. Only the first rank gets the picture, other
/// ranks get `None`. [`is_picture_of_sums`](super::is_picture_of_sums) must be true for the picture. Such a picture has
/// at most 2048 × 2048 pixels. `state`: the slab of this rank. All ranks must call this function. The second part of
/// the result is the value in quanta that has the last colour of the scale, if the look shows values.
///
/// # Errors
/// If another rank has ended.
pub fn picture_over_ranks(
    state: &State,
    slab: &Slab,
    world: &World,
    look: &Look,
    ranks: &dyn Ranks,
) -> Result<Option<(Picture, Option<u64>)>, Failure> {
    if look.shows_values() {
        let (pixels, top) = PlanePixels::over_ranks(state, slab, look, ranks)?;
        return Ok(ranks.is_first().then(|| (pixels.picture(top), Some(top))));
    }
    let reduction = Frame::new(world.extents).reduction as u32;
    if slab.world.pieces() / (ranks.size() as u32) < reduction {
        let world_state = state.clone().gathered_to_first(slab.world, ranks)?;
        return Ok(world_state.map(|state| (picture(&state, None, world, look), None)));
    }
    let blocks = blocks_over_ranks(state, slab, reduction, ranks)?;
    Ok(blocks.map(|blocks| (glow_of_blocks(blocks, world, look), None)))
}

/// Density and momentum of all blocks of the world, on the first rank. The rank whose slab has the first row of a block
/// computes the block.
fn blocks_over_ranks(
    state: &State,
    slab: &Slab,
    reduction: u32,
    ranks: &dyn Ranks,
) -> Result<Option<Layers<3>>, Failure> {
    // Rows of the next slab are needed for blocks that begin in this slab.
    let [_, after] = state.ends_of_neighbours(slab, Edges::Walls, [0, reduction - 1], ranks)?;
    let width = slab.world.width as usize;
    let block_row = |row: u32| row.div_ceil(reduction);
    let (first, end) = (block_row(slab.first), block_row(slab.first + slab.pieces));
    let last_row = (end * reduction).min(slab.world.height);
    let skipped = (first * reduction - slab.first) as usize * width;
    let rows = Extents::flat(slab.world.width, last_row - first * reduction);
    let own = state.layers[0].density.len();
    let blocks = Layers::of_cells(rows, reduction as usize, |index| match index + skipped {
        index if index < own => density_and_momentum(state, index),
        index => density_and_momentum(&after, index - own),
    });
    let values = concat_on_first(ranks, &blocks.values)?;
    let height = block_row(slab.world.height) as usize;
    Ok(ranks.is_first().then_some(Layers { width: blocks.width, height, values }))
}
