// The sum of the density of each column of cells, exact: a low and a high word.

// Generated around this file: `density_texture`, EXTENT and `sums`.

@compute @workgroup_size(64)
fn column_sums(@builtin(global_invocation_id) invocation: vec3<u32>) {
    let x = invocation.x;
    if (x >= EXTENT.x) {
        return;
    }
    var low = 0u;
    var high = 0u;
    for (var y = 0u; y < EXTENT.y; y++) {
        let density = textureLoad(density_texture, vec2<u32>(x, y), 0).r;
        low += density;
        high += select(0u, 1u, low < density);
    }
    sums[x] = vec2<u32>(low, high);
}
