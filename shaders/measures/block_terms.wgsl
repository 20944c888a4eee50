// The terms of a block that are summed over all blocks. |u|² is the mean of û·û′ over the pairs of moving bodies in the
// block. The twin is `OrderSums` in Rust.
//
// Generated around this file: the buffer `terms`.

struct BlockTerms {
    // w|u|² and w, with the weight w of the moving bodies; then Σ w v/|v| over all bodies, along x and y.
    a: vec4<f32>,
    // Σ w v/|v| along z, then the short and the long sum for stripes.
    b: vec4<f32>,
}

var<workgroup> parts: array<BlockTerms, 64>;

// Writes the sums of a workgroup. The program adds them.
fn write_terms(group: u32, lane: u32, own: BlockTerms) {
    parts[lane] = own;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half >>= 1u) {
        if (lane < half) {
            parts[lane] = BlockTerms(parts[lane].a + parts[lane + half].a, parts[lane].b + parts[lane + half].b);
        }
        workgroupBarrier();
    }
    if (lane == 0u) {
        terms[group] = parts[0];
    }
}
