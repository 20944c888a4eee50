// Adds each individual to the sums of its block. The sums are integers, so their order does not matter.
//
// Generated around this file: LIVING; BLOCKS, the blocks along each axis; BLOCK_COUNT; SHIFT, from a place to a block;
// AXES; UNIT, the number 1 in the sums of headings; the buffers `account`, `individuals` and `sums`. `sums` has the
// number of individuals in each block, then of moving individuals, then Σ v/|v| along each axis.

#import "measures/directions"

@compute @workgroup_size(64)
fn add_individuals(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + lane;
    if (i < account[LIVING]) {
        let at = min(vec3<u32>(individuals[i].place) >> vec3<u32>(SHIFT), BLOCKS - 1u);
        let block = (at.z * BLOCKS.y + at.y) * BLOCKS.x + at.x;
        atomicAdd(&sums[block], 1);
        let velocity = vec3<f32>(individuals[i].velocity);
        if (any(velocity != vec3<f32>(0.0))) {
            count_direction(velocity, 1u);
            atomicAdd(&sums[BLOCK_COUNT + block], 1);
            let heading = vec3<i32>(round(UNIT * velocity / length(velocity)));
            for (var axis = 0u; axis < u32(AXES); axis++) {
                atomicAdd(&sums[(2u + axis) * BLOCK_COUNT + block], heading[axis]);
            }
        }
    }
    workgroupBarrier();
    add_directions(lane);
}
