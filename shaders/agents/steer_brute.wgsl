// Steer, where every agent looks at every other: slow, and plainly right. A workgroup reads the others in tiles, each
// invocation one of them, so that memory is read once for all.

var<workgroup> tile_places: array<Offset, WORKGROUP>;
var<workgroup> tile_velocities: array<Offset, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn steer_brute(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    let living = account[LIVING];
    // Those beyond the last stay to fill the tiles.
    let own = min(i, max(living, 1u) - 1u);
    let place = sorted_places[own];
    let velocity = in_space(sorted_velocities[own]);
    let here = flat(in_units(place.xyz));
    let speed = flat(velocity_in_units(velocity));
    var sums = Sums();
    for (var first = 0u; first < living; first += WORKGROUP) {
        let other = first + lane;
        if (other < living) {
            tile_places[lane] = flat(in_units(sorted_places[other].xyz));
            tile_velocities[lane] = flat(velocity_in_units(in_space(sorted_velocities[other])));
        }
        workgroupBarrier();
        let end = min(WORKGROUP, living - first);
        for (var k = 0u; k < end; k++) {
            let short = short_way(tile_places[k] - here, flat(UNIT_EXTENTS), FlatBool(TORUS));
            // The square of what is beyond the reach must neither overflow nor be within it.
            let away = clamp(short, Offset(-2 * REACH), Offset(2 * REACH));
            let is_undecided = FlatBool(TORUS) & (2 * abs(away) == flat(UNIT_EXTENTS));
            gather(&sums, away, is_undecided, tile_velocities[k], speed);
        }
        workgroupBarrier();
    }
    if (i >= living) {
        return;
    }
    let moved = advance(place.xyz, steer(Situation(place.xyz, velocity, sums)));
    places[i] = vec4<i32>(moved.place, place.w);
    velocities[i] = flat(moved.velocity);
}
