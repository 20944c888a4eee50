// A cell receives what its neighbours give it.
fn arrive(cell: Cell) -> u32 {
    var now = density(cell);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            now += received(cell, Cell(x, y));
        }
    }
    return now;
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
