// The ledger: the sum of the density over all cells, exact (invariant 1).
//
// Each workgroup sums ROWS rows in two halves, Σ (D & 0xffff) and Σ (D >> 16), of at most 65 536 cells, so that
// neither overflows. The order of the sums cannot matter, because they are integers.

// Generated around this file: `density_texture`, `sums`, ROWS and EXTENT.

var<workgroup> low: atomic<u32>;
var<workgroup> high: atomic<u32>;

@compute @workgroup_size(64)
fn ledger(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var low_sum = 0u;
    var high_sum = 0u;
    for (var row = 0u; row < ROWS; row++) {
        let y = group.x * ROWS + row;
        if (y < EXTENT.y) {
            for (var x = lane; x < EXTENT.x; x += 64u) {
                let density = textureLoad(density_texture, vec2<u32>(x, y), 0).r;
                low_sum += density & 0xffffu;
                high_sum += density >> 16u;
            }
        }
    }
    atomicAdd(&low, low_sum);
    atomicAdd(&high, high_sum);
    workgroupBarrier();
    if (lane == 0u) {
        sums[group.x] = vec2<u32>(atomicLoad(&low), atomicLoad(&high));
    }
}
