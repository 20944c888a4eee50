// Decide: the points of a block that leave, the number of points that appear, and the number of points afterwards.
//
// T = min( floor( (Σ D + h) / (BOID · each) ), 4096 )

// Generated around this file: `sorted`, `arrivals`, `plans` and `counts`.

#import "points/block"
#import "points/cells"
#import "points/point"

@compute @workgroup_size(WORKGROUP)
fn decide(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = invocation(group, groups, lane);
    if (block >= BLOCK_COUNT) {
        return;
    }
    let bin = bin_of(block);
    let first = arrivals[bin];
    let end = arrivals[bin + 1u];
    var present = 0u;
    for (var k = first; k < end; k++) {
        present += select(1u, 0u, leaves(sorted[k]));
    }
    let wanted = wanted_in(block);
    let difference = max(present, wanted) - min(present, wanted);
    let tolerance = 1u + square_root(2u * wanted);
    let chance = random_of(block) % PATIENCE;
    let softly = max(max(difference, tolerance) - tolerance, (difference + chance) / PATIENCE);
    let correction = select(softly, difference, numbers.is_seeding == 1u);
    var least = 0u;
    if (present > wanted && correction > 0u) {
        least = key_of_rank(first, end, correction) + 1u;
    }
    var count = 0u;
    for (var k = first; k < end; k++) {
        let point = sorted[k];
        let stays = !leaves(point) && point.key >= least;
        count += select(0u, 1u, stays || presence_of(point) > PRESENCE_RATE);
    }
    var appearing = 0u;
    if (present < wanted && weight_of(block) > 0u) {
        appearing = correction;
    }
    plans[bin] = vec2<u32>(least, appearing);
    counts[bin] = count + appearing;
}

// The number of points that a block should have.
fn wanted_in(block: u32) -> u32 {
    var low = 0u;
    var high = 0u;
    for (var number = 0; number < cells_in(block); number++) {
        let cell = cell_in(block, number);
        if (!is_solid(cell)) {
            let density = density_at(cell);
            low += density & 0xffffu;
            high += density >> 16u;
        }
    }
    let word = hash(numbers.seed ^ hash(bin_of(block)));
    let boids = high + ((low + (word & 0xffffu)) >> 16u) + hash(word) % numbers.boids_each;
    return min(boids / numbers.boids_each, MAX_POINTS_PER_BLOCK);
}

// The sum of the weights by which a cell is chosen for a new point.
fn weight_of(block: u32) -> u32 {
    var sum = 0u;
    for (var number = 0; number < cells_in(block); number++) {
        let cell = cell_in(block, number);
        sum += select(density_at(cell) >> 8u, 0u, is_solid(cell));
    }
    return sum;
}

// The key of this rank, counted from 1, among the points that do not leave: four bits after four, from the highest.
fn key_of_rank(first: u32, end: u32, rank: u32) -> u32 {
    var key = 0u;
    var left = rank;
    for (var round = 0u; round < 8u; round++) {
        let shift = 28u - 4u * round;
        let known = ~((16u << shift) - 1u);
        var digits = array<u32, 16>();
        for (var k = first; k < end; k++) {
            let other = sorted[k].key;
            if ((other & LEAVES) == 0u && (other & known) == key) {
                digits[(other >> shift) & 15u] += 1u;
            }
        }
        var digit = 0u;
        while (digit < 15u && left > digits[digit]) {
            left -= digits[digit];
            digit++;
        }
        key |= digit << shift;
    }
    return key;
}
