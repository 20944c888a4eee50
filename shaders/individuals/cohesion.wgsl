// Cohesion: towards the centre of the neighbours.
//
// direction: Σd;   v_c = Σd / n / R;   heading: Σd / (n - 1)

#import "individuals/candidate"
#import "individuals/situation"
#import "individuals/sums"

fn cohesion_quantity(neighbour: Neighbour) -> Offset {
    if (HAS_ZONES) {
        return unit_vector(neighbour.offset);
    }
    return neighbour.offset;
}

fn cohesion_direction(individual: Situation) -> Vector3 {
    return deep(individual.sums.cohesion);
}

fn cohesion_control(individual: Situation) -> Vector3 {
    let divisor = max(individual.sums.cohesion_count, 1) * max(radius_of_cohesion(), 1);
    let sum = deep(individual.sums.cohesion);
    return Vector3(ratio(sum.x, divisor), ratio(sum.y, divisor), ratio(sum.z, divisor));
}

fn cohesion_heading(individual: Situation) -> Vector3 {
    let others = max(individual.sums.cohesion_count - 1, 1);
    let sum = deep(individual.sums.cohesion);
    return in_cells(Vector3(quotient(sum.x, others), quotient(sum.y, others), quotient(sum.z, others)));
}
