// Points (`docs/model.md, Points`): types and functions that the kernels share. The twins are in
// crates/core/src/points/.
//
// Generated around this file: Vector3, EXTENTS, AXES, TORUS, BLOCKS (blocks along each axis), BLOCK_COUNT (blocks of a
// layer), BINS (blocks of all layers, and one more), LAYER, LAYERS and WORKGROUP.

struct Point {
    // The place (Q16 of a cell).
    place: array<i32, 3>,
    // The velocity (Q14, i16 each): x and y in one word; z and the presence (u16) in the other.
    velocity_xy: u32,
    velocity_z_presence: u32,
    // A constant random number, and the bit LEAVES.
    key: u32,
}

const LEAVES: u32 = 0x80000000u;
// The block of a point that is removed.
const NOWHERE: u32 = 0xffffffffu;
const PRESENCE_RATE: u32 = 4096u;
const BLOCK: i32 = 4;

// The parameters of the points, which are constant from step to step.
struct PointNumbers {
    seed: u32,
    boids_each: u32,
    // The maximum number of points.
    room: u32,
    // The number of the step after which they were seeded.
    seeded: u32,
    // 1: the points are seeded now, for a state that is there already; no step has been made.
    is_seeding: u32,
}

// The key of a new point of the layer, from a random word.
fn key_of(word: u32) -> u32 {
    return select((word & 0x0fffffffu) | (LAYER << 28u), word & ~LEAVES, LAYERS == 1u);
}

// The number of a block of the layer among the blocks of all layers.
fn bin_of(block: u32) -> u32 {
    return LAYER * BLOCK_COUNT + block;
}

fn invocation(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * WORKGROUP + lane;
}

fn cell_at(place: Vector3) -> Vector3 {
    return place >> vec3<u32>(16u);
}

fn block_at(place: Vector3) -> u32 {
    let block = vec3<u32>(cell_at(place) / BLOCK);
    return (block.z * BLOCKS.y + block.y) * BLOCKS.x + block.x;
}

// The first cell of a block.
fn first_cell(block: u32) -> Vector3 {
    return BLOCK * Vector3(vec3<u32>(block % BLOCKS.x, block / BLOCKS.x % BLOCKS.y, block / (BLOCKS.x * BLOCKS.y)));
}

// Brings a place up to one extent beyond the lattice onto it: round a torus, or to the nearest place before a wall.
fn held(place: Vector3) -> Vector3 {
    let ends = EXTENTS << vec3<u32>(16u);
    if (TORUS) {
        return place + select(Vector3(0), ends, place < Vector3(0)) - select(Vector3(0), ends, place >= ends);
    }
    return clamp(place, Vector3(0), ends - 1);
}

fn packed(v: Vector3, presence: u32) -> vec2<u32> {
    let words = bitcast<vec3<u32>>(v);
    return vec2<u32>((words.x & 0xffffu) | (words.y << 16u), (words.z & 0xffffu) | (presence << 16u));
}

fn velocity_of(point: Point) -> Vector3 {
    let words = vec3<u32>(point.velocity_xy << 16u, point.velocity_xy, point.velocity_z_presence << 16u);
    return bitcast<vec3<i32>>(words) >> vec3<u32>(16u);
}

fn presence_of(point: Point) -> u32 {
    return point.velocity_z_presence >> 16u;
}

fn leaves(point: Point) -> bool {
    return (point.key & LEAVES) != 0u;
}
