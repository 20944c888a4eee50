// Renew: the points of a block after the step: points that arrived or stayed, with less presence if they leave, and new
// points around the middles of cells. Cells are chosen in proportion to their boids.

// Generated around this file: `sorted`, `arrivals`, `plans`, `starts` and `points`.

#import "points/block"
#import "points/cells"
#import "points/flow"
#import "points/point"

const WORDS: u32 = 32u;
const TRIES: u32 = 4u;

@compute @workgroup_size(WORKGROUP)
fn renew(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = invocation(group, groups, lane);
    if (block >= BLOCK_COUNT) {
        return;
    }
    let bin = bin_of(block);
    let plan = plans[bin];
    let end = starts[bin + 1u];
    var to = starts[bin];
    for (var k = arrivals[bin]; k < arrivals[bin + 1u]; k++) {
        var point = sorted[k];
        if (point.key < plan.x) {
            point.key |= LEAVES;
        }
        let presence = presence_of(point);
        let is_leaving = leaves(point);
        if (is_leaving && presence <= PRESENCE_RATE) {
            continue;
        }
        let now = select(min(presence + PRESENCE_RATE, 0xffffu), presence - PRESENCE_RATE, is_leaving);
        point.velocity_z_presence = (point.velocity_z_presence & 0xffffu) | (now << 16u);
        if (to < end) {
            points[to] = point;
            to++;
        }
    }
    if (plan.y == 0u) {
        return;
    }
    var sum = 0u;
    for (var number = 0; number < cells_in(block); number++) {
        sum += weight_in(cell_in(block, number));
    }
    let random = random_of(block);
    for (var number = 0u; number < plan.y && to < end; number++) {
        let words = random + number * WORDS;
        let place = new_place(block, chosen_cell(block, hash(words) % sum), words);
        let velocity = packed(mean(place).velocity, select(PRESENCE_RATE, 0xffffu, numbers.is_seeding == 1u));
        let at = array<i32, 3>(place.x, place.y, place.z);
        points[to] = Point(at, velocity.x, velocity.y, key_of(hash(words + 1u)));
        to++;
    }
}

fn weight_in(cell: Vector3) -> u32 {
    return select(density_at(cell) >> 8u, 0u, is_solid(cell));
}

// The cell of a block for a random number below the sum of the weights.
fn chosen_cell(block: u32, chance: u32) -> Vector3 {
    var left = chance;
    for (var number = 0; number < cells_in(block); number++) {
        let cell = cell_in(block, number);
        let weight = weight_in(cell);
        if (left < weight) {
            return cell;
        }
        left -= weight;
    }
    return first_cell(block);
}

// A random place around the middle of a cell of the block, in the block and in no solid.
fn new_place(block: u32, cell: Vector3, words: u32) -> Vector3 {
    let first = first_cell(block);
    let end = min(first + BLOCK, EXTENTS);
    let middle = (cell << vec3<u32>(16u)) + select(Vector3(32768, 32768, 0), Vector3(32768), AXES == 3u);
    for (var attempt = 0u; attempt < TRIES; attempt++) {
        var around = middle;
        for (var axis = 0u; axis < AXES; axis++) {
            let word = hash(words + 2u + 3u * attempt + axis);
            // The difference of two numbers of 16 bits, times 0.95.
            around[axis] += ((i32(word & 0xffffu) - i32(word >> 16u)) * 243) >> 8u;
        }
        let at = cell_at(around);
        if (all(at >= first) && all(at < end) && !is_solid(at)) {
            return around;
        }
    }
    var place = middle;
    for (var axis = 0u; axis < AXES; axis++) {
        place[axis] = (cell[axis] << 16u) + i32(hash(words + 2u + 3u * TRIES + axis) & 0xffffu);
    }
    return place;
}
