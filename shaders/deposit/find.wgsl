// Find: the min key of the individuals that fit a query. A key has a rank and an index. Its twin is `Individuals::find`
// in Rust.
//
// Generated around this file: LIVING, RANKS, NOBODY, QueryNumbers, the buffers.

// The distance from the middle of the line: 0 in the middle, below RANKS up to the border; NOBODY: not on the line.
fn rank(place: vec3<f32>) -> u32 {
    let away = place - vec3<f32>(query.from_x, query.from_y, query.from_z);
    let ahead = vec3<f32>(query.ahead_x, query.ahead_y, query.ahead_z);
    let along = dot(away, ahead);
    let part = length(away - along * ahead) / (query.radius + query.spread * along);
    if (along < 0.0 || along > query.length || !(part < 1.0)) {
        return NOBODY;
    }
    return u32(part * f32(RANKS));
}

@compute @workgroup_size(64)
fn find(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + lane;
    if (i >= account[LIVING]) {
        return;
    }
    let individual = individuals[i];
    var own = NOBODY;
    if (query.has_line != 0u) {
        own = rank(vec3<f32>(individual.place) * (1.0 / 65536.0));
    }
    if (own == NOBODY && query.has_number != 0u && individual.number == query.number) {
        own = RANKS;
    }
    if (own != NOBODY) {
        atomicMin(&least_key, (own << 24u) | i);
    }
}
