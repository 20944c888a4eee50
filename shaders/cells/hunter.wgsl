// The hunters: v_h, the control vector of shaders/shared/surroundings.wgsl.
fn hunter(cell: Cell) -> Vector {
    return on_axes(control_of_hunters(place_of(cell)));
}
