// Density e (in exposures), momentum e·V and solid part of a block: the means over its cells of
//   (D/BOID, D/BOID · V_x/ONE, D/BOID · V_y/ONE, solid), the first three times `exposures_per_boid`

#import "look/places"

fn swarm(block: vec2<i32>) -> vec4<f32> {
    let mean = mean_of(block);
    // The texture's 16-bit floats end at 65504. A density near it is white already; scaling density and momentum
    // together keeps its colour.
    let scale = view.exposures_per_boid * min(1.0, MAX_STORED / (mean.x * view.exposures_per_boid + 1e-20));
    return vec4<f32>(mean.xyz * scale, mean.w);
}

// IS_CELL: a block is a cell. Without a loop it takes half the time on a software adapter.
fn mean_of(block: vec2<i32>) -> vec4<f32> {
    if (IS_CELL) {
        return content(block);
    }
    let first = block * view.cells_per_block;
    let end = min(first + view.cells_per_block, view.lattice);
    var sum = vec4<f32>(0.0);
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            sum += content(vec2<i32>(x, y));
        }
    }
    let cells = end - first;
    return sum / f32(cells.x * cells.y);
}

// The boids, their momentum and the solid part of a cell.
fn content(cell: vec2<i32>) -> vec4<f32> {
    let boids = f32(density(cell)) * (1.0 / BOID);
    let word = control(cell);
    let velocity = vec2<f32>(vec2<i32>(bitcast<i32>(word << 16u) >> 16u, bitcast<i32>(word) >> 16u)) * (1.0 / ONE);
    var solid = 0.0;
    if (HAS_SOLIDS) {
        solid = f32(solids(cell));
    }
    return vec4<f32>(boids, boids * velocity, solid);
}
