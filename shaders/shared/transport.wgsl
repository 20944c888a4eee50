// The transport of boids between the cells of a flat world. The twins are in crates/core/src/cells/transport.rs.

// The amount that a cell gives to a neighbour: its share (Q14), and at most 1/8 of the room there.
fn amount_given(here: u32, share: u32, free: u32) -> u32 {
    return min(multiply_fraction(here, share), free / 8u);
}

// The fractions (Q14) of a cell that go along x, along y and along both; together at most 1. With a = max(|V_x|, |V_y|)
// and b = min(|V_x|, |V_y|), the paper's Figure 3:
// nearest   a to the diagonal neighbour if (a+b)² > 2a², else to the axis neighbour
// split     a - b to the axis neighbour, b to the diagonal one
// bilinear  a_xy = |V_x|·|V_y| to the diagonal neighbour, |V_x| - a_xy and |V_y| - a_xy to the axis neighbours
fn shares(control: Vector, distribution: u32) -> vec3<u32> {
    let along = vec2<u32>(abs(control));
    let a = max(along.x, along.y);
    let b = min(along.x, along.y);
    switch distribution {
        case NEAREST: {
            if ((a + b) * (a + b) > 2u * a * a) {
                return vec3<u32>(0u, 0u, a);
            }
            return select(vec3<u32>(0u, a, 0u), vec3<u32>(a, 0u, 0u), along.x >= along.y);
        }
        case SPLIT: {
            return vec3<u32>(along.x - b, along.y - b, b);
        }
        default: {
            let both = (along.x * along.y) >> 14u;
            return vec3<u32>(along.x - both, along.y - both, both);
        }
    }
}

// The amounts that the eight neighbours of a cell give along the axis or the diagonal to it, whatever their headings.
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

// The density and control vector of a cell that keeps the amount `stayed` with its own control vector, and receives
// from each neighbour that is headed here. The weights are the amounts >> k, with k the least for which D' >> k < 2^17,
// so that the sums fit in 32 bits.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn receive(stayed: u32, own: Vector, given: Outflows, v: Headings) -> CellState {
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
        return CellState(now, own);
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
    return CellState(now, each_quotient(sum, i32(weight)));
}
