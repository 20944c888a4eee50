// Advect in a deep world: every cell receives what its 26 neighbours give it, together with their control vectors.
// The default chain computes this in shaders/deep/movement.wgsl, also with functions of
// shaders/shared/deep_transport.wgsl.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn advect_deep(cell: Cell) -> Written {
    var level = inflows(cell, 0);
    level.level.given.y = density(cell) - outflow_x(cell) - outflow_y(cell) - outflow_z(cell)
        - outflow_xy(cell) - outflow_xz(cell) - outflow_yz(cell) - outflow_xyz(cell);
    let received = receive(inflows(cell, 1), level, inflows(cell, -1));
    return Written(received.density, received.control);
}

// The amounts that the cells of the slice `z` steps before a cell give to the cell.
fn inflows(cell: Cell, z: i32) -> Inflows {
    return Inflows(inflow(cell, 1, z), inflow(cell, 0, z), inflow(cell, -1, z));
}

fn inflow(cell: Cell, y: i32, z: i32) -> Inflow {
    let middle = cell - Cell(0, y, z);
    let left = middle - Cell(1, 0, 0);
    let right = middle + Cell(1, 0, 0);
    let given = vec3<u32>(
        arriving(left, Vector(1, y, z)),
        arriving(middle, Vector(0, y, z)),
        arriving(right, Vector(-1, y, z)),
    );
    return Inflow(given, control(left), control(middle), control(right));
}

// The amount that a cell gives to the neighbour at `step`, if V leads there.
fn arriving(giver: Cell, step: Vector) -> u32 {
    return if_headed_here(all(step * control(giver) >= abs(step)), outflow_along(giver, step));
}

// The amount that a cell gives along the axes of a step.
fn outflow_along(cell: Cell, step: Vector) -> u32 {
    let axes = dot(abs(step), Vector(1, 2, 4));
    switch axes {
        case 1: { return outflow_x(cell); }
        case 2: { return outflow_y(cell); }
        case 3: { return outflow_xy(cell); }
        case 4: { return outflow_z(cell); }
        case 5: { return outflow_xz(cell); }
        case 6: { return outflow_yz(cell); }
        case 7: { return outflow_xyz(cell); }
        default: { return 0u; }
    }
}
