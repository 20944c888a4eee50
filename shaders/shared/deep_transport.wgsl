// The transport of boids between the cells of a deep world. The twins are in crates/core/src/cells/space.

// floor(both · weight / 2^26): the share (Q16) of three weights (Q14), two of which are already multiplied.
// both ≤ 2^28. It equals the floor of the product of all three, so the order of the axes does not matter.
fn triple(both: u32, weight: u32) -> u32 {
    return ((both >> 14u) * weight + (((both & 0x3fffu) * weight) >> 14u)) >> 12u;
}

// amount · share / 2^16, rounded down. share ≤ 2^16.
fn multiply16(amount: u32, share: u32) -> u32 {
    return (amount >> 16u) * share + (((amount & 0xffffu) * share) >> 16u);
}

// The amount that a cell gives to a neighbour: its share (Q16), and at most 1/26 of the room there.
fn amount_given(here: u32, share: u32, free: u32) -> u32 {
    return min(multiply16(here, share), free / 26u);
}

// The share (Q16) of a cell for the neighbour at `step`; 0 if V points the other way along an axis of the step. With
// the sizes of the components of V sorted, a ≥ b ≥ c:
// nearest   a to the kind of neighbour (face, edge or corner) with the greatest of 6a², 3(a+b)² and 2(a+b+c)²
// split     a - b to the face neighbour, b - c to the edge neighbour, c to the corner neighbour
// bilinear  the product of |V_i| for each axis i of the step and 1 - |V_i| for each other axis
fn share_of(v: Vector, step: Vector, distribution: u32) -> u32 {
    let size = abs(v);
    // Along the axes of the step; 0 if V points the other way.
    let towards = max(step * v, Vector(0));
    let is_along = step != Vector(0);
    if (distribution == BILINEAR) {
        let weight = vec3<u32>(select(Vector(ONE) - size, towards, is_along));
        return triple(weight.x * weight.y, weight.z);
    }
    let along = select(Vector(ONE), towards, is_along);
    let across = select(size, Vector(0), is_along);
    let least = min(along.x, min(along.y, along.z));
    let greatest = max(across.x, max(across.y, across.z));
    if (distribution == SPLIT) {
        return 4u * u32(max(least - greatest, 0));
    }
    let is_nearest = least > greatest && nearest_kind(vec3<u32>(size)) == dot(step, step);
    return select(0u, 4u * u32(max(size.x, max(size.y, size.z))), is_nearest);
}

// The number of axes along which the nearest neighbour lies, from the sizes of the components. On a tie, the lower
// number.
fn nearest_kind(size: vec3<u32>) -> i32 {
    let a = max(size.x, max(size.y, size.z));
    let c = min(size.x, min(size.y, size.z));
    let sum = size.x + size.y + size.z;
    let two = sum - c;
    if (2u * a * a >= two * two && 3u * a * a >= sum * sum) {
        return 1;
    }
    // 3 (a+b)² ≥ 2 (a+b+c)², within 32 bits.
    return select(3, 2, two * two >= 4u * two * c + 2u * c * c);
}

// The amounts that three cells in a row give to a cell, and their control vectors.
struct Inflow {
    given: vec3<u32>,
    left: Vector,
    middle: Vector,
    right: Vector,
}

// The inflow from three rows of a slice.
struct Inflows {
    above: Inflow,
    level: Inflow,
    below: Inflow,
}

// The weighted sums over rows: Σ w and Σ w·V.
struct WeightedSum {
    weight: u32,
    sum: Vector,
}

// The density and control vector of a cell from the inflows of the slices before, at and behind it. The cell itself, in
// the middle, gives the amount that stays. The weights are the amounts >> k, with k the least for which D' >> k < 2^17,
// so that the sums fit in 32 bits.
//
// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from
fn receive(before: Inflows, level: Inflows, behind: Inflows) -> CellState {
    let now = total_of(before) + total_of(level) + total_of(behind);
    if (parameters.carry == 0u || now == 0u) {
        return CellState(now, level.level.middle);
    }
    let k = 15u - min(countLeadingZeros(now), 15u);
    let first = weigh_slice(before, k);
    let second = weigh_slice(level, k);
    let third = weigh_slice(behind, k);
    let weight = first.weight + second.weight + third.weight;
    return CellState(now, each_quotient(first.sum + second.sum + third.sum, i32(weight)));
}

fn total_of(slice: Inflows) -> u32 {
    let given = slice.above.given + slice.level.given + slice.below.given;
    return given.x + given.y + given.z;
}

fn weigh_slice(slice: Inflows, k: u32) -> WeightedSum {
    let above = weigh(slice.above, k);
    let level = weigh(slice.level, k);
    let below = weigh(slice.below, k);
    return WeightedSum(above.weight + level.weight + below.weight, above.sum + level.sum + below.sum);
}

fn weigh(row: Inflow, k: u32) -> WeightedSum {
    let weights = row.given >> vec3<u32>(k);
    let sum = i32(weights.x) * row.left + i32(weights.y) * row.middle + i32(weights.z) * row.right;
    return WeightedSum(weights.x + weights.y + weights.z, sum);
}
