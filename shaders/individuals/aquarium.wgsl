// The fish of the aquarium (*Let's make an aquarium*, Michael Yang): v' = clamp(v + Σ w_i·h_i, min, max), with h_i the
// headings of the rules. The clamp holds the speed between min and max.

#import "individuals/situation"

fn request(individual: Situation, heading: Vector3) -> Vector3 {
    return heading;
}

fn bounded(control: Vector3) -> Vector3 {
    return control;
}

fn steer(individual: Situation) -> Vector3 {
    // Q10 times Q(20 - weight_bits) becomes Q14.
    let requested = round_shift3(
        sum_of_neighbours(individual) + sum_of_world(individual),
        16u - parameters.species[own_species].weight_bits,
    );
    let wanted = limit_length(individual.velocity + requested, parameters.species[own_species].max);
    let speed = length3(wanted);
    if (speed < parameters.species[own_species].min) {
        return stretch3(wanted, speed, parameters.species[own_species].min);
    }
    return wanted;
}
