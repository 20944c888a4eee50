// The school of fish: a = limit(Σ w_i·x̂_i, force), a_z = 0;  v' = limit(v + a, max)

fn request(agent: Situation, direction: Vector3) -> Vector3 {
    return normalise(direction);
}

fn bounded(control: Vector3) -> Vector3 {
    return control;
}

fn steer(agent: Situation) -> Vector3 {
    var acceleration = round_shift3(sum_of_neighbours(agent), 20u - parameters.species[own_species].weight_bits);
    acceleration = limit_length(acceleration, parameters.species[own_species].force);
    acceleration.z = 0;
    return limit_length(agent.velocity + acceleration + acceleration_of_world(agent), parameters.species[own_species].max);
}
