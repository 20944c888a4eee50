// The crowd of a swarm in texels of CROWD_TEXEL cells: each boid or individual is spread over the eight texels around it, in parts of
// CROWD_PARTS, so that the crowd changes smoothly while they move.
//
// Generated around this file: SIZE (texels), CROWD_TEXEL, CROWD_PARTS, the list `crowd` of sums, `count_of_list` and
// `one_of_list` of shaders/volume/bodies.wgsl or boids.wgsl: the place of one of them (cells), and for how many it
// stands.

@compute @workgroup_size(64)
fn spread(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= count_of_list()) {
        return;
    }
    let one = one_of_list(id.x);
    let at = one.xyz * (1.0 / CROWD_TEXEL) - 0.5;
    let low = vec3<i32>(floor(at));
    let part = at - floor(at);
    for (var corner = 0; corner < 8; corner++) {
        let side = (vec3<i32>(corner) >> vec3<u32>(0u, 1u, 2u)) & vec3<i32>(1);
        let share = mix(1.0 - part, part, vec3<f32>(side));
        let texel = clamp(low + side, vec3<i32>(0), SIZE - 1);
        let amount = u32(CROWD_PARTS * one.w * share.x * share.y * share.z + 0.5);
        if (amount > 0u) {
            atomicAdd(&crowd[(texel.z * SIZE.y + texel.y) * SIZE.x + texel.x], amount);
        }
    }
}
