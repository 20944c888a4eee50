// Outflow: what a cell gives to the neighbours ahead, from D and V by the distribution method (`shares`).
// Rule 2 and equation 7 of the paper: what the neighbours get is exactly what the cell loses.
//
// D_i = min( share_i·D, (capacity - D_receiver) / 8 )       and V, reversed on each axis where the way is blocked
fn outflow(cell: Cell) -> Written {
    var v = control(cell);
    let x = select(1, -1, v.x < 0);
    let y = select(1, -1, v.y < 0);
    let blocked = vec2<bool>(capacity(cell + Cell(x, 0)) == 0u, capacity(cell + Cell(0, y)) == 0u);
    v = select(v, -v, blocked);

    let here = density(cell);
    let share = shares(v, parameters.distribution);
    let ahead = Cell(select(1, -1, v.x < 0), select(1, -1, v.y < 0));
    return Written(
        v,
        give(here, share.x, cell + Cell(ahead.x, 0)),
        give(here, share.y, cell + Cell(0, ahead.y)),
        give(here, share.z, cell + ahead),
    );
}

fn give(here: u32, share: u32, receiver: Cell) -> u32 {
    return min(multiply_fraction(here, share), room(capacity(receiver), density(receiver)) / 8u);
}
