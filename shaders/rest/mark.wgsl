// The blocks in which a cell moves, or which jaws may reach.
//
// Nothing has changed in a block that was left out in the last step, so only its jaws are looked at.
//
// Generated around this file: the blocks, `density_at`, and by block `awake` and `asleep`.

@compute @workgroup_size(64)
fn mark(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = vec3<i32>(group);
    let index = index_of_block(block);
    let first = first_cell(block);
    let size = first_cell(block + 1) - first;
    if (are_jaws_near(first, size)) {
        atomicStore(&awake[index], 1u);
        return;
    }
    if (is_left_out(index) && asleep[BLOCK_COUNT] == parameters.rest) {
        return;
    }
    for (var row = i32(lane); row < size.y * size.z; row += 64) {
        let start = first + Vector3(0, row % size.y, row / size.y);
        for (var x = 0; x < size.x; x += 1) {
            if (!rests(density_at(start + Vector3(x, 0, 0)))) {
                atomicStore(&awake[index], 1u);
                return;
            }
        }
    }
}

// Whether jaws may reach a box of cells: on each axis they come to half of the box or nearer to its middle.
fn are_jaws_near(first: Vector3, size: Vector3) -> bool {
    let middle = 16 * first + 8 * (size - 1);
    for (var i = 0; i < parameters.hunter_count; i += 1) {
        let hunter = parameters.hunters[i];
        let away = abs(offset_from_hunter(hunter, middle));
        if (hunter.jaws > 0 && all(away <= 16 * hunter.jaws + 8 * size)) {
            return true;
        }
    }
    return false;
}
