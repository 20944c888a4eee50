//! The shaders of the sums over blocks of the world.

use super::BodySource;
use crate::shader::lattice::{add_cells, add_momentum};
use crate::shader::{Shader, add_individuals};
use murmuration_core::host::library::Library;
use murmuration_core::measures::form::directions;
use murmuration_core::measures::liveliness::Blocks;
use murmuration_core::world::{Edges, PLACE_BITS};

/// A kernel of `shaders/measures/` that sums over blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKernel {
    /// Adds individuals to their blocks.
    Individuals,
    /// Sums each block.
    Blocks,
}

impl BlockKernel {
    /// The kernels for some bodies, in the order in which they run.
    pub fn all(source: BodySource) -> &'static [Self] {
        match source {
            BodySource::Individuals(_) => &[Self::Individuals, Self::Blocks],
            BodySource::Cells(..) => &[Self::Blocks],
        }
    }

    /// The name of the kernel's file without its extension.
    pub fn name(self, source: BodySource) -> &'static str {
        match (self, source) {
            (Self::Individuals, _) => "individuals_in_blocks",
            (Self::Blocks, BodySource::Individuals(_)) => "blocks_of_individuals",
            (Self::Blocks, BodySource::Cells(..)) => "blocks_of_cells",
        }
    }
}

/// The number of words of a block in the buffer `sums`. For cells: two words of weight. For individuals: their number,
/// the number of moving individuals, and the sum of the headings along each axis.
pub fn words_of_block(source: BodySource, blocks: &Blocks) -> usize {
    match source {
        BodySource::Individuals(_) => 2 + blocks.space.axes(),
        BodySource::Cells(..) => 2,
    }
}

/// The fraction bits of a heading, for sums over at most `most` individuals. If all are in one block, they sum to less
/// than 2^31.
fn heading_bits(most: u32) -> u32 {
    let bits = most.max(1).next_power_of_two().trailing_zeros();
    (30 - bits.min(30)).min(20)
}

/// The whole shader of a kernel. `most`: the maximum number of individuals.
pub fn assemble_blocks(
    library: &Library,
    kernel: BlockKernel,
    source: BodySource,
    most: u32,
    blocks: &Blocks,
) -> Shader {
    let mut shader = Shader::new(library, &format!("measures/{}", kernel.name(source)), []);
    let Blocks { space, side, .. } = blocks;
    let extents = blocks.extents();
    let [x, y, z] = extents.along_axes();
    shader.constant("BLOCKS", "vec3<u32>", format_args!("vec3<u32>({x}u, {y}u, {z}u)"));
    shader.constant("BLOCK_COUNT", "u32", extents.cells());
    shader.constant("AXES", "i32", space.axes());
    let has_directions = match (kernel, source) {
        (BlockKernel::Blocks, BodySource::Cells(extents, layers)) => {
            shader.constant("SIDE", "i32", side);
            shader.constant("IS_TORUS", "bool", space.edges == Edges::Torus);
            add_cells(&mut shader, library, extents, layers);
            add_momentum(&mut shader, library, layers);
            shader.buffer("sums", "array<u32>", true);
            true
        }
        (BlockKernel::Individuals, BodySource::Individuals(has_lives)) => {
            shader.constant("SHIFT", "u32", PLACE_BITS + side.ilog2());
            add_individuals(&mut shader, library, has_lives);
            shader.buffer("sums", "array<atomic<i32>>", true);
            true
        }
        _ => {
            shader.buffer("sums", "array<i32>", false);
            false
        }
    };
    if let BodySource::Individuals(_) = source {
        shader.constant("UNIT", "f32", format_args!("{}.0", 1u32 << heading_bits(most)));
    }
    if has_directions {
        shader.constant("DIRECTIONS", "u32", directions(space.axes()));
        shader.buffer("directions", "array<atomic<u32>>", true);
    }
    if kernel == BlockKernel::Blocks {
        shader.buffer("terms", "array<BlockTerms>", true);
    }
    shader
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All individuals may be in one block. Rounding changes a heading by at most half a unit.
    #[test]
    fn sums_of_headings_do_not_overflow() {
        for most in [0, 1, 2, 3, 1000, 1024, 1025, (1 << 17) - 1, 1 << 17, (1 << 17) + 1, 1 << 24] {
            let heading = (1u64 << heading_bits(most)) + 1;
            assert!(heading * u64::from(most) < 1 << 31, "{most}");
            assert!(most > 1 << 17 || heading > 1 << 13, "{most}");
        }
    }
}
