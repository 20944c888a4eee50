// Self-driven particles (*Novel type of phase transition in a system of self-driven particles*, T. Vicsek and others):
// the new heading is the mean heading of the individuals within the radius of alignment, the individual itself
// included.
//
// v' = max · u/|u|, with u = w_a·Σv/n + w_c·v_c + w_s·v_s + Σ w_i·v_i over the rules of the world; v' = v if u = 0
//
// The result is u: noise is added to it before it is brought to length.

#import "individuals/situation"

fn request(individual: Situation, control: Vector3) -> Vector3 {
    return bounded(control);
}

fn bounded(control: Vector3) -> Vector3 {
    return clamp(control, Vector3(-RULE_LIMIT), Vector3(RULE_LIMIT));
}

fn steer(individual: Situation) -> Vector3 {
    let species = parameters.species[own_species];
    let sum = individual.met
        + sum_of_world(individual)
        + bounded(cohesion_control(individual)) * species.weights[0].x
        + bounded(separation_control(individual)) * species.weights[0].y;
    // Q10 times Q(20 - weight_bits) becomes Q14.
    let requested = round_shift3(sum, 16u - species.weight_bits);
    // The mean is computed in 64ths of a unit, so that a small sum over many neighbours keeps its direction.
    let headings = deep(individual.sums.alignment);
    let count = 16 * max(individual.sums.alignment_count, 1);
    let fine = Vector3(ratio(headings.x, count), ratio(headings.y, count), ratio(headings.z, count));
    let mean = round_shift3(fine << vec3<u32>(VELOCITY_UNIT), 6u) * species.weights[0].z;
    let wanted = round_shift3(mean, 20u - species.weight_bits) + requested;
    return select(wanted, individual.velocity, all(wanted == Vector3(0)));
}
