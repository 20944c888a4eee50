// Outflow along the diagonals of a deep world: the amounts that a cell gives to the neighbours ahead that share an edge
// (three) or a corner (one). They follow from D and V after the bounce.
// The default chain computes this in shaders/deep/movement.wgsl, also with functions of
// shaders/shared/deep_transport.wgsl.
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
