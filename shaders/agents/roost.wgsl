// The roost: v_r, the control vector of shaders/shared/surroundings.wgsl.

fn roost_control(agent: Situation) -> Vector3 {
    return control_of_roost(place_of(agent.place));
}
