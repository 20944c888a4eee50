// Instances: one for each individual that is drawn.
//
// Generated around this file: StoredBody and the list `bodies`.

#import "instances/instances"

@compute @workgroup_size(64)
fn instances_of_individuals(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= arrayLength(&instances)) {
        return;
    }
    let it = bodies[i];
    if ((it.velocity_z_boids >> 16u) == 0u) {
        instances[i] = instance(vec3<f32>(), 0u, vec3<f32>(), 0u, 0u);
        return;
    }
    let velocity = vec3<i32>(lower_half(it.velocity_xy), upper_half(it.velocity_xy), lower_half(it.velocity_z_boids));
    instances[i] = instance(
        vec3<f32>(it.x, it.y, it.z), it.number, vec3<f32>(velocity) * (1.0 / 8192.0), 65535u, it.drawn_word & 7u,
    );
}
