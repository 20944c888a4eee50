// Sum: the food of all cells, in two words.
//
// Generated around this file: the buffer `food` with its layout (see crates/gpu/src/food/shader.rs).

#import "food/totals"

var<workgroup> sum_here: atomic<u32>;

@compute @workgroup_size(64)
fn sum(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let cell = (group.y * groups.x + group.x) * 64u + lane;
    if (cell < FOOD_CELLS) {
        atomicAdd(&sum_here, atomicLoad(&food[FOOD_AT + cell]));
    }
    workgroupBarrier();
    if (lane == 0u) {
        add_to_total(SUM, atomicLoad(&sum_here));
    }
}
