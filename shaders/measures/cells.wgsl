// The bodies of a swarm of cells: the content of each cell, in its middle. Several layers are one body with their mean
// velocity.
//
// Generated around this file: CELLS, AXES, `density_at` (shaders/lattice/densities.wgsl), `momentum_at`
// (shaders/lattice/momentum.wgsl).

#import "measures/body"

// Adds the momentum and the density of one more layer in a cell.
fn with_layer(sum: vec4<f32>, density: u32, velocity: vec3<i32>) -> vec4<f32> {
    let quanta = f32(density);
    return sum + vec4<f32>(quanta * vec3<f32>(velocity), quanta);
}

fn body_count() -> u32 {
    return u32(CELLS.x) * u32(CELLS.y) * u32(CELLS.z);
}

fn body_at(i: u32) -> Body {
    let row = i / u32(CELLS.x);
    let cell = vec3<i32>(vec3<u32>(i % u32(CELLS.x), row % u32(CELLS.y), row / u32(CELLS.y)));
    let middle = (cell << vec3<u32>(16u)) + vec3<i32>(0x8000);
    let momentum = momentum_at(cell);
    let velocity = momentum.xyz / max(momentum.w, 1.0);
    return Body(f32(density_at(cell)), select(middle, vec3<i32>(0), vec3<i32>(0, 1, 2) >= vec3<i32>(AXES)), velocity);
}
