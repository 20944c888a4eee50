// Wander: every cell gives the same small fraction to each face neighbour, at most a quarter of the room there; V stays.
//
// D'' = D' - given + received; a cell with D' < rest gives nothing
fn wander(cell: Cell) -> u32 {
    let here = density(cell);
    let room_here = room(capacity(cell), here) / 4u;
    let part_here = multiply_fraction(amount_awake(here), parameters.wander);
    var given = 0u;
    var received = 0u;
    for (var i = 0; i < 4; i++) {
        let face = cell + Cell(select(0, 2 * i - 5, i > 1), select(0, 2 * i - 1, i < 2));
        let there = density(face);
        given += min(part_here, room(capacity(face), there) / 4u);
        received += min(multiply_fraction(amount_awake(there), parameters.wander), room_here);
    }
    return here - given + received;
}
