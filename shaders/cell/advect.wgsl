// Advect: every cell takes what its neighbours give it, and their headings with it. The weights are the shares >> k, k
// the least with D' >> k < 2^17, so that the sums fit in 32 bits.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn advect(cell: Cell) -> Written {
    let own = control(cell);
    let stayed = density(cell) - outflow_x(cell) - outflow_y(cell) - outflow_xy(cell);
    var now = stayed;
    var received: array<u32, 9>;
    var headings: array<Vector, 9>;
    for (var i = 0; i < 9; i++) {
        let away = Cell(i % 3 - 1, i / 3 - 1);
        if (i == 4) {
            received[i] = stayed;
            headings[i] = own;
        } else {
            headings[i] = control(cell + away);
            received[i] = comes(cell + away, away, headings[i]);
            now += received[i];
        }
    }
    if (parameters.carry == 0u || now == 0u) {
        return Written(now, own);
    }
    let k = 15u - min(countLeadingZeros(now), 15u);
    var weight = 0;
    var sum = Vector(0);
    for (var i = 0; i < 9; i++) {
        let share = i32(received[i] >> k);
        weight += share;
        sum += share * headings[i];
    }
    return Written(now, Vector(quotient(sum.x, weight), quotient(sum.y, weight)));
}

// What the neighbour gives to the cell that it lies `away` from.
fn comes(neighbour: Cell, away: Cell, heading: Vector) -> u32 {
    let points_here = (away == Cell(0)) | (heading * away < Vector(0));
    if (!all(points_here)) {
        return 0u;
    }
    if (away.y == 0) {
        return outflow_x(neighbour);
    }
    if (away.x == 0) {
        return outflow_y(neighbour);
    }
    return outflow_xy(neighbour);
}
