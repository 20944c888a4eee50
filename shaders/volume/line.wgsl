// The boids in each cell of a list and in the cells beside it.
//
// Generated around this file: CELLS, BOID, `density_at` (shaders/lattice/densities.wgsl), the list of `places` and that
// of `boids`.

@compute @workgroup_size(64)
fn line(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&boids)) {
        return;
    }
    let place = places[id.x].xyz;
    let first = max(place - 1, vec3<i32>(0));
    let end = min(place + 2, CELLS);
    var quanta = 0.0;
    for (var z = first.z; z < end.z; z++) {
        for (var y = first.y; y < end.y; y++) {
            for (var x = first.x; x < end.x; x++) {
                quanta += f32(density_at(vec3<i32>(x, y, z)));
            }
        }
    }
    boids[id.x] = quanta / BOID;
}
