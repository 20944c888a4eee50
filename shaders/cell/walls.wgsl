// Walls: v_w, the control vector of shaders/shared/surroundings.wgsl.
fn walls(cell: Cell) -> Vector {
    return Vector(control_of_wall(16 * cell.x, 16 * EXTENT.x), control_of_wall(16 * cell.y, 16 * EXTENT.y));
}
