// Behaviour: every rule, their weighted sum, the steering and the bounce in one pass.
//
// V' = bounce( noise( limit( round(keep·V) + Σ w_i·v_i ) ) ), or V where D < rest
//
// Generated around this file: `perceived`, the sums over the sights of the rules with a weight; `perceived_below`, the same
// sums from those of the cell above (sums over boxes are made before, by shaders/perception/boxes.wgsl); `weighted_sum`, the
// sum of the control vectors that the chain lists.

#import "cell/hunter"
#import "cell/roost"
#import "cell/walls"
#import "perception/sums"

fn behaviour(cell: Cell) -> Vector {
    // A cell that rests needs no sums.
    if (rests(density(cell))) {
        return control(cell);
    }
    return steered_control(cell, perceived(cell));
}

// A strip of cells, from above.
fn fill_strip(top: Cell, end: i32) {
    var cell = top;
    var seen = perceived(cell);
    store(cell, steered_control(cell, seen));
    for (cell.y += 1; cell.y < end; cell.y += 1) {
        seen = perceived_below(cell, seen);
        store(cell, steered_control(cell, seen));
    }
}

fn steered_control(cell: Cell, seen: PerceivedSums) -> Vector {
    let own = control(cell);
    var sum = weighted_sum(cell);
    sum += parameters.weights[0].x * control_of_cohesion(seen.centre, seen.by_cohesion, COHESION_REACH);
    sum += parameters.weights[0].y * control_of_separation(seen.pressure);
    sum += parameters.weights[0].z * control_of_alignment(seen.momentum, seen.by_alignment, own);
    if (parameters.hunter_count > 0) {
        sum += parameters.weights[0].w * hunter(cell);
    }
    if (parameters.margin > 0) {
        sum += parameters.weights[1].x * walls(cell);
    }
    if (parameters.weights[1].y != 0) {
        sum += parameters.weights[1].y * roost(cell);
    }
#ifdef HAS_NOISE
    let v = with_noise(control_of_steering(own, sum), cell);
#else
    let v = control_of_steering(own, sum);
#endif
    let ahead = step_ahead(v);
    var turned = v;
    turned.x = bounce(v.x, capacity(cell + along_x(ahead)));
    turned.y = bounce(v.y, capacity(cell + along_y(ahead)));
    if (LAST == 2) {
        turned[LAST] = bounce(v[LAST], capacity(cell + along_last(ahead)));
    }
    return select(turned, own, rests(density(cell)));
}
