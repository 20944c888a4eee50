// The sums over the cells of each block. An invocation sums one block.
//
// Generated around this file: BLOCKS, the blocks along each axis; BLOCK_COUNT; SIDE, the side of a block in cells;
// CELLS; the buffer `sums`: the low words of the weights of all blocks, then the high words.

#import "measures/cells"
#import "measures/stripes"
#import "measures/directions"
#import "measures/block_terms"

// The velocity of a cell in integers, rounded towards 0. The quotient of floats may lie just below an integer.
fn whole_velocity(cell: vec3<i32>) -> vec3<f32> {
    let momentum = momentum_at(cell);
    let velocity = momentum.xyz / max(momentum.w, 1.0);
    return trunc(velocity + 0.01 * sign(velocity));
}

@compute @workgroup_size(64)
fn sum_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let own_group = group.y * groups.x + group.x;
    let block = own_group * 64u + lane;
    var weight = vec2<u32>(0u);
    // Σ w û, Σ w, and over all pairs Σ w w′ û·û′ and Σ w w′.
    var heading = vec3<f32>(0.0);
    var moving = 0.0;
    var alike = 0.0;
    var pairs = 0.0;
    var stripes = vec2<f32>(0.0);
    if (block < BLOCK_COUNT) {
        let row = block / BLOCKS.x;
        let first = SIDE * vec3<i32>(vec3<u32>(block % BLOCKS.x, row % BLOCKS.y, row / BLOCKS.y));
        let end = min(first + SIDE, CELLS);
        for (var z = first.z; z < end.z; z++) {
            for (var y = first.y; y < end.y; y++) {
                for (var x = first.x; x < end.x; x++) {
                    let cell = vec3<i32>(x, y, z);
                    let density = density_at(cell);
                    stripes += stripe_terms(cell, density);
                    let low = weight.x + density;
                    weight = vec2<u32>(low, weight.y + select(0u, 1u, low < density));
                    let velocity = whole_velocity(cell);
                    if (density > 0u && any(velocity != vec3<f32>(0.0))) {
                        count_direction(velocity, density);
                        let own = f32(density);
                        let unit = velocity / length(velocity);
                        alike += own * dot(heading, unit);
                        pairs += own * moving;
                        heading += own * unit;
                        moving += own;
                    }
                }
            }
        }
        sums[block] = weight.x;
        sums[BLOCK_COUNT + block] = weight.y;
    }
    let order = select(vec2<f32>(0.0), vec2<f32>(moving * alike / max(pairs, 1.0), moving), pairs > 0.0);
    write_terms(own_group, lane, BlockTerms(vec4<f32>(order, heading.xy), vec4<f32>(heading.z, stripes, 0.0)));
    // The barriers in `write_terms` end the counts of the workgroup.
    add_directions(lane);
}
