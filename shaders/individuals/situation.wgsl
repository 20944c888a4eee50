// From the sums over the neighbours to the next velocity: the part that all sets of rules share. Velocities are Q14 of
// a cell a step. A zero vector has no direction and asks for nothing.
//
// The numbers of a species are in `parameters.species`; `own_species` is the species of the present individual.
//
// A set is one file. It declares `request`, the vector of a rule that looks at neighbours, before it is weighted;
// `bounded`, the vector of a rule that looks at the world; and `steer`. A rule is one file too.
// shaders/individuals/rules.wgsl has `sum_of_neighbours` and `sum_of_world`, Σ w·v over the rules of the set;
// `radius_of_…`, the radius of each rule that looks at neighbours, in units; and `sight_of_…`, the bound of a squared
// distance in units², 0 if the rule sees nothing.
// Generated around this file: COARSE, the ratio of 1024 to RESOLUTION.

// An individual with all inputs of its rules.
struct Situation {
    place: Vector3,      // Q16
    velocity: Vector3,   // Q14
    sums: Sums,
    met: Vector3,        // the sum of the weighted vectors of meetings
}

// The weighted sum of the rules that look at the world, as an acceleration (Q14).
fn acceleration_of_world(individual: Situation) -> Vector3 {
    return round_shift3(sum_of_world(individual), 16u - parameters.species[own_species].weight_bits);
}
