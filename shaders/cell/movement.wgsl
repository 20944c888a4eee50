// Movement: what `outflow` and `advect` do, in one pass, from V as `behaviour` leaves it. What a neighbour gives to this
// cell is worked out here again.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn movement(cell: Cell) -> Written {
    // The 3 x 3 cells around, row by row.
    var v = array<Vector, 9>();
    var d = array<u32, 9>();
    for (var i = 0; i < 9; i++) {
        let there = cell + Cell(i % 3 - 1, i / 3 - 1);
        v[i] = control(there);
        d[i] = density(there);
    }
    let here = d[4];
    let next = ahead(v[4]);
    let share = shares(v[4], parameters.distribution);
    let beside = select(d[5], d[3], next.x < 0);
    let beyond = select(d[7], d[1], next.y < 0);
    let across = select(select(d[8], d[6], next.x < 0), select(d[2], d[0], next.x < 0), next.y < 0);
    let stayed = here
        - given(here, share.x, room(capacity(cell + Cell(next.x, 0)), beside))
        - given(here, share.y, room(capacity(cell + Cell(0, next.y)), beyond))
        - given(here, share.z, room(capacity(cell + next), across));

    let free = room(capacity(cell), here);
    var now = stayed;
    var received = array<u32, 9>();
    for (var i = 0; i < 9; i++) {
        received[i] = select(coming(d[i], v[i], Cell(1 - i % 3, 1 - i / 3), free), stayed, i == 4);
        now += select(received[i], 0u, i == 4);
    }
    if (parameters.carry == 0u || now == 0u) {
        return Written(now, v[4]);
    }

    let k = 15u - min(countLeadingZeros(now), 15u);
    var weight = 0;
    var sum = Vector(0);
    for (var i = 0; i < 9; i++) {
        let part = i32(received[i] >> k);
        weight += part;
        sum += part * v[i];
    }
    return Written(now, Vector(quotient(sum.x, weight), quotient(sum.y, weight)));
}

// What a cell gives in this direction, if it is headed there, to a neighbour with so much room.
fn coming(amount: u32, v: Vector, direction: Cell, free: u32) -> u32 {
    let share = shares(v, parameters.distribution);
    let along = select(select(share.z, share.x, direction.y == 0), share.y, direction.x == 0);
    let is_headed = (direction.x == 0 || v.x * direction.x > 0) && (direction.y == 0 || v.y * direction.y > 0);
    return select(0u, given(amount, along, free), is_headed);
}
