// A border without a rule: a cell gives to the neighbours ahead, and nobody receives what leaves the texture.
fn border(cell: Cell) -> u32 {
    let share = shares(control(cell), parameters.distribution);
    let amount = density(cell);
    var now = amount - multiply_fraction(amount, share.x) - multiply_fraction(amount, share.y)
        - multiply_fraction(amount, share.z);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            if (x != 0 || y != 0) {
                now += given(cell - Cell(x, y), Cell(x, y));
            }
        }
    }
    return now;
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
