// Alignment: towards the mean velocity of the neighbours.
//
// direction: Σv;   v_a = Σv / n - v;   heading: Σv / (n - 1) - v

fn alignment_quantity(neighbour: Neighbour) -> Offset {
    return neighbour.velocity;
}

// The agent is among its own neighbours, at distance 0: it is taken out. Half a sight does not see it.
fn alignment_direction(agent: Situation) -> Vector3 {
    let own = velocity_in_units(agent.velocity);
    return in_space(agent.sums.alignment) - select(own, Vector3(0), SEES_HALF || sight_of_alignment() == 0);
}

fn alignment_control(agent: Situation) -> Vector3 {
    let count = max(agent.sums.alignment_count, 1);
    let sum = in_space(agent.sums.alignment);
    let mean = Vector3(quotient(sum.x, count), quotient(sum.y, count), quotient(sum.z, count));
    // Q14 to Q10.
    return round_shift3(mean << vec3<u32>(VELOCITY_UNIT), 4u) - round_shift3(agent.velocity, 4u);
}

// Nothing where there are no others.
fn alignment_heading(agent: Situation) -> Vector3 {
    let others = agent.sums.alignment_count - 1;
    if (others <= 0) {
        return Vector3(0);
    }
    let sum = in_space(agent.sums.alignment) - velocity_in_units(agent.velocity);
    let mean = Vector3(quotient(sum.x, others), quotient(sum.y, others), quotient(sum.z, others));
    // Q14 to Q10.
    return round_shift3(mean << vec3<u32>(VELOCITY_UNIT), 4u) - round_shift3(agent.velocity, 4u);
}
