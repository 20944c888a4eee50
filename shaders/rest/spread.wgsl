// The blocks that rest with all blocks around them, and for how many steps: 0, 1, or 2 for more.
//
// Generated around this file: the blocks, and by block `awake` and `asleep`.

@compute @workgroup_size(64)
fn spread(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = i32(id.x);
    if (index >= BLOCK_COUNT) {
        return;
    }
    let block = Vector3(index % BLOCKS.x, index / BLOCKS.x % BLOCKS.y, index / (BLOCKS.x * BLOCKS.y));
    var is_awake = false;
    for (var z = -1; z <= 1; z += 1) {
        for (var y = -1; y <= 1; y += 1) {
            for (var x = -1; x <= 1; x += 1) {
                let beside = block + Vector3(x, y, z);
                // Beyond walls there is nothing; the block at the edge is looked at twice.
                let there = select(clamp(beside, Vector3(0), BLOCKS - 1), (beside + BLOCKS) % BLOCKS, TORUS);
                is_awake |= awake[index_of_block(there)] != 0u;
            }
        }
    }
    asleep[index] = select(min(asleep[index] + 1u, 2u), 0u, is_awake);
    if (index == 0) {
        asleep[BLOCK_COUNT] = parameters.rest;
    }
}
