// The hunter: v_h, the control vector of shaders/shared/surroundings.wgsl.
fn hunter(cell: Cell) -> Vector {
    return control_of_hunter(16 * cell);
}
