// Bodies: the list of the individuals that are drawn. Their numbers are multiples of EACH. Its twin is `Bodies::read`
// in Rust.
//
// Generated around this file: EXTENT, LIVING, BOID, EACH, StoredBody, the buffers, and the density that `means` wrote.

@compute @workgroup_size(64)
fn list_bodies(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + lane;
    if (i >= account[LIVING]) {
        return;
    }
    let individual = individuals[i];
    if (individual.number % EACH != 0u) {
        return;
    }
    var index = i;
    if (EACH > 1u) {
        index = atomicAdd(&listed[0], 1u);
    }
    if (index >= arrayLength(&bodies)) {
        return;
    }
    // From Q14 to Q13: then 16 bits hold the max velocity.
    let velocity = clamp(individual.velocity >> vec3<u32>(1u), vec3<i32>(-32768), vec3<i32>(32767));
    let halves = vec3<u32>(velocity) & vec3<u32>(0xffffu);
    let density = textureLoad(density_texture, individual.place.xy >> vec2<u32>(16u), 0).r;
    let position = vec3<f32>(individual.place) * (1.0 / 65536.0);
    let life = life_of(individual);
    bodies[index] = StoredBody(
        position.x, position.y, position.z, halves.x | (halves.y << 16u), halves.z | ((density / BOID) << 16u),
        (bitcast<u32>(life.w) & ~7u) | ((bitcast<u32>(life.y) >> 16u) & 0xffu), individual.number,
    );
}
