// Overlap queries among cells, each of which counts with its middle.
//
// Generated around this file: CELLS, AXES, `density_at` (shaders/lattice/densities.wgsl).

#import "overlap/overlap"

// The first cell that a shape may touch along an axis, and how many.
fn cells_along(middle: i32, half: i32, extent: i32) -> vec2<i32> {
    let first = (middle - half) >> 4u;
    let count = ((middle + half) >> 4u) - first + 1;
    return select(vec2<i32>(first, count), vec2<i32>(0, extent), count >= extent);
}

@compute @workgroup_size(64)
fn overlap_of_cells(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group.y * groups.x + group.x;
    let query = queries[min(number, arrayLength(&queries) - 1u)];
    let x = cells_along(query.x, query.half_x, CELLS.x);
    let y = cells_along(query.y, query.half_y, CELLS.y);
    let z = cells_along(query.z, query.half_z, CELLS.z);
    let first = vec3<i32>(x.x, y.x, z.x);
    let counts = vec3<u32>(vec3<i32>(x.y, y.y, z.y));
    var own = nothing();
    for (var i = lane; i < counts.x * counts.y * counts.z; i += LANES) {
        let row = i / counts.x;
        var cell = first + vec3<i32>(vec3<u32>(i % counts.x, row % counts.y, row / counts.y));
        if (IS_TORUS) {
            cell = cell + select(vec3<i32>(0), CELLS, cell < vec3<i32>(0)) - select(vec3<i32>(0), CELLS, cell >= CELLS);
        }
        if (any(cell < vec3<i32>(0)) || any(cell >= CELLS)) {
            continue;
        }
        let middle = cell * 16 + 8;
        let place = select(middle, vec3<i32>(0), vec3<i32>(0, 1, 2) >= vec3<i32>(AXES));
        let square = square_of(query, place);
        let quanta = density_at(cell);
        if (square != OUTSIDE && quanta > 0u) {
            let index = (cell.z * CELLS.y + cell.y) * CELLS.x + cell.x;
            own = joined(own, Found(quanta, 0u, square, u32(index), place));
        }
    }
    write_result(number, lane, own);
}
