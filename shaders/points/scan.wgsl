// Scan: the first point of each block, and in the last bin the number of all; at most the room.
//
// s_b = min( Σ counts over the blocks before b, room )

// Generated around this file: `counts`, `parts`, `begins`, `numbers`, BINS and BINS_EACH, the bins of an invocation.

#import "individuals/prefix"
#import "points/point"

var<workgroup> before_part: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn scan(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var before = 0u;
    for (var k = lane; k < group.x; k += WORKGROUP) {
        before += parts[k];
    }
    atomicAdd(&before_part, before);
    let first = min((group.x * WORKGROUP + lane) * BINS_EACH, BINS);
    let end = min(first + BINS_EACH, BINS);
    var own = 0u;
    for (var bin = first; bin < end; bin++) {
        own += counts[bin];
    }
    // Its barriers also close the sums of `before_part`.
    let before_invocation = sum_before(own, lane);
    var begin = atomicLoad(&before_part) + before_invocation;
    for (var bin = first; bin < end; bin++) {
        begins[bin] = min(begin, numbers.room);
        begin += counts[bin];
    }
}
