// Movement: `outflow` and `advect` in one pass. V is the result of `behaviour`, after the bounce. The outflows of the
// neighbours are computed again for each cell.
//
// A cell with D < rest gives nothing.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn movement(cell: Cell) -> Written {
    return moved(three_cells(cell - Cell(0, 1)), three_cells(cell), three_cells(cell + Cell(0, 1)));
}

// Fills a strip of cells, from above. Each row of cells is read once.
fn fill_strip(top: Cell, end: i32) {
    var cell = top;
    var above = three_cells(cell - Cell(0, 1));
    var level = three_cells(cell);
    for (; cell.y < end; cell.y += 1) {
        let below = three_cells(cell + Cell(0, 1));
        store(cell, moved(above, level, below));
        above = level;
        level = below;
    }
}

// A cell and its neighbours to the left and right.
struct ThreeCells {
    density: vec3<u32>,
    // The amounts that can move: 0 for cells that rest.
    awake: vec3<u32>,
    capacity: vec3<u32>,
    left: Vector,
    middle: Vector,
    right: Vector,
}

fn three_cells(cell: Cell) -> ThreeCells {
    let left = cell - Cell(1, 0);
    let right = cell + Cell(1, 0);
    let amounts = vec3<u32>(density(left), density(cell), density(right));
    return ThreeCells(
        amounts,
        select(amounts, vec3<u32>(0u), amounts < vec3<u32>(parameters.rest)),
        vec3<u32>(capacity(left), capacity(cell), capacity(right)),
        control(left),
        control(cell),
        control(right),
    );
}

fn moved(above: ThreeCells, level: ThreeCells, below: ThreeCells) -> Written {
    let own = level.middle;
    let here = level.awake.y;
    let share = shares(own, parameters.distribution);
    // The room in the three cells ahead: along x, along y and along both.
    let room_above = rooms(above);
    let room_level = rooms(level);
    let room_below = rooms(below);
    let row_ahead = select(room_below, room_above, own.y < 0);
    let ahead_x = select(room_level.z, room_level.x, own.x < 0);
    let ahead_xy = select(row_ahead.z, row_ahead.x, own.x < 0);
    let stayed = level.density.y
        - amount_given(here, share.x, ahead_x)
        - amount_given(here, share.y, row_ahead.y)
        - amount_given(here, share.z, ahead_xy);

    let free = room_level.y;
    let given = Outflows(
        given_xy(above.awake.x, above.left, free),
        given_y(above.awake.y, above.middle, free),
        given_xy(above.awake.z, above.right, free),
        given_x(level.awake.x, level.left, free),
        given_x(level.awake.z, level.right, free),
        given_xy(below.awake.x, below.left, free),
        given_y(below.awake.y, below.middle, free),
        given_xy(below.awake.z, below.right, free),
    );
    let headings = Headings(
        above.left,
        above.middle,
        above.right,
        level.left,
        level.right,
        below.left,
        below.middle,
        below.right,
    );
    let received = receive(stayed, own, given, headings);
    return Written(received.density, received.control);
}

fn rooms(cells: ThreeCells) -> vec3<u32> {
    return max(cells.capacity, cells.density) - cells.density;
}

// The amounts that a cell gives along x, along y and along both. `free`: the room of the neighbour.
fn given_x(amount: u32, v: Vector, free: u32) -> u32 {
    return amount_given(amount, shares(v, parameters.distribution).x, free);
}

fn given_y(amount: u32, v: Vector, free: u32) -> u32 {
    return amount_given(amount, shares(v, parameters.distribution).y, free);
}

fn given_xy(amount: u32, v: Vector, free: u32) -> u32 {
    return amount_given(amount, shares(v, parameters.distribution).z, free);
}
