// The hunter: v_h, the control vector of shaders/shared/surroundings.wgsl. It is a column through the whole depth of a world.

fn hunter_control(agent: Situation) -> Vector3 {
    if (parameters.hunter_reach <= 0) {
        return Vector3(0);
    }
    return Vector3(control_of_hunter(in_parts(agent.place).xy), 0);
}
