// Instances of a mesh, one for each boid that is drawn (`docs/library.md, Meshes`). Twin: `Instance` in crates/gpu/src/instances.rs.
//
// Generated around this file: Instance and the list `instances`.

// The place of this invocation in the list.
fn invocation(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * 64u + lane;
}

fn lower_half(word: u32) -> i32 {
    return bitcast<i32>(word << 16u) >> 16u;
}

fn upper_half(word: u32) -> i32 {
    return bitcast<i32>(word) >> 16u;
}

// presence: 0 to 65535.
fn instance(place: vec3<f32>, number: u32, velocity: vec3<f32>, presence: u32, species: u32) -> Instance {
    return Instance(
        place.x, place.y, place.z, number,
        velocity.x, velocity.y, velocity.z, presence | (species << 16u),
    );
}
