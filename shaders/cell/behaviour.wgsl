// Behaviour: every rule, their sum, and the turn where the way is blocked, in one pass. What is generated: `perceived`, the
// sums over the sights of the rules that weigh anything, and `perceived_below`, the same from those of the cell above (those
// over boxes are made before, by shaders/perception/boxes.wgsl); `weighted_sum`, of the control vectors that the chain lists
// beside.
//
// V' = turned( limit( round(keep·V) + Σ w_i·v_i ) )
fn behaviour(cell: Cell) -> Vector {
    return behave(cell, perceived(cell));
}

// A strip of cells, from above.
fn march(top: Cell, end: i32) {
    var cell = top;
    var seen = perceived(cell);
    store(cell, behave(cell, seen));
    for (cell.y += 1; cell.y < end; cell.y += 1) {
        seen = perceived_below(cell, seen);
        store(cell, behave(cell, seen));
    }
}

fn behave(cell: Cell, seen: Perceived) -> Vector {
    let own = control(cell);
    var sum = weighted_sum(cell);
    sum += parameters.weights[0].x * towards_centre(seen.centre, seen.by_cohesion, COHESION_REACH);
    sum += parameters.weights[0].y * away_from_crowd(seen.pressure);
    sum += parameters.weights[0].z * towards_mean(seen.momentum, seen.by_alignment, own);
    if (parameters.hunter_reach > 0) {
        sum += parameters.weights[0].w * hunter(cell);
    }
    if (parameters.margin > 0) {
        sum += parameters.weights[1].x * walls(cell);
    }
    let v = steered(own, sum);
    let straight = ahead(v);
    return turned(v, capacity(cell + Cell(straight.x, 0)), capacity(cell + Cell(0, straight.y)));
}
