// Scan cells: the first individual of each cell, in the order of the cells. The bin after the last cell gets the number
// of all.
//
// s_c = B_block(c) + Σ counts over the cells before c in its block

#import "individuals/prefix"

@compute @workgroup_size(WORKGROUP)
fn scan_cells(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = group.y * groups.x + group.x;
    let first = min(block * BLOCK + lane * CELLS_EACH, BINS);
    let end = min(first + CELLS_EACH, BINS);
    var own = 0u;
    for (var cell = first; cell < end; cell++) {
        own += starts[cell];
    }
    let before = sum_before(own, lane);
    if (block < BLOCKS) {
        var sum = block_starts[block] + before;
        for (var cell = first; cell < end; cell++) {
            let count = starts[cell];
            starts[cell] = sum;
            sum += count;
        }
    }
}
