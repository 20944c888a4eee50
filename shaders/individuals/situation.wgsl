// From the sums over the neighbours to the next velocity: what all sets of rules share. Velocities are Q14 of a cell a step; a
// zero vector has no direction and asks for nothing.
//
// The numbers of a species are in `parameters.species`; `own_species` is the number of that of the present individual.
//
// A set is one file: it declares `request`, what a rule that looks at neighbours asks for before it is weighted;
// `bounded`, the same for a rule that looks at the world; and `steer`. A rule is one file too.
// shaders/individuals/rules.wgsl has `sum_of_neighbours` and `sum_of_world`, Σ w·v over the rules of the set;
// `radius_of_…`, the radius of each rule that looks at neighbours, in units; and `sight_of_…`, the bound of a squared
// distance in units², 0 where it sees nobody. Generated around this file: COARSE, 1024 in RESOLUTION.

// An individual with all that its rules need.
struct Situation {
    place: Vector3,      // Q16
    velocity: Vector3,   // Q14
    sums: Sums,
    met: Vector3,        // what other species make it ask for, weighted
}

// The acceleration (Q14) that the world asks for, where neighbours ask for another one.
fn acceleration_of_world(individual: Situation) -> Vector3 {
    return round_shift3(sum_of_world(individual), 16u - parameters.species[own_species].weight_bits);
}
