// The list of a crowd of individuals.
//
// Generated around this file: the buffer `bodies`; `numbers`, the places of the list and for how many individuals each
// stands.

fn count_of_list() -> u32 {
    return u32(numbers.x);
}

fn one_of_list(index: u32) -> vec4<f32> {
    let it = bodies[index];
    return vec4<f32>(it.x, it.y, it.z, select(numbers.y, 0.0, (it.velocity_z_boids >> 16u) == 0u));
}
