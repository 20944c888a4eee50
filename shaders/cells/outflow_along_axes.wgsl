// Outflow along the axes of a deep world: the amounts that a cell gives to the three neighbours ahead that share a
// face. They follow from D and V by the distribution method (`share_of`).
// The default chain computes this in shaders/deep/movement.wgsl, also with functions of
// shaders/shared/deep_transport.wgsl.
//
// D_i = min( share_i·D, (capacity - D_receiver) / 26 )       and V after the bounce; nothing and V where D < rest
fn outflow_along_axes(cell: Cell) -> Written {
    let own = control(cell);
    let ahead = step_ahead(own);
    let turned = Vector(
        bounce(own.x, capacity(cell + along_x(ahead))),
        bounce(own.y, capacity(cell + along_y(ahead))),
        bounce(own.z, capacity(cell + along_last(ahead))),
    );
    let v = select(turned, own, rests(density(cell)));
    let next = step_ahead(v);
    return Written(v, give(cell, v, along_x(next)), give(cell, v, along_y(next)), give(cell, v, along_last(next)));
}

fn give(cell: Cell, v: Vector, step: Cell) -> u32 {
    let receiver = cell + step;
    let share = share_of(v, step, parameters.distribution);
    return amount_given(amount_awake(density(cell)), share, remaining_capacity(capacity(receiver), density(receiver)));
}
