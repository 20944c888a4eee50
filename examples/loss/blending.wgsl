// Blending into a render target of 8 bits: a cell's rest and each amount that arrives are drawn one after the other.
// Each is rounded to 1/255 boid, and the sum ends at one boid.
fn blending(cell: Cell) -> u32 {
    var sum = in_parts(density(cell) - given_x(cell) - given_y(cell) - given_xy(cell));
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            sum = min(sum + in_parts(received(cell, Cell(x, y))), 255u);
        }
    }
    return (sum * 65536u + 127u) / 255u;
}

// An amount in 1/255 boid, to nearest.
fn in_parts(amount: u32) -> u32 {
    return (min(amount, 65536u) * 255u + 32768u) / 65536u;
}

// The amount that comes to a cell by a step from a neighbour; 0 if the neighbour is headed elsewhere.
fn received(cell: Cell, step: Cell) -> u32 {
    let neighbour = cell - step;
    if (all(step == Cell(0)) || any(sign(control(neighbour)) * abs(step) != step)) {
        return 0u;
    }
    let along = select(given_y(neighbour), given_x(neighbour), step.y == 0);
    return select(along, given_xy(neighbour), all(step != Cell(0)));
}
