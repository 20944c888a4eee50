// Movement: what `outflow` and `advect` do, in one pass, from V as `behaviour` leaves it. What a neighbour gives to this
// cell is worked out here again.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn movement(cell: Cell) -> Written {
    return moved(around(cell - Cell(0, 1)), around(cell), around(cell + Cell(0, 1)));
}

// A strip of cells, from above: each row of cells is read once.
fn march(top: Cell, end: i32) {
    var cell = top;
    var above = around(cell - Cell(0, 1));
    var level = around(cell);
    for (; cell.y < end; cell.y += 1) {
        let below = around(cell + Cell(0, 1));
        store(cell, moved(above, level, below));
        above = level;
        level = below;
    }
}

// Three cells of a row.
struct Three {
    d: vec3<u32>,
    capacity: vec3<u32>,
    left: Vector,
    middle: Vector,
    right: Vector,
}

fn around(cell: Cell) -> Three {
    let left = cell - Cell(1, 0);
    let right = cell + Cell(1, 0);
    return Three(
        vec3<u32>(density(left), density(cell), density(right)),
        vec3<u32>(capacity(left), capacity(cell), capacity(right)),
        control(left),
        control(cell),
        control(right),
    );
}

fn moved(above: Three, level: Three, below: Three) -> Written {
    let own = level.middle;
    let here = level.d.y;
    let share = shares(own, parameters.distribution);
    // The row that is ahead, and the rooms of both rows on the side that is ahead.
    let room_above = rooms(above);
    let room_level = rooms(level);
    let room_below = rooms(below);
    let beyond = select(room_below, room_above, own.y < 0);
    let beside = select(room_level.z, room_level.x, own.x < 0);
    let across = select(beyond.z, beyond.x, own.x < 0);
    let stayed = here
        - amount_given(here, share.x, beside)
        - amount_given(here, share.y, beyond.y)
        - amount_given(here, share.z, across);

    // What each gives to this cell, if it is headed here.
    let free = room_level.y;
    let from_above_left = when(above.left.x > 0 && above.left.y > 0, across_from(above.d.x, above.left, free));
    let from_above = when(above.middle.y > 0, down_from(above.d.y, above.middle, free));
    let from_above_right = when(above.right.x < 0 && above.right.y > 0, across_from(above.d.z, above.right, free));
    let from_left = when(level.left.x > 0, along_from(level.d.x, level.left, free));
    let from_right = when(level.right.x < 0, along_from(level.d.z, level.right, free));
    let from_below_left = when(below.left.x > 0 && below.left.y < 0, across_from(below.d.x, below.left, free));
    let from_below = when(below.middle.y < 0, down_from(below.d.y, below.middle, free));
    let from_below_right = when(below.right.x < 0 && below.right.y < 0, across_from(below.d.z, below.right, free));

    let now = stayed + from_above_left + from_above + from_above_right + from_left + from_right
        + from_below_left + from_below + from_below_right;
    if (parameters.carry == 0u || now == 0u) {
        return Written(now, own);
    }

    let k = 15u - min(countLeadingZeros(now), 15u);
    let weight = (stayed >> k) + (from_above_left >> k) + (from_above >> k) + (from_above_right >> k)
        + (from_left >> k) + (from_right >> k) + (from_below_left >> k) + (from_below >> k) + (from_below_right >> k);
    let sum = i32(stayed >> k) * own
        + i32(from_above_left >> k) * above.left
        + i32(from_above >> k) * above.middle
        + i32(from_above_right >> k) * above.right
        + i32(from_left >> k) * level.left
        + i32(from_right >> k) * level.right
        + i32(from_below_left >> k) * below.left
        + i32(from_below >> k) * below.middle
        + i32(from_below_right >> k) * below.right;
    return Written(now, Vector(quotient(sum.x, i32(weight)), quotient(sum.y, i32(weight))));
}

fn rooms(three: Three) -> vec3<u32> {
    return max(three.capacity, three.d) - three.d;
}

// What a cell gives along x, down or up, and across, to a neighbour with so much room.
fn along_from(amount: u32, v: Vector, free: u32) -> u32 {
    return amount_given(amount, shares(v, parameters.distribution).x, free);
}

fn down_from(amount: u32, v: Vector, free: u32) -> u32 {
    return amount_given(amount, shares(v, parameters.distribution).y, free);
}

fn across_from(amount: u32, v: Vector, free: u32) -> u32 {
    return amount_given(amount, shares(v, parameters.distribution).z, free);
}

fn when(headed_here: bool, amount: u32) -> u32 {
    return select(0u, amount, headed_here);
}
