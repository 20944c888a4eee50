// The ledger of the catch: the exact sum of the quanta within the hunter's jaws, added to the sum of all steps before. It runs
// just before the kernel `jaws` takes them off the lattice.
//
// One workgroup looks at the square around the jaws, at most 130 cells wide, so that neither half of the sum overflows: slice by
// slice of a deep world.

// Generated around this file: `density_texture`, SLICES, `cell_of` a place in a slice, and `total`, the low and the high word of
// the sum since the start.

var<workgroup> low: atomic<u32>;
var<workgroup> high: atomic<u32>;

@compute @workgroup_size(64)
fn caught(@builtin(local_invocation_index) lane: u32) {
    let jaws = parameters.hunter_jaws;
    let first = vec2<i32>(parameters.hunter_x >> 4u, parameters.hunter_y >> 4u) - jaws;
    // On a torus narrower than the square no cell may count twice.
    let wide = vec2<i32>(2 * jaws + 2);
    let cells = select(wide, min(wide, EXTENT.xy), TORUS);
    for (var z = 0; z < SLICES; z++) {
        for (var i = i32(lane); i < cells.x * cells.y; i += 64) {
            var cell = cell_of(first + vec2<i32>(i % cells.x, i / cells.x), z);
            if (TORUS) {
                cell = wrap_far(cell);
            }
            if (inside(cell) && in_jaws(cell)) {
                let density = textureLoad(density_texture, texel(cell), 0).r;
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
            atomicStore(&low, 0u);
            atomicStore(&high, 0u);
        }
        workgroupBarrier();
    }
}
