// The field of noise of a lattice. The twin is crates/core/src/noise/lattice.rs.

// The control vector (Q14) of a cell after the noise of the step, each component within ±1.
fn with_noise(v: Vector, cell: Cell) -> Vector {
    return with_draws(v, draws_of_cell(cell));
}

// The control vector after noise, with the random numbers of the cell.
fn with_draws(v: Vector, draws: Draws) -> Vector {
    if (parameters.noise.angle == 0 && parameters.noise.vector == 0) {
        return v;
    }
    return clamp_components(on_axes(velocity_with_noise(on_three_axes(v), parameters.noise, draws)), ONE);
}

// The random numbers of a cell of the lattice.
fn draws_of_cell(cell: Cell) -> Draws {
    let noise = parameters.noise;
    let keys = draw_keys(noise);
    var draws: Draws;
    if (noise.angle != 0) {
        draws.angle = number_of_cell(noise, keys, on_three_axes(cell_in_world(cell)), DRAWS_ANGLE);
    }
    if (noise.vector != 0) {
        draws.vector = number_of_cell(noise, keys, on_three_axes(cell_in_world(cell)), DRAWS_VECTOR);
    }
    return finished_draws(noise, draws);
}

// The knots of the field before and after a place along an axis, and their weights (Q14).
fn knots_around(noise: NoiseNumbers, axis: i32, extent: i32, place: i32) -> vec4<i32> {
    let way = place * noise.knots[axis];
    let first = way / extent;
    let rest = way - first * extent;
    let next = select(first + 1, 0, TORUS && first + 1 == noise.knots[axis]);
    return vec4<i32>(first, next, draw_weights((rest * noise.slopes[axis]) >> 14u));
}

// The random numbers of a knot. If each cell draws its own numbers, a knot is a cell.
fn number_of_knot(noise: NoiseNumbers, keys: DrawKeys, knot: Vector3, kind: u32) -> Vector3 {
    let row = (u32(knot.z) << 15u) ^ u32(knot.y);
    return number_in_time(noise, draw_keys_of_row(keys, row), u32(knot.x), kind);
}

// The random numbers between two knots along x.
fn number_of_line(noise: NoiseNumbers, keys: DrawKeys, x: vec4<i32>, y: i32, z: i32, kind: u32) -> Vector3 {
    let first = number_of_knot(noise, keys, Vector3(x.x, y, z), kind);
    return mix_draws(first, number_of_knot(noise, keys, Vector3(x.y, y, z), kind), x.zw);
}

// The random numbers of a cell of the world.
fn number_of_cell(noise: NoiseNumbers, keys: DrawKeys, cell: Vector3, kind: u32) -> Vector3 {
    if (noise.length == 1) {
        return number_of_knot(noise, keys, cell, kind);
    }
    let x = knots_around(noise, 0, ENDS.x / 16, cell.x);
    let y = knots_around(noise, 1, ENDS.y / 16, cell.y);
    if (LAST == 1) {
        let first = number_of_line(noise, keys, x, y.x, 0, kind);
        return mix_draws(first, number_of_line(noise, keys, x, y.y, 0, kind), y.zw);
    }
    let z = knots_around(noise, LAST, ENDS[LAST] / 16, cell.z);
    let near = mix_draws(
        number_of_line(noise, keys, x, y.x, z.x, kind),
        number_of_line(noise, keys, x, y.y, z.x, kind),
        y.zw,
    );
    let far = mix_draws(
        number_of_line(noise, keys, x, y.x, z.y, kind),
        number_of_line(noise, keys, x, y.y, z.y, kind),
        y.zw,
    );
    return mix_draws(near, far, z.zw);
}

// The random numbers of two lines of knots at a column of a flat world. The cells of the column between the lines, up
// to the row before `end`, interpolate them. If each cell draws its own numbers, the first line is the cell itself.
struct DrawLines {
    first: Draws,
    second: Draws,
    end: i32,
}

fn draw_lines(cell: Cell) -> DrawLines {
    let noise = parameters.noise;
    var lines: DrawLines;
    lines.end = cell.y + 1;
    if (noise.angle != 0) {
        let both = numbers_of_lines(noise, cell, DRAWS_ANGLE);
        lines.first.angle = both[0];
        lines.second.angle = both[1];
    }
    if (noise.vector != 0) {
        let both = numbers_of_lines(noise, cell, DRAWS_VECTOR);
        lines.first.vector = both[0];
        lines.second.vector = both[1];
    }
    if (noise.length > 1) {
        // The next cell with another first knot.
        let place = cell_in_world(cell).y;
        let extent = ENDS.y / 16;
        let next = knots_around(noise, 1, extent, place).x + 1;
        lines.end = cell.y + (next * extent + noise.knots[1] - 1) / noise.knots[1] - place;
    }
    return lines;
}

// The random numbers of both lines at the column of a cell.
fn numbers_of_lines(noise: NoiseNumbers, cell: Cell, kind: u32) -> array<Vector3, 2> {
    let keys = draw_keys(noise);
    let place = on_three_axes(cell_in_world(cell));
    if (noise.length == 1) {
        return array<Vector3, 2>(number_of_knot(noise, keys, place, kind), Vector3(0));
    }
    let x = knots_around(noise, 0, ENDS.x / 16, place.x);
    let y = knots_around(noise, 1, ENDS.y / 16, place.y);
    return array<Vector3, 2>(
        number_of_line(noise, keys, x, y.x, 0, kind),
        number_of_line(noise, keys, x, y.y, 0, kind),
    );
}

// The random numbers of a cell between two lines.
fn draws_between(lines: DrawLines, cell: Cell) -> Draws {
    let noise = parameters.noise;
    var weights = vec2<i32>(ONE, 0);
    if (noise.length > 1) {
        weights = knots_around(noise, 1, ENDS.y / 16, cell_in_world(cell).y).zw;
    }
    let angle = mix_draws(lines.first.angle, lines.second.angle, weights);
    let vector = mix_draws(lines.first.vector, lines.second.vector, weights);
    return finished_draws(noise, Draws(angle, vector, 0, Vector3(0)));
}
