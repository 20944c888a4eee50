// Clarity of view: sideways, away from the neighbours that block the view. This is the fourth rule of Flake (*The
// computational beauty of nature*, 1998).
//
// direction: -(Σd - (Σd·v̂)v̂)   over the neighbours ahead, d·v > 0

#import "individuals/situation"
#import "individuals/sums"

fn clarity_quantity(neighbour: Neighbour) -> Offset {
    return select(Offset(0), neighbour.offset, dot(neighbour.offset, neighbour.own_velocity) > 0);
}

fn clarity_direction(individual: Situation) -> Vector3 {
    // Both are directions (Q14): their product is at most 2^28, and the part along the way is at most 2^14 again.
    let away = normalise(deep(individual.sums.clarity));
    let way = normalise(individual.velocity);
    return round_shift3(way * round_shift(dot(away, way), 14u), 14u) - away;
}
