// The flock: f(x) = limit(x̂·max - v, force);  v' = limit(v + Σ w_i·f(x_i), max)

#import "individuals/situation"

// f(x); zero if x = 0.
fn request(individual: Situation, direction: Vector3) -> Vector3 {
    if (all(direction == Vector3(0))) {
        return Vector3(0);
    }
    let wanted = round_shift3(normalise(direction) * parameters.species[own_species].max, 14u);
    return limit_length(wanted - individual.velocity, parameters.species[own_species].force);
}

fn bounded(control: Vector3) -> Vector3 {
    return control;
}

fn steer(individual: Situation) -> Vector3 {
    let force = round_shift3(sum_of_neighbours(individual), 20u - parameters.species[own_species].weight_bits);
    return limit_length(
        individual.velocity + force + acceleration_of_world(individual),
        parameters.species[own_species].max,
    );
}
