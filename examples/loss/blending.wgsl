// Blending into a render target of 8 bits: a cell's rest and each amount that arrives are drawn one after the other.
// Each is rounded to 1/255 boid, and the sum ends at one boid.
fn blending(cell: Cell) -> u32 {
    let share = shares(control(cell), parameters.distribution);
    let amount = density(cell);
    let given_away = multiply_fraction(amount, share.x) + multiply_fraction(amount, share.y)
        + multiply_fraction(amount, share.z);
    var sum = in_parts(amount - given_away);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            if (x != 0 || y != 0) {
                sum = min(sum + in_parts(given(cell - Cell(x, y), Cell(x, y))), 255u);
            }
        }
    }
    return (sum * 65536u + 127u) / 255u;
}

// An amount in 1/255 boid, to nearest.
fn in_parts(amount: u32) -> u32 {
    return (min(amount, 65536u) * 255u + 32768u) / 65536u;
}

// The amount that a cell gives to the neighbour at `step`.
fn given(from_cell: Cell, step: Cell) -> u32 {
    let v = control(from_cell);
    let share = shares(v, parameters.distribution);
    let ahead = sign(v) * abs(step);
    if (any(ahead != step)) {
        return 0u;
    }
    let along = select(share.y, share.x, step.y == 0);
    return multiply_fraction(density(from_cell), select(along, share.z, all(step != Cell(0))));
}
