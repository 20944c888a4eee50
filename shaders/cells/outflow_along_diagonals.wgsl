// Outflow along the diagonals of a deep world: the amounts that a cell gives to the three neighbours ahead that share an edge and to
// the one that shares a corner, from D and V after the bounce.
// The default chain has this in shaders/deep/movement.wgsl, by the functions of shaders/shared/deep_transport.wgsl as well.
//
// D_i = min( share_i·D, (capacity - D_receiver) / 26 ); nothing where D < rest
fn outflow_along_diagonals(cell: Cell) -> Written {
    let v = control(cell);
    let ahead = step_ahead(v);
    return Written(
        give(cell, v, ahead * Cell(1, 1, 0)),
        give(cell, v, ahead * Cell(1, 0, 1)),
        give(cell, v, ahead * Cell(0, 1, 1)),
        give(cell, v, ahead),
    );
}

fn give(cell: Cell, v: Vector, step: Cell) -> u32 {
    let receiver = cell + step;
    let share = share_of(v, step, parameters.distribution);
    return amount_given(amount_awake(density(cell)), share, remaining_capacity(capacity(receiver), density(receiver)));
}
