// What the rules of the cell system share.

// Perceived density p = min(D >> shift, p_max).
fn perceive(density: u32) -> i32 {
    return i32(min(density >> parameters.shift, parameters.most_perceived));
}

// A control vector as it enters sums: Q14 to Q10.
fn summed(control: Vector) -> Vector {
    return Vector(round_shift(control.x, 4u), round_shift(control.y, 4u));
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
    let jaws = 16 * parameters.hunter_jaws;
    let x = min(abs(offset(parameters.hunter_x, 16 * cell.x, 16 * EXTENT.x)), jaws + 1);
    let y = min(abs(offset(parameters.hunter_y, 16 * cell.y, 16 * EXTENT.y)), jaws + 1);
    return jaws > 0 && x * x + y * y <= jaws * jaws;
}
