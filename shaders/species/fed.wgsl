// The ledger of a species that feeds: the exact sums of the quanta that it eats of others and that others eat of it,
// added to the sums of all steps before. It runs just before the kernel `feed` of the species.
//
// Each workgroup adds the sums of ROWS rows, of at most 65 536 cells, to its own pair of totals, each with a low and a
// high word. The order does not matter, because the sums are integers.

// Generated around this file: ROWS, SLICES, and `totals`. shaders/species/eaten.wgsl has `eaten_and_lost`.

#import "ledger/two_words"

var<workgroup> low: array<atomic<u32>, 2>;
var<workgroup> high: array<atomic<u32>, 2>;

@compute @workgroup_size(64)
fn fed(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var low_sums = vec2<u32>(0u);
    var high_sums = vec2<u32>(0u);
    for (var i = 0; i < ROWS; i++) {
        let row = i32(group.x) * ROWS + i;
        if (row < EXTENT.y * SLICES) {
            for (var x = i32(lane); x < EXTENT.x; x += 64) {
                let cell = on_axes(Vector3(x, row % EXTENT.y, row / EXTENT.y));
                let sums = select(vec2<u32>(0u), eaten_and_lost(cell), is_in_slab(cell));
                low_sums += sums & vec2<u32>(0xffffu);
                high_sums += sums >> vec2<u32>(16u);
            }
        }
    }
    atomicAdd(&low[0], low_sums.x);
    atomicAdd(&low[1], low_sums.y);
    atomicAdd(&high[0], high_sums.x);
    atomicAdd(&high[1], high_sums.y);
    workgroupBarrier();
    if (lane == 0u) {
        let total = totals[group.x];
        let eaten = sum_of(total.xy, atomicLoad(&low[0]), atomicLoad(&high[0]));
        let lost = sum_of(total.zw, atomicLoad(&low[1]), atomicLoad(&high[1]));
        totals[group.x] = vec4<u32>(eaten, lost);
    }
}
