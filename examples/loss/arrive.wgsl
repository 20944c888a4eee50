// The second of two passes that read each other's half-written state: a cell receives what its neighbours give it, but
// computed from their densities after they have lost it.
fn arrive(cell: Cell) -> u32 {
    var now = density(cell);
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
