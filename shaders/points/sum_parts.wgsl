// Sum parts: the number of points in each part of the blocks.
//
// p_k = Σ counts over part k

// Generated around this file: `counts`, `parts`, BINS (the blocks and one more) and BINS_EACH, the bins of an
// invocation.

#import "points/point"

var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn sum_parts(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * WORKGROUP * BINS_EACH;
    var own = 0u;
    for (var k = lane; k < WORKGROUP * BINS_EACH; k += WORKGROUP) {
        if (first + k < BINS) {
            own += counts[first + k];
        }
    }
    atomicAdd(&sum, own);
    workgroupBarrier();
    if (lane == 0u) {
        parts[group.x] = atomicLoad(&sum);
    }
}
