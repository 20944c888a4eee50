// The cell system's rules for individuals: V' = limit(keep·V + Σ w_i·v_i)

#import "individuals/situation"

fn request(individual: Situation, control: Vector3) -> Vector3 {
    return bounded(control);
}

fn bounded(control: Vector3) -> Vector3 {
    return clamp(control, Vector3(-RULE_LIMIT), Vector3(RULE_LIMIT));
}

fn steer(individual: Situation) -> Vector3 {
    // Q10 times Q(20 - weight_bits) becomes Q14.
    let requested = round_shift3(
        sum_of_neighbours(individual) + sum_of_world(individual),
        16u - parameters.species[own_species].weight_bits,
    );
    return limit_control(round_shift3(individual.velocity * parameters.species[own_species].keep, 10u) + requested);
}

// The cell system's limit of a control vector (see shaders/shared/numbers.wgsl), on three axes.
fn limit_control(v: Vector3) -> Vector3 {
    let held = clamp(v, Vector3(-2 * ONE), Vector3(2 * ONE));
    let length = length3(held);
    let towards = select(
        length,
        length + round_shift(parameters.species[own_species].cruise - length, 2u),
        parameters.species[own_species].cruise > 0,
    );
    return clamp(
        stretch3(held, length, min(towards, parameters.species[own_species].max)),
        Vector3(-ONE),
        Vector3(ONE),
    );
}
