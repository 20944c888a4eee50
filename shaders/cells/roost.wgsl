// The roost: v_r, the control vector of shaders/shared/surroundings.wgsl.
fn roost(cell: Cell) -> Vector {
    return on_axes(control_of_roost(place_of(cell)));
}
