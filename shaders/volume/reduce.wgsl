// The mean density of the cells of each texel, in exposures, and the box of all texels with boids.
//
// Generated around this file: the texels, CELLS, TEXEL, BOID, `density_at` (shaders/lattice/densities.wgsl), the
// uniform `exposure` and the list `ends`: the greatest distances of a texel with boids from the far and from the near
// end of each axis.

#import "volume/texels"

@compute @workgroup_size(8, 8)
fn reduce(@builtin(global_invocation_id) id: vec3<u32>) {
    let texel = vec3<i32>(id);
    if (any(texel >= SIZE)) {
        return;
    }
    let first = texel * TEXEL;
    let end = min(first + TEXEL, CELLS);
    var quanta = 0.0;
    for (var z = first.z; z < end.z; z++) {
        for (var y = first.y; y < end.y; y++) {
            for (var x = first.x; x < end.x; x++) {
                quanta += f32(density_at(vec3<i32>(x, y, z)));
            }
        }
    }
    let cells = end - first;
    let density = quanta / (BOID * exposure.x * f32(cells.x * cells.y * cells.z));
    values[index_of(texel)] = vec2<f32>(0.0, density);
    if (density > 0.0) {
        for (var axis = 0; axis < 3; axis++) {
            widen(axis, u32(SIZE[axis] - texel[axis]));
            widen(axis + 3, u32(texel[axis] + 1));
        }
    }
}

// Few texels are farther than all before: the others only read.
fn widen(end: i32, distance: u32) {
    if (distance > atomicLoad(&ends[end])) {
        atomicMax(&ends[end], distance);
    }
}
