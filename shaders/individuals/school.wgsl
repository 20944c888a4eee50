// The school of fish: a = limit(Σ w_i·x̂_i, force), a_z = 0;  v' = limit(v + a, max)

#import "individuals/situation"

fn request(individual: Situation, direction: Vector3) -> Vector3 {
    return normalise(direction);
}

fn bounded(control: Vector3) -> Vector3 {
    return control;
}

fn steer(individual: Situation) -> Vector3 {
    var acceleration = round_shift3(sum_of_neighbours(individual), 20u - parameters.species[own_species].weight_bits);
    acceleration = limit_length(acceleration, parameters.species[own_species].force);
    acceleration.z = 0;
    return limit_length(
        individual.velocity + acceleration + acceleration_of_world(individual),
        parameters.species[own_species].max,
    );
}
