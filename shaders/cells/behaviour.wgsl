// Behaviour: every rule, their weighted sum, the steering and the bounce in one pass.
//
// V' = bounce( noise( limit( round(keep·V) + Σ w_i·v_i ) ) ), or V where D < rest
//
// Two files are added to this file. shaders/perception/perceived.wgsl has the sums over the sights of the rules with a
// weight. shaders/lattice/weighted_sum.wgsl has the sum of the control vectors that the chain lists.

#import "cells/hunter"
#import "cells/roost"
#import "cells/walls"
#import "perception/sums"

fn behaviour(cell: Cell) -> Vector {
    // A cell that rests needs no sums.
    if (rests(density(cell))) {
        return control(cell);
    }
    let own = control(cell);
#ifdef HAS_NOISE
    return bounced(cell, with_noise(steered_control(cell, own, perceived(cell)), cell), own);
#else
    return bounced(cell, steered_control(cell, own, perceived(cell)), own);
#endif
}

// Fills a strip of cells, from above.
#ifdef HAS_NOISE

fn fill_strip(top: Cell, end: i32) {
    var cell = top;
    var seen = perceived(cell);
    var lines = draw_lines(cell);
    store_with_noise(cell, seen, lines);
    cell.y += 1;
    loop {
        let end_of_lines = min(end, lines.end);
        for (; cell.y < end_of_lines; cell.y += 1) {
            seen = perceived_below(cell, seen);
            store_with_noise(cell, seen, lines);
        }
        if (cell.y >= end) {
            break;
        }
        lines = draw_lines(cell);
    }
}

fn store_with_noise(cell: Cell, seen: PerceivedSums, lines: DrawLines) {
    let own = control(cell);
    store(cell, bounced(cell, with_draws(steered_control(cell, own, seen), draws_between(lines, cell)), own));
}

#else

fn fill_strip(top: Cell, end: i32) {
    var cell = top;
    var seen = perceived(cell);
    store_steered(cell, seen);
    for (cell.y += 1; cell.y < end; cell.y += 1) {
        seen = perceived_below(cell, seen);
        store_steered(cell, seen);
    }
}

fn store_steered(cell: Cell, seen: PerceivedSums) {
    let own = control(cell);
    store(cell, bounced(cell, steered_control(cell, own, seen), own));
}

#endif

// limit( round(keep·V) + Σ w_i·v_i ) of a cell with the control vector `own`.
fn steered_control(cell: Cell, own: Vector, seen: PerceivedSums) -> Vector {
    var sum = weighted_sum(cell);
    sum += parameters.weights[0].x * control_of_cohesion(seen.centre, seen.by_cohesion, COHESION_REACH);
    sum += parameters.weights[0].y * control_of_separation(seen.pressure);
    sum += parameters.weights[0].z * control_of_alignment(seen.momentum, seen.by_alignment, own);
#ifdef HAS_HUNTERS
    if (parameters.hunter_count > 0) {
        sum += parameters.weights[0].w * hunter(cell);
    }
#endif
    if (parameters.margin > 0) {
        sum += parameters.weights[1].x * walls(cell);
    }
    if (parameters.weights[1].y != 0) {
        sum += parameters.weights[1].y * roost(cell);
    }
    return control_of_steering(own, sum);
}

// A control vector after the bounce; `own` if the cell rests.
fn bounced(cell: Cell, v: Vector, own: Vector) -> Vector {
    let ahead = step_ahead(v);
    var turned = v;
    turned.x = bounce(v.x, capacity(cell + along_x(ahead)));
    turned.y = bounce(v.y, capacity(cell + along_y(ahead)));
    if (LAST == 2) {
        turned[LAST] = bounce(v[LAST], capacity(cell + along_last(ahead)));
    }
    return select(turned, own, rests(density(cell)));
}
