// Functions that several kernels of the cells share. The twins are in crates/core/src/cells/, under the same names.

// Perceived density p = min(D >> shift, p_max).
fn perceive(density: u32) -> i32 {
    return i32(min(density >> parameters.shift, parameters.most_perceived));
}

// Whether a cell of this density rests: it gives nothing and keeps its control vector.
fn rests(density: u32) -> bool {
    return density < parameters.rest;
}

// The amount of a cell that moves: none where it rests.
fn amount_awake(density: u32) -> u32 {
    return select(density, 0u, rests(density));
}

// A control vector (Q14) in the unit of sums and rules (Q10).
fn to_q10(control: Vector) -> Vector {
    return each_round_shift(control, 4u);
}

// v_c (Q10) from Σ s·p and Σ p; zero if nothing is in sight, because then the first sum is zero too.
//
// v_c = Σ s·p / Σ p / R
fn control_of_cohesion(centre: Vector, seen: i32, reach: i32) -> Vector {
    return clamp_components(each_ratio(centre, max(seen * reach, 1)), RULE_LIMIT);
}

// v_s (Q10) from Σ p·s/|s|² (Q10).
//
// v_s = - Σ p·s/|s|² / crowd
fn control_of_separation(pressure: Vector) -> Vector {
    let crowd = parameters.crowd;
    // Clamped to four crowds before the division, so that the quotient is within its domain.
    let held = clamp_components(pressure, RULE_LIMIT * crowd);
    return -each_quotient(held, crowd);
}

// v_a (Q10) from Σ V·p (Q10), Σ p and the cell's own V (Q14); zero if nothing is seen.
//
// v_a = Σ V·p / Σ p - V
fn control_of_alignment(momentum: Vector, seen: i32, own: Vector) -> Vector {
    if (seen == 0) {
        return Vector(0);
    }
    return each_quotient(momentum, seen) - to_q10(own);
}

// V' (Q14) from V (Q14) and Σ w·v (Q20).
//
// V' = limit( round(keep·V) + Σ w·v )
fn control_of_steering(own: Vector, sum: Vector) -> Vector {
    let wanted = each_round_shift(parameters.keep * own, 10u) + each_round_shift(sum, 6u);
    return limit(wanted, parameters.cruise, parameters.max);
}

// The step to the cell ahead on each axis: 1 or -1.
fn step_ahead(control: Vector) -> Cell {
    return select(Cell(1), Cell(-1), control < Vector(0));
}

// A control vector, reversed on each axis alone if the cell straight ahead, of this capacity, is solid or outside.
fn bounce(control: Vector, capacity_x: u32, capacity_y: u32) -> Vector {
    return select(control, -control, vec2<bool>(capacity_x == 0u, capacity_y == 0u));
}

// The amount that a cell gives to a neighbour: a share (Q14) of it, and at most an eighth of the room there.
fn amount_given(here: u32, share: u32, free: u32) -> u32 {
    return min(multiply_fraction(here, share), free / 8u);
}

// The amount that a cell can still take; 0 for a solid.
fn room(capacity: u32, density: u32) -> u32 {
    return max(capacity, density) - density;
}

// The fractions (Q14) of a cell that go along x, along y and along both; together at most one. With a = max(|V_x|, |V_y|)
// and b = min(|V_x|, |V_y|), the paper's Figure 3:
// nearest   a to the diagonal neighbour if (a+b)² > 2a², else to the axis neighbour
// split     a - b to the axis neighbour, b to the diagonal one
// bilinear  a_xy = |V_x|·|V_y| to the diagonal neighbour, |V_x| - a_xy and |V_y| - a_xy to the axis neighbours
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

// The amounts that the eight neighbours of a cell give along the axis or the diagonal to it, wherever they are headed.
struct Outflows {
    above_left: u32,
    above: u32,
    above_right: u32,
    left: u32,
    right: u32,
    below_left: u32,
    below: u32,
    below_right: u32,
}

// The control vectors of the eight neighbours of a cell.
struct Headings {
    above_left: Vector,
    above: Vector,
    above_right: Vector,
    left: Vector,
    right: Vector,
    below_left: Vector,
    below: Vector,
    below_right: Vector,
}

// Density and control vector of a cell.
struct Received {
    density: u32,
    control: Vector,
}

// The density and control vector of a cell that keeps the amount `stayed` with its own control vector, and receives from each
// neighbour that is headed here. The weights are the amounts >> k, with k the least for which D' >> k < 2^17, so that the
// sums fit in 32 bits.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn receive(stayed: u32, own: Vector, given: Outflows, v: Headings) -> Received {
    let above_left = if_headed_here(v.above_left.x > 0 && v.above_left.y > 0, given.above_left);
    let above = if_headed_here(v.above.y > 0, given.above);
    let above_right = if_headed_here(v.above_right.x < 0 && v.above_right.y > 0, given.above_right);
    let left = if_headed_here(v.left.x > 0, given.left);
    let right = if_headed_here(v.right.x < 0, given.right);
    let below_left = if_headed_here(v.below_left.x > 0 && v.below_left.y < 0, given.below_left);
    let below = if_headed_here(v.below.y < 0, given.below);
    let below_right = if_headed_here(v.below_right.x < 0 && v.below_right.y < 0, given.below_right);

    let now = stayed + above_left + above + above_right + left + right + below_left + below + below_right;
    if (parameters.carry == 0u || now == 0u) {
        return Received(now, own);
    }

    let k = 15u - min(countLeadingZeros(now), 15u);
    let weight = (stayed >> k) + (above_left >> k) + (above >> k) + (above_right >> k) + (left >> k) + (right >> k)
        + (below_left >> k) + (below >> k) + (below_right >> k);
    let sum = i32(stayed >> k) * own
        + i32(above_left >> k) * v.above_left
        + i32(above >> k) * v.above
        + i32(above_right >> k) * v.above_right
        + i32(left >> k) * v.left
        + i32(right >> k) * v.right
        + i32(below_left >> k) * v.below_left
        + i32(below >> k) * v.below
        + i32(below_right >> k) * v.below_right;
    return Received(now, each_quotient(sum, i32(weight)));
}

fn if_headed_here(is_headed_here: bool, amount: u32) -> u32 {
    return select(0u, amount, is_headed_here);
}

// Whether a cell is within the hunter's jaws.
fn in_jaws(cell: Cell) -> bool {
    return catches(16 * cell);
}
