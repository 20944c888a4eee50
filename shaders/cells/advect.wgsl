// Advect: every cell receives what its neighbours give it, together with their control vectors.
// The default chain computes this in shaders/cells/movement.wgsl, also with the functions of
// shaders/shared/transport.wgsl.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn advect(cell: Cell) -> Written {
    let stayed = density(cell) - outflow_x(cell) - outflow_y(cell) - outflow_xy(cell);
    let given = Outflows(
        outflow_xy(cell + Cell(-1, -1)),
        outflow_y(cell + Cell(0, -1)),
        outflow_xy(cell + Cell(1, -1)),
        outflow_x(cell + Cell(-1, 0)),
        outflow_x(cell + Cell(1, 0)),
        outflow_xy(cell + Cell(-1, 1)),
        outflow_y(cell + Cell(0, 1)),
        outflow_xy(cell + Cell(1, 1)),
    );
    let headings = Headings(
        control(cell + Cell(-1, -1)),
        control(cell + Cell(0, -1)),
        control(cell + Cell(1, -1)),
        control(cell + Cell(-1, 0)),
        control(cell + Cell(1, 0)),
        control(cell + Cell(-1, 1)),
        control(cell + Cell(0, 1)),
        control(cell + Cell(1, 1)),
    );
    let received = receive(stayed, control(cell), given, headings);
    return Written(received.density, received.control);
}
