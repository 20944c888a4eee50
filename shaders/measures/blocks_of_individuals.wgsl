// The terms of each block of individuals, from the sums of `measures/individuals_in_blocks`.
//
// Generated around this file: BLOCK_COUNT; AXES; UNIT, the number 1 in the sums of headings; the buffer `sums`.

#import "measures/block_terms"

@compute @workgroup_size(64)
fn sum_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let own_group = group.y * groups.x + group.x;
    let block = own_group * 64u + lane;
    var heading = vec3<f32>(0.0);
    var order = vec2<f32>(0.0);
    if (block < BLOCK_COUNT) {
        let moving = f32(sums[BLOCK_COUNT + block]);
        for (var axis = 0u; axis < u32(AXES); axis++) {
            heading[axis] = f32(sums[(2u + axis) * BLOCK_COUNT + block]) / UNIT;
        }
        if (moving > 1.5) {
            order = vec2<f32>((dot(heading, heading) - moving) / (moving - 1.0), moving);
        }
    }
    write_terms(own_group, lane, BlockTerms(vec4<f32>(order, heading.xy), vec4<f32>(heading.z, 0.0, 0.0, 0.0)));
}
