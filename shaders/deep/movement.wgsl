// Movement in a deep world: what the passes of outflow and `advect` do, in one pass, from V as `behaviour` leaves it, after the
// bounce. The amounts that neighbours give are computed again here. A cell with D < rest gives nothing.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn movement(cell: Cell) -> Written {
    return moved(nine_cells(cell - Cell(0, 0, 1)), nine_cells(cell), nine_cells(cell + Cell(0, 0, 1)));
}

// A strip of cells, from the first slice on: each slice is read once.
fn fill_strip(first: Cell, end: i32) {
    var cell = first;
    var before = nine_cells(cell - Cell(0, 0, 1));
    var level = nine_cells(cell);
    for (; cell.z < end; cell.z += 1) {
        let behind = nine_cells(cell + Cell(0, 0, 1));
        store(cell, moved(before, level, behind));
        before = level;
        level = behind;
    }
}

// A cell of a row and its neighbours to the left and right.
struct ThreeCells {
    density: vec3<u32>,
    // The amounts that move: 0 where a cell rests.
    awake: vec3<u32>,
    room: vec3<u32>,
    left: Vector,
    middle: Vector,
    right: Vector,
}

// A cell of a slice and its neighbours there.
struct NineCells {
    above: ThreeCells,
    level: ThreeCells,
    below: ThreeCells,
    // Whether any of them gives anything.
    is_awake: bool,
}

fn nine_cells(cell: Cell) -> NineCells {
    let row = Cell(0, 1, 0);
    var cells = NineCells(amounts_of(cell - row), amounts_of(cell), amounts_of(cell + row), true);
    cells.is_awake = any((cells.above.awake | cells.level.awake | cells.below.awake) > vec3<u32>(0u));
    cells.level.middle = control(cell);
    // The control vectors of cells that give nothing make no difference, but for the one in the middle.
    if (cells.is_awake) {
        cells.above = with_controls(cells.above, cell - row);
        cells.level = with_controls(cells.level, cell);
        cells.below = with_controls(cells.below, cell + row);
    }
    return cells;
}

fn amounts_of(cell: Cell) -> ThreeCells {
    let left = cell - Cell(1, 0, 0);
    let right = cell + Cell(1, 0, 0);
    let amounts = vec3<u32>(density(left), density(cell), density(right));
    let capacities = vec3<u32>(capacity(left), capacity(cell), capacity(right));
    var cells: ThreeCells;
    cells.density = amounts;
    cells.awake = select(amounts, vec3<u32>(0u), amounts < vec3<u32>(parameters.rest));
    cells.room = max(capacities, amounts) - amounts;
    return cells;
}

fn with_controls(amounts: ThreeCells, cell: Cell) -> ThreeCells {
    var cells = amounts;
    cells.left = control(cell - Cell(1, 0, 0));
    cells.middle = control(cell);
    cells.right = control(cell + Cell(1, 0, 0));
    return cells;
}

fn moved(before: NineCells, level: NineCells, behind: NineCells) -> Written {
    if (!(before.is_awake || level.is_awake || behind.is_awake)) {
        return Written(level.level.density.y, level.level.middle);
    }
    let free = level.level.room.y;
    var slice = inflows(level, 0, free);
    slice.level.given.y = level.level.density.y - given_away(before, level, behind);
    let received = receive(inflows(before, 1, free), slice, inflows(behind, -1, free));
    return Written(received.density, received.control);
}

// What a cell gives to the seven neighbours ahead.
fn given_away(before: NineCells, level: NineCells, behind: NineCells) -> u32 {
    let own = level.level.middle;
    let here = level.level.awake.y;
    let ahead = step_ahead(own);
    let rooms = rooms_ahead(level, ahead);
    let rooms_behind = rooms_ahead(behind, ahead);
    let rooms_before = rooms_ahead(before, ahead);
    let beside = select(rooms_behind, rooms_before, ahead.z < 0);
    let size = abs(own);
    return share_given(size, here, Vector(1, 0, 0), rooms.y)
        + share_given(size, here, Vector(0, 1, 0), rooms.z)
        + share_given(size, here, Vector(1, 1, 0), rooms.w)
        + share_given(size, here, Vector(0, 0, 1), beside.x)
        + share_given(size, here, Vector(1, 0, 1), beside.y)
        + share_given(size, here, Vector(0, 1, 1), beside.z)
        + share_given(size, here, Vector(1), beside.w);
}

fn share_given(v: Vector, here: u32, step: Vector, free: u32) -> u32 {
    return amount_given(here, share_of(v, step, parameters.distribution), free);
}

// The rooms of four cells of a slice: the one in the middle, the next one along x, along y and along both.
fn rooms_ahead(cells: NineCells, ahead: Cell) -> vec4<u32> {
    let level = cells.level.room;
    let row = select(cells.below.room, cells.above.room, ahead.y < 0);
    return vec4<u32>(level.y, select(level.z, level.x, ahead.x < 0), row.y, select(row.z, row.x, ahead.x < 0));
}

// What the cells of a slice give to the one in the middle of the next, `z` steps further, which has so much room.
fn inflows(cells: NineCells, z: i32, free: u32) -> Inflows {
    return Inflows(inflow(cells.above, 1, z, free), inflow(cells.level, 0, z, free), inflow(cells.below, -1, z, free));
}

fn inflow(row: ThreeCells, y: i32, z: i32, free: u32) -> Inflow {
    let given = vec3<u32>(
        share_given(row.left, row.awake.x, Vector(1, y, z), free),
        share_given(row.middle, row.awake.y, Vector(0, y, z), free),
        share_given(row.right, row.awake.z, Vector(-1, y, z), free),
    );
    return Inflow(given, row.left, row.middle, row.right);
}
