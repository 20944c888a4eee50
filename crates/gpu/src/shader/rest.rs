//! The shaders that find the blocks in which all cells rest, and what other kernels need to leave them out.

use super::Shader;
use super::lattice::{add_cells, add_density, add_shared, add_world};
use crate::library::Library;
use crate::world::{Edges, Extents};

/// The least cells of a block along an axis that has as many.
const BLOCK: u32 = 8;
/// The farthest that a cell may look at what is left out where all around it rests: the cells of a block, but for the one beside an edge.
pub const FARTHEST: i32 = BLOCK as i32 - 1;

/// The blocks of a lattice along each axis.
pub fn rest_blocks(extents: Extents) -> [u32; 3] {
    extents.along_axes().map(|extent| (extent / BLOCK).max(1))
}

/// The whole shaders by which blocks are marked that do not rest, and by which the marks spread.
pub fn assemble_rest(library: &Library, extents: Extents, edges: Edges) -> [Shader; 2] {
    let begun = |name: &str| {
        let mut shader = Shader::new(library.shader(&format!("rest/{name}")));
        add_world(&mut shader, extents, edges);
        add_shared(&mut shader, library, extents.axes(), "");
        shader
    };
    let mut mark = begun("mark");
    add_density(&mut mark, extents);
    mark.buffer("awake", "array<atomic<u32>>", true);
    add_blocks(&mut mark, library, extents, false);
    let mut spread = begun("spread");
    add_cells(&mut spread, extents);
    spread.buffer("awake", "array<u32>", false);
    add_blocks(&mut spread, library, extents, true);
    [mark, spread]
}

/// What a kernel does unless a condition holds, where it leaves cells out. This is a loop because Mesa's drivers for processors work
/// through both sides of a branch, but leave out a turn that no invocation takes.
pub(super) fn unless(leaves_out: bool, condition: &str, body: &str) -> String {
    match leaves_out {
        true => format!("for (var turns = select(1, 0, {condition}); turns > 0; turns -= 1) {{ {body} }}"),
        false => body.into(),
    }
}

/// Adds to a kernel that it may leave cells out.
pub(super) fn add_rest(shader: &mut Shader, library: &Library, extents: Extents) {
    add_cells(shader, extents);
    add_blocks(shader, library, extents, false);
}

fn add_blocks(shader: &mut Shader, library: &Library, extents: Extents, is_written: bool) {
    let [across, down, deep] = rest_blocks(extents);
    shader.constant("BLOCKS", "Vector3", format_args!("Vector3({across}, {down}, {deep})"));
    shader.constant("BLOCK_COUNT", "i32", across * down * deep);
    shader.buffer("asleep", "array<u32>", is_written);
    shader.add(library.shader("rest/blocks"));
}
