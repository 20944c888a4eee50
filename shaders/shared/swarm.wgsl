// What the rules of the cell system share.

// Perceived density p = min(D >> shift, p_max).
fn perceive(density: u32) -> i32 {
    return i32(min(density >> parameters.shift, parameters.most_perceived));
}

// A control vector as it enters sums: Q14 to Q10.
fn summed(control: Vector) -> Vector {
    return Vector(round_shift(control.x, 4u), round_shift(control.y, 4u));
}

// v_c from Σ s·p and Σ p. Where nothing is seen the sum is zero too, and so is the rule.
fn towards_centre(centre: Vector, seen: i32, reach: i32) -> Vector {
    let divisor = max(seen * reach, 1);
    return clamp_components(Vector(ratio(centre.x, divisor), ratio(centre.y, divisor)), RULE_LIMIT);
}

// v_s from Σ p·s/|s|², which is held within four crowds before it is divided, so that the quotient is small.
fn away_from_crowd(pressure: Vector) -> Vector {
    let crowd = parameters.crowd;
    let held = clamp_components(pressure, RULE_LIMIT * crowd);
    return -Vector(quotient(held.x, crowd), quotient(held.y, crowd));
}

// v_a from Σ V·p, Σ p and the cell's own V; zero where nothing is seen.
fn towards_mean(momentum: Vector, seen: i32, own: Vector) -> Vector {
    if (seen == 0) {
        return Vector(0);
    }
    return Vector(quotient(momentum.x, seen), quotient(momentum.y, seen)) - summed(own);
}

// V' from V and Σ w·v.
fn steered(own: Vector, sum: Vector) -> Vector {
    let kept = parameters.keep * own;
    let wanted = Vector(
        round_shift(kept.x, 10u) + round_shift(sum.x, 6u),
        round_shift(kept.y, 10u) + round_shift(sum.y, 6u),
    );
    return limit(wanted, parameters.cruise, parameters.max);
}

// Where a control vector points on each axis: 1 or -1.
fn ahead(control: Vector) -> Cell {
    return select(Cell(1), Cell(-1), control < Vector(0));
}

// A control vector, reversed on each axis alone where the cell straight ahead, of which this is the capacity, is solid or
// outside.
fn turned(control: Vector, capacity_x: u32, capacity_y: u32) -> Vector {
    return select(control, -control, vec2<bool>(capacity_x == 0u, capacity_y == 0u));
}

// What a cell gives to a neighbour: a share of it (Q14), and at most an eighth of the room there.
fn amount_given(here: u32, share: u32, there: u32) -> u32 {
    return min(multiply_fraction(here, share), there / 8u);
}

// What a cell may still take.
fn room(capacity: u32, density: u32) -> u32 {
    return max(capacity, density) - density;
}

// The fractions (Q14) of a cell that go along x, along y and along both; together at most one. With a = max(|V_x|, |V_y|)
// and b = min(|V_x|, |V_y|), the paper's Figure 3:
// nearest   a to the diagonal neighbour if (a+b)² > 2a², else to the axis one
// split     a - b to the axis neighbour, b to the diagonal one
// bilinear  a_xy = |V_x|·|V_y| to the diagonal neighbour, |V_x| - a_xy and |V_y| - a_xy to the axis ones
fn shares(control: Vector, distribution: u32) -> vec3<u32> {
    let along = vec2<u32>(abs(control));
    let a = max(along.x, along.y);
    let b = min(along.x, along.y);
    switch distribution {
        case 0u: {
            if ((a + b) * (a + b) > 2u * a * a) {
                return vec3<u32>(0u, 0u, a);
            }
            return select(vec3<u32>(0u, a, 0u), vec3<u32>(a, 0u, 0u), along.x >= along.y);
        }
        case 1u: {
            return vec3<u32>(along.x - b, along.y - b, b);
        }
        default: {
            let both = (along.x * along.y) >> 14u;
            return vec3<u32>(along.x - both, along.y - both, both);
        }
    }
}

// Whether a cell is within the hunter's jaws.
fn in_jaws(cell: Cell) -> bool {
    return jaws_reach(16 * cell);
}
