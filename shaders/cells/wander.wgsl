// Wander: every cell gives a small fraction of its amount to each face neighbour, at most 1/FACES of the room there. V
// stays.
//
// D'' = D' - given + received; a cell with D' < rest gives nothing
fn wander(cell: Cell) -> u32 {
    let here = density(cell);
    let room_here = remaining_capacity(capacity(cell), here) / FACES;
    let part_here = multiply_fraction(amount_awake(here), parameters.wander);
    var given = 0u;
    var received = 0u;
    for (var i = 0; i < i32(FACES); i++) {
        let face = cell + face_step(i);
        let there = density(face);
        given += min(part_here, remaining_capacity(capacity(face), there) / FACES);
        received += min(multiply_fraction(amount_awake(there), parameters.wander), room_here);
    }
    return here - given + received;
}

// The number of faces of a cell: four in a flat world, six in a deep one.
const FACES: u32 = 2u * u32(LAST + 1);

// The step to the neighbour at a face.
fn face_step(i: i32) -> Cell {
    let axis = i >> 1u;
    let length = 2 * (i & 1) - 1;
    var step = Cell(0);
    step.x = select(0, length, axis == 0);
    step.y = select(0, length, axis == 1);
    if (LAST == 2) {
        step[LAST] = select(0, length, axis == LAST);
    }
    return step;
}
