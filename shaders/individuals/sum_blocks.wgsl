// Sum blocks: the number of individuals in each block of cells.
//
// b_k = Σ counts over block k

var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn sum_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = group.y * groups.x + group.x;
    var own = 0u;
    for (var k = lane; k < BLOCK; k += WORKGROUP) {
        let cell = block * BLOCK + k;
        if (cell < BINS) {
            own += counts[cell];
        }
    }
    atomicAdd(&sum, own);
    workgroupBarrier();
    if (lane == 0u && block < BLOCKS) {
        block_counts[block] = atomicLoad(&sum);
    }
}
