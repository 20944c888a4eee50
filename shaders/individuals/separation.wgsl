// Separation: away from the neighbours that are too near.
//
// direction: -Σd;   v_s = -Σ d/|d|² / crowd;   heading: -Σd

#import "individuals/candidate"
#import "individuals/situation"
#import "individuals/sums"

fn separation_quantity(neighbour: Neighbour) -> Offset {
    if (HAS_ZONES) {
        return unit_vector(neighbour.offset);
    }
    if (!IS_OF_CELLS) {
        return neighbour.offset;
    }
    // d/|d|², in RESOLUTION per cell. Within the length of a cell it fades to 0 instead of growing without bound.
    // |d| ≤ RESOLUTION ≤ 2^10, and UNITS_IN_CELL ≤ 2^10.
    let near = max(neighbour.square, UNITS_IN_CELL * UNITS_IN_CELL);
    let scaled = deep(neighbour.offset * (UNITS_IN_CELL * RESOLUTION));
    var apart = Vector3(quotient(scaled.x, near), quotient(scaled.y, near), 0);
    if (AXES == 3) {
        apart.z = quotient(scaled.z, near);
    }
    return flat(apart);
}

fn separation_direction(individual: Situation) -> Vector3 {
    return -deep(individual.sums.separation);
}

fn separation_control(individual: Situation) -> Vector3 {
    let most = Vector3(parameters.species[own_species].most_apart);
    let apart = clamp(deep(individual.sums.separation), -most, most) * COARSE;
    let crowd = parameters.species[own_species].crowd;
    return -Vector3(ratio(apart.x, crowd), ratio(apart.y, crowd), ratio(apart.z, crowd));
}

fn separation_heading(individual: Situation) -> Vector3 {
    return -in_cells(deep(individual.sums.separation));
}
