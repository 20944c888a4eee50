// Scatter: the numbers of the points by their blocks, in any order within a block.
//
// order_to = i   with to = s_block(i) + rank_i

// Generated around this file: `starts`, `destinations`, `ranks`, `arrivals` and `order`.

#import "points/point"

@compute @workgroup_size(WORKGROUP)
fn scatter(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i < starts[BINS - 1u] && destinations[i] != NOWHERE) {
        order[arrivals[destinations[i]] + ranks[i]] = i;
    }
}
