// Alignment: towards the mean velocity of the neighbours.
//
// direction: Σv;   v_a = Σv / n - v;   heading: Σv / (n - 1) - v

#import "individuals/candidate"
#import "individuals/situation"
#import "individuals/sums"

fn alignment_quantity(neighbour: Neighbour) -> Offset {
    if (HAS_ZONES) {
        return unit_vector(neighbour.velocity - Offset(VELOCITY_BIAS)) + Offset(VELOCITY_BIAS);
    }
    return neighbour.velocity;
}

// The individual is among its own neighbours, at distance 0, and is taken out. Half a sight does not include it, nor
// does a zone around another zone.
fn alignment_direction(individual: Situation) -> Vector3 {
    let own = velocity_in_units(individual.velocity);
    return deep(individual.sums.alignment)
        - select(own, Vector3(0), SEES_HALF || HAS_ZONES || sight_of_alignment() == 0);
}

fn alignment_control(individual: Situation) -> Vector3 {
    let count = max(individual.sums.alignment_count, 1);
    let sum = deep(individual.sums.alignment);
    let mean = Vector3(quotient(sum.x, count), quotient(sum.y, count), quotient(sum.z, count));
    // Q14 to Q10.
    return round_shift3(mean << vec3<u32>(VELOCITY_UNIT), 4u) - round_shift3(individual.velocity, 4u);
}

// Zero if there are no others.
fn alignment_heading(individual: Situation) -> Vector3 {
    let others = individual.sums.alignment_count - 1;
    if (others <= 0) {
        return Vector3(0);
    }
    let sum = deep(individual.sums.alignment) - velocity_in_units(individual.velocity);
    let mean = Vector3(quotient(sum.x, others), quotient(sum.y, others), quotient(sum.z, others));
    // Q14 to Q10.
    return round_shift3(mean << vec3<u32>(VELOCITY_UNIT), 4u) - round_shift3(individual.velocity, 4u);
}
