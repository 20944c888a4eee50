// The weights of bodies by the direction of their movement: 16 sectors of the plane, or 26 faces, edges and corners of
// a cube. The first sector is along x. The twins are `bin_flat` and `bin_deep` in Rust.
//
// Generated around this file: AXES; DIRECTIONS; the buffer `directions`, of two words for each direction, all 0 before.

#import "ledger/two_words"

// The tangents of the borders between sectors: 11.25°, 33.75°, 56.25° and 78.75°.
const BORDERS: vec4<f32> = vec4<f32>(0.19891237, 0.66817864, 1.4966058, 5.0273395);
const EDGE: f32 = 0.70710678;
const CORNER: f32 = 0.57735027;

// The low and the high half of the weight in each direction, of a workgroup. Each sum can hold the halves of 65 537
// bodies.
var<workgroup> halves: array<atomic<u32>, 2u * DIRECTIONS>;

fn sector_of(v: vec2<f32>) -> u32 {
    let along = abs(v);
    let passed = select(vec4<u32>(0u), vec4<u32>(1u), vec4<f32>(along.y) > BORDERS * along.x);
    let in_quarter = passed.x + passed.y + passed.z + passed.w;
    let in_half = select(in_quarter, 8u - in_quarter, v.x < 0.0);
    return select(in_half, (16u - in_half) % 16u, v.y < 0.0);
}

fn part_of_cube(v: vec3<f32>) -> u32 {
    let along = abs(v);
    let longest = max(along.x, max(along.y, along.z));
    let shortest = min(along.x, min(along.y, along.z));
    let sum = along.x + along.y + along.z;
    let middle = sum - longest - shortest;
    let edge = EDGE * (longest + middle);
    let corner = CORNER * sum;
    var least = shortest;
    if (longest >= edge && longest >= corner) {
        least = longest;
    } else if (edge >= corner) {
        least = middle;
    }
    let digits = vec3<u32>(select(sign(v), vec3<f32>(0.0), along < vec3<f32>(least)) + 1.0);
    let part = 9u * digits.x + 3u * digits.y + digits.z;
    return select(part, part - 1u, part > 13u);
}

// Counts a moving body.
fn count_direction(v: vec3<f32>, weight: u32) {
    var own = sector_of(v.xy);
    if (AXES == 3) {
        own = part_of_cube(v);
    }
    atomicAdd(&halves[2u * own], weight & 0xffffu);
    atomicAdd(&halves[2u * own + 1u], weight >> 16u);
}

// Adds the weights of the workgroup to the weights of all bodies. A barrier must come before.
fn add_directions(lane: u32) {
    if (lane < DIRECTIONS) {
        let own = sum_of(vec2<u32>(0u), atomicLoad(&halves[2u * lane]), atomicLoad(&halves[2u * lane + 1u]));
        let before = atomicAdd(&directions[2u * lane], own.x);
        atomicAdd(&directions[2u * lane + 1u], own.y + select(0u, 1u, before + own.x < before));
    }
}
