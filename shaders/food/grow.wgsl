// Grow: removes the eaten food of a step, and lets food grow. The twin is `FoodLattice::grow` in
// crates/core/src/food/mod.rs, which has the formula.
//
// Generated around this file: the buffer `food` with its layout (see crates/gpu/src/food/shader.rs), and the
// parameters.

#import "food/totals"

// The grown and the eaten food in the cells of a workgroup.
var<workgroup> sums_here: array<atomic<u32>, 2>;

@compute @workgroup_size(64)
fn grow(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let cell = (group.y * groups.x + group.x) * 64u + lane;
    if (cell < FOOD_CELLS) {
        let before = atomicLoad(&food[FOOD_AT + cell]);
        let eaters = atomicLoad(&food[EATERS_AT + cell]);
        let eaten = eaters * min(before / max(eaters, 1u), u32(parameters.bite));
        let left = before - eaten;
        let most = max(atomicLoad(&food[CAPACITIES_AT + cell]), left);
        let grown = min(most - left, u32(parameters.growth));
        atomicStore(&food[FOOD_AT + cell], left + grown);
        atomicAdd(&sums_here[0], grown);
        atomicAdd(&sums_here[1], eaten);
    }
    workgroupBarrier();
    if (lane < 2u) {
        add_to_total(GROWN + 2u * lane, atomicLoad(&sums_here[lane]));
    }
}
