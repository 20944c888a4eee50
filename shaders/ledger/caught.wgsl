// The ledger of the catch: the exact sum of the quanta within the hunter's jaws, added to the sum of all steps before. It runs
// just before the kernel `jaws` takes them off the lattice.
//
// One workgroup looks at the square around the jaws, at most 130 cells wide, so that neither half of the sum overflows.

// Generated around this file: `density_texture`, and `total`, the low and the high word of the sum since the start.

var<workgroup> low: atomic<u32>;
var<workgroup> high: atomic<u32>;

@compute @workgroup_size(64)
fn caught(@builtin(local_invocation_index) lane: u32) {
    let jaws = parameters.hunter_jaws;
    let first = Cell(parameters.hunter_x >> 4u, parameters.hunter_y >> 4u) - jaws;
    // On a torus narrower than the square no cell may count twice.
    let wide = Cell(2 * jaws + 2);
    let cells = select(wide, min(wide, EXTENT), TORUS);
    for (var i = i32(lane); i < cells.x * cells.y; i += 64) {
        var cell = first + Cell(i % cells.x, i / cells.x);
        if (TORUS) {
            cell = wrap_far(cell);
        }
        if (inside(cell) && in_jaws(cell)) {
            let density = textureLoad(density_texture, cell, 0).r;
            atomicAdd(&low, density & 0xffffu);
            atomicAdd(&high, density >> 16u);
        }
    }
    workgroupBarrier();
    if (lane == 0u && jaws > 0) {
        let high_sum = atomicLoad(&high);
        let upper = high_sum << 16u;
        let sum = atomicLoad(&low) + upper;
        let now = total[0] + sum;
        total[1] += (high_sum >> 16u) + select(0u, 1u, sum < upper) + select(0u, 1u, now < sum);
        total[0] = now;
    }
}
