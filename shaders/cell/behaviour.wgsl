// Behaviour: every rule, their sum, and the turn where the way is blocked, in one pass. `perceived` is generated: the sums
// over the sights of the rules that weigh anything. `weighted_sum` has the control vectors that the chain lists beside.
//
// V' = turned( limit( round(keep·V) + Σ w_i·v_i ) )
fn behaviour(cell: Cell) -> Vector {
    return behave(cell, perceived(cell));
}

fn behave(cell: Cell, seen: Perceived) -> Vector {
    let own = control(cell);
    let weights = parameters.weights;
    var sum = weighted_sum(cell);
    sum += weights[0].x * towards_centre(seen.centre, seen.by_cohesion, COHESION_REACH);
    sum += weights[0].y * away_from_crowd(seen.pressure);
    sum += weights[0].z * towards_mean(seen.momentum, seen.by_alignment, own);
    if (parameters.hunter_reach > 0) {
        sum += weights[0].w * hunter(cell);
    }
    if (parameters.margin > 0) {
        sum += weights[1].x * walls(cell);
    }
    let v = steered(own, sum);
    let straight = ahead(v);
    return turned(v, capacity(cell + Cell(straight.x, 0)), capacity(cell + Cell(0, straight.y)));
}
