// The zones of *Collective memory and spatial sorting in animal groups*, I. D. Couzin and others, 2002. The twin is
// crates/core/src/individuals/couzin.rs.
//
// d = -w_s Σ r̂_j over the zone of repulsion, if another individual is in it; else d = w_a Σ v̂_j + w_c Σ r̂_j over the
// zones of orientation and attraction
// wanted direction: d̂ + the vectors of meetings and of the world; the heading if this sum is 0
// v' = max·turn(v̂, wanted direction after noise)

#import "individuals/situation"

fn request(individual: Situation, direction: Vector3) -> Vector3 {
    return normalise(direction);
}

fn bounded(control: Vector3) -> Vector3 {
    return control;
}

// The wanted direction.
fn steer(individual: Situation) -> Vector3 {
    let met = round_shift3(individual.met, 20u - parameters.species[own_species].weight_bits);
    let wanted = normalise(asked_by_zones(individual.sums) + met + acceleration_of_world(individual));
    return select(wanted, normalise(individual.velocity), all(wanted == Vector3(0)));
}

// The next velocity of an individual that turns towards a wanted direction.
fn turned_to(velocity: Vector3, wanted: Vector3) -> Vector3 {
    let most = parameters.species[own_species].max;
    let heading = normalise(velocity);
    // An individual that keeps its heading keeps it exactly.
    if (all(wanted == heading)) {
        return stretch3(velocity, length3(velocity), most);
    }
    if (all(heading == Vector3(0))) {
        return stretch3(wanted, length3(wanted), most);
    }
    let next = turn(heading, wanted);
    return stretch3(next, length3(next), most);
}

// The direction (Q14) that the neighbours in the zones ask for.
fn asked_by_zones(sums: Sums) -> Vector3 {
    if (sums.separation_count > 1) {
        let apart = -deep(sums.separation);
        return normalise(to_fifteen_bits(apart, all_bits(apart)) * weight_of_separation());
    }
    let aligned = deep(sums.alignment);
    let drawn = deep(sums.cohesion);
    let bits = all_bits(aligned) | all_bits(drawn);
    return normalise(
        to_fifteen_bits(aligned, bits) * weight_of_alignment() + to_fifteen_bits(drawn, bits) * weight_of_cohesion()
    );
}

// a·b (Q14) of two directions.
fn product_of(a: Vector3, b: Vector3) -> i32 {
    return round_shift(dot(a, b), 14u);
}

// The direction h turned towards the direction d by at most the greatest turn.
//
// h' = cos·h + sin·e, with e the direction of d - (d·h)h; h' = d if d is nearer. If d is opposite to h, e is zero or
// lost in rounding: h' = h.
fn turn(h: Vector3, d: Vector3) -> Vector3 {
    let nearness = product_of(h, d);
    if (nearness >= parameters.species[own_species].turn_cosine) {
        return d;
    }
    let across = normalise(d * ONE - h * nearness);
    if (all(across == Vector3(0)) || abs(product_of(h, across)) > ONE / 8) {
        return h;
    }
    let turned = h * parameters.species[own_species].turn_cosine + across * parameters.species[own_species].turn_sine;
    return round_shift3(turned, 14u);
}
