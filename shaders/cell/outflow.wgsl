// Outflow: what a cell gives to the neighbours ahead, from D and V by the distribution method (`shares`).
// Rule 2 and equation 7 of the paper: what the neighbours get is exactly what the cell loses.
//
// D_i = min( share_i·D, (capacity - D_receiver) / 8 )       and V, reversed on each axis where the way is blocked
fn outflow(cell: Cell) -> Written {
    let straight = ahead(control(cell));
    let v = turned(control(cell), capacity(cell + Cell(straight.x, 0)), capacity(cell + Cell(0, straight.y)));
    let here = density(cell);
    let share = shares(v, parameters.distribution);
    let next = ahead(v);
    return Written(
        v,
        give(here, share.x, cell + Cell(next.x, 0)),
        give(here, share.y, cell + Cell(0, next.y)),
        give(here, share.z, cell + next),
    );
}

fn give(here: u32, share: u32, receiver: Cell) -> u32 {
    return amount_given(here, share, room(capacity(receiver), density(receiver)));
}
