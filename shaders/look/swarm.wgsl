// Density e (boids a cell, in exposures) and momentum e·V of a block of cells, and which part of it is solid:
//   (e, e V_x, e V_y, solid) = mean of (D/BOID, D/BOID · V_x/ONE, D/BOID · V_y/ONE, solid) over the block's cells,
// the first three times the exposures of a boid.
fn swarm(place: vec2<i32>) -> vec4<f32> {
    let first = place * view.reduction;
    let end = min(first + view.reduction, view.lattice);
    var sum = vec4<f32>(0.0);
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            let cell = vec2<i32>(x, y);
            let boids = f32(density(cell)) * (1.0 / 65536.0);
            let word = control(cell);
            let velocity = vec2<f32>(vec2<i32>(bitcast<i32>(word << 16u) >> 16u, bitcast<i32>(word) >> 16u)) * (1.0 / 16384.0);
            var solid = 0.0;
            if (HAS_SOLIDS) {
                solid = f32(solids(cell));
            }
            sum += vec4<f32>(boids, boids * velocity, solid);
        }
    }
    let block = end - first;
    let mean = sum / f32(block.x * block.y);
    // What a 16-bit float cannot hold is white long before; the colour is kept.
    let scale = view.exposures_of_boid * min(1.0, MOST_STORED / (mean.x * view.exposures_of_boid + 1e-20));
    return vec4<f32>(mean.xyz * scale, mean.w);
}
