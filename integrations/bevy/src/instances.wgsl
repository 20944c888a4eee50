// The individuals or the points of a swarm as instances of a mesh.

struct Instance {
    // In cells.
    place: vec3<f32>,
    species: u32,
    // A unit vector; 0: there is no instance.
    direction: vec3<f32>,
    // In cells a step.
    speed: f32,
}

// Of six words each: `StoredBody` of individuals, or points of cells.
@group(0) @binding(0) var<storage, read> stored: array<u32>;
// Among its words the number of points.
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> instances: array<Instance>;

override ARE_POINTS: bool;
override HAS_LAYERS: bool;
override COUNT_AT: u32;

// The signed lower half of a word.
fn lower(word: u32) -> f32 {
    return f32(bitcast<i32>(word << 16u) >> 16u);
}

fn upper(word: u32) -> f32 {
    return f32(bitcast<i32>(word) >> 16u);
}

@compute @workgroup_size(64)
fn list_instances(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + lane;
    if (i >= arrayLength(&instances)) {
        return;
    }
    let first = 6u * i;
    let words = vec3<u32>(stored[first], stored[first + 1u], stored[first + 2u]);
    let velocity = vec3<f32>(lower(stored[first + 3u]), upper(stored[first + 3u]), lower(stored[first + 4u]));
    var it: Instance;
    var is_there: bool;
    if (ARE_POINTS) {
        it.place = vec3<f32>(bitcast<vec3<i32>>(words)) * (1.0 / 65536.0);
        it.speed = length(velocity) * (1.0 / 16384.0);
        it.species = select(0u, (stored[first + 5u] >> 28u) & 7u, HAS_LAYERS);
        is_there = i < counts[COUNT_AT];
    } else {
        it.place = bitcast<vec3<f32>>(words);
        it.speed = length(velocity) * (1.0 / 8192.0);
        it.species = stored[first + 5u] & 7u;
        is_there = (stored[first + 4u] >> 16u) != 0u;
    }
    if (is_there) {
        let is_still = it.speed == 0.0;
        it.direction = normalize(select(velocity, vec3<f32>(1.0, 0.0, 0.0), is_still));
    }
    instances[i] = it;
}
