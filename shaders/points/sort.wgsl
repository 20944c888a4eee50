// Sort: the points in the order of their blocks, and within a block in their previous order, so that no order depends
// on the device.
//
// sorted_to = point_i   with to = s_block(i) + |{ j < i : block(j) = block(i) }|

// Generated around this file: `points`, `starts`, `destinations`, `arrivals`, `order` and `sorted`.

#import "points/point"

@compute @workgroup_size(WORKGROUP)
fn sort(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= starts[BINS - 1u] || destinations[i] == NOWHERE) {
        return;
    }
    let first = arrivals[destinations[i]];
    let end = arrivals[destinations[i] + 1u];
    var to = first;
    for (var k = first; k < end; k++) {
        to += select(0u, 1u, order[k] < i);
    }
    sorted[to] = points[i];
}
