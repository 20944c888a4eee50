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
    let own = sorted[min(i, max(living, 1u) - 1u)];
    // In a flat world the compiler knows that z is 0.
    let velocity = in_space(flat(own.velocity));
    let here = flat(in_units(own.place));
    let speed = flat(velocity_in_units(velocity));
    see_as(own);
    var sums = Sums();
    for (var first = 0u; first < living; first += WORKGROUP) {
        if (first + lane < living) {
            let other = sorted[first + lane];
            tile_places[lane] = flat(in_units(other.place));
            tile_velocities[lane] = flat(velocity_in_units(other.velocity));
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
    individuals[i] = live_and_move(own, velocity, sums, steer(Situation(own.place, velocity, sums)));
}
