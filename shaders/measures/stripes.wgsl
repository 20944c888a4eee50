// The terms of a cell for stripes, over all axes: Σ (D(x−1) − 2D(x) + D(x+1))² and Σ (D(x−2) − 2D(x) + D(x+2))². Cells
// near a wall are left out along the axis of the wall. The twin is `StripeSums` in Rust.
//
// Generated around this file: CELLS; AXES; IS_TORUS; `density_at` (shaders/lattice/densities.wgsl).

// The difference of two densities. The integers are subtracted, so that the difference of near densities is exact.
fn difference(one: u32, other: u32) -> f32 {
    return select(-f32(other - one), f32(one - other), one >= other);
}

fn density_along(cell: vec3<i32>, axis: i32, by: i32) -> u32 {
    var moved = cell;
    let extent = CELLS[axis];
    moved[axis] = ((cell[axis] + by) % extent + extent) % extent;
    return density_at(moved);
}

fn stripe_terms(cell: vec3<i32>, own: u32) -> vec2<f32> {
    var sums = vec2<f32>(0.0);
    for (var axis = 0; axis < AXES; axis++) {
        if (IS_TORUS || (cell[axis] >= 2 && cell[axis] + 2 < CELLS[axis])) {
            let near = difference(density_along(cell, axis, -1), own) + difference(density_along(cell, axis, 1), own);
            let far = difference(density_along(cell, axis, -2), own) + difference(density_along(cell, axis, 2), own);
            sums += vec2<f32>(near * near, far * far);
        }
    }
    return sums;
}
