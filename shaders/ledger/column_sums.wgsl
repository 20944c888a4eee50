// The sum of the density of each column of cells of a slice, exact: a low and a high word.

// Generated around this file: CELLS, `density_at` and `sums`, x fastest and z slowest.

@compute @workgroup_size(64)
fn column_sums(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec3<i32>(id);
    if (place.x >= CELLS.x) {
        return;
    }
    var low = 0u;
    var high = 0u;
    for (var y = 0; y < CELLS.y; y++) {
        let density = density_at(vec3<i32>(place.x, y, place.y));
        low += density;
        high += select(0u, 1u, low < density);
    }
    sums[place.y * CELLS.x + place.x] = vec2<u32>(low, high);
}
