// Instances: one for each point of a swarm of cells.
//
// Generated around this file: StoredPoint, the list `point_list`, the words `starts`, COUNT_AT (the word with the number of points), and LAYERS.

#import "instances/instances"

@compute @workgroup_size(64)
fn instances_of_points(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= arrayLength(&instances)) {
        return;
    }
    if (i >= starts[COUNT_AT]) {
        instances[i] = instance(vec3<f32>(), 0u, vec3<f32>(), 0u, 0u);
        return;
    }
    let it = point_list[i];
    let place = vec3<f32>(vec3<i32>(it.x, it.y, it.z)) * (1.0 / 65536.0);
    let velocity = vec3<i32>(lower_half(it.velocity_xy), upper_half(it.velocity_xy), lower_half(it.velocity_z_presence));
    let key = it.key & 0x7fffffffu;
    let species = select(0u, key >> 28u, LAYERS > 1u);
    instances[i] = instance(place, key, vec3<f32>(velocity) * (1.0 / 16384.0), it.velocity_z_presence >> 16u, species);
}
