// Walls: v_w, the control vector of shaders/shared/surroundings.wgsl.
fn walls(cell: Cell) -> Vector {
    var v = Vector(0);
    v.x = control_of_wall(16 * cell.x, 16 * EXTENT.x);
    v.y = control_of_wall(16 * cell.y, 16 * EXTENT.y);
    if (LAST == 2) {
        v[LAST] = control_of_wall(16 * cell[LAST], 16 * EXTENT[LAST]);
    }
    return v;
}
