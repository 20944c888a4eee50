// Outflow: the amounts that a cell gives to the neighbours ahead, from D and V by the distribution method (`shares`).
// These are rule 2 and equation 7 of the paper: the neighbours get exactly what the cell loses.
// The default chain computes this in shaders/cells/movement.wgsl, also with the functions of
// shaders/shared/transport.wgsl.
//
// D_i = min( share_i·D, (capacity - D_receiver) / 8 )       and V after the bounce; nothing and V where D < rest
fn outflow(cell: Cell) -> Written {
    let own = control(cell);
    let ahead = step_ahead(own);
    let turned = Vector(
        bounce(own.x, capacity(cell + along_x(ahead))),
        bounce(own.y, capacity(cell + along_y(ahead))),
    );
    let v = select(turned, own, rests(density(cell)));
    let here = amount_awake(density(cell));
    let share = shares(v, parameters.distribution);
    let next = step_ahead(v);
    return Written(
        v,
        give(here, share.x, cell + Cell(next.x, 0)),
        give(here, share.y, cell + Cell(0, next.y)),
        give(here, share.z, cell + next),
    );
}

fn give(here: u32, share: u32, receiver: Cell) -> u32 {
    return amount_given(here, share, remaining_capacity(capacity(receiver), density(receiver)));
}
