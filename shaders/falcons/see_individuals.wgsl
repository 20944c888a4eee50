// The sums of the falcons over the individuals within their sight: their number, and their offsets, which are rounded
// towards 0. An offset of exactly half a torus counts as 0. The twin is
// crates/core/src/falcons/sight_of_individuals.rs.
//
// A workgroup sums some of the individuals for one falcon.
//
// Generated around this file: the `individuals` and their `account`; AXES, 2 or 3; GROUPS, the workgroups of a falcon.

#import "falcons/add"
#import "falcons/seen"

// The word of the account with the number of individuals.
const LIVING: u32 = 1u;

@compute @workgroup_size(64)
fn see_individuals(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let hunter = parameters.hunters[group.y];
    if (!looks(hunter)) {
        return;
    }
    add_individuals(hunter, falcons[hunter.falcon - 1].place, group.x * 64u + lane);
    workgroupBarrier();
    if (lane < 4u) {
        add_to_sight(group.y, lane);
    }
}

fn add_individuals(hunter: HunterNumbers, place: Vector3, first: u32) {
    let radius = 16 * hunter.sight;
    // A place is counted from the middle of a cell, a position (Q16) from its edge.
    let begun = (place << vec3<u32>(12u)) + 32768;
    let ends = ENDS << vec3<u32>(12u);
    // An invocation has at most 2^13 of 2^24 individuals, so that nothing overflows.
    var number = 0;
    var offsets = Vector3(0);
    for (var i = first; i < account[LIVING]; i += u32(64 * GROUPS)) {
        var away = individuals[i].place - begun;
        if (TORUS) {
            let forward = select(away, away + ends, 2 * away < -ends);
            away = select(forward, away - ends, 2 * away > ends);
        }
        if (AXES == 2) {
            away.z = 0;
        }
        let parts = abs(away) >> vec3<u32>(12u);
        let held = min(parts, Vector3(radius + 1));
        if (dot(held, held) <= radius * radius) {
            let has_direction = 2 * abs(away) != select(Vector3(-1), ends, TORUS);
            number += 1;
            offsets += select(Vector3(0), parts * sign(away), has_direction);
        }
    }
    add_to_sums(0u, wide(number));
    add_to_sums(1u, wide(offsets.x));
    add_to_sums(2u, wide(offsets.y));
    add_to_sums(3u, wide(offsets.z));
}
