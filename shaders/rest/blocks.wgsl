// The blocks of a lattice in which cells that rest are left out: evenly divided, at least 8 cells along each axis that has as many.
//
// A cell changes in a step only if another awakes it that is at most two cells away: one moves to it, or moves beside it and wanders on.
// So where a block and all blocks around it rest, density and control vectors stay. In the first such step all passes still copy them
// from one texture to the other. From the second on every texture holds them, and the passes leave the block out.
//
// Generated around this file: CELLS, BLOCKS, BLOCK_COUNT, and by block `asleep`: for how many steps it has rested with all around it, up
// to 2; after the last block the threshold of rest in the last step.

// The first cell of a block.
fn first_cell(block: Vector3) -> Vector3 {
    return (block * CELLS + BLOCKS - 1) / BLOCKS;
}

fn index_of_block(block: Vector3) -> i32 {
    return (block.z * BLOCKS.y + block.y) * BLOCKS.x + block.x;
}

fn is_left_out(index: i32) -> bool {
    return asleep[index] == 2u;
}

// Whether a cell is left out; one beyond the edge with the nearest one.
fn is_asleep(cell: Cell) -> bool {
    let place = vec3<u32>(clamp(on_three_axes(cell), Vector3(0), CELLS - 1));
    return is_left_out(index_of_block(Vector3(place * vec3<u32>(BLOCKS) / vec3<u32>(CELLS))));
}

// Whether all cells of a strip are.
fn are_asleep(first: Cell, step: Cell, count: i32) -> bool {
    for (var i = 0; i < count; i += 8) {
        if (!is_asleep(first + i * step)) {
            return false;
        }
    }
    return is_asleep(first + (count - 1) * step);
}
