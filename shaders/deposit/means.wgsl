// Means: the density and the mean velocity of a cell, from the sums of `deposit`,
//   D = n · BOID,  V = Σ V / n
// A cell with more than MAX_BOIDS individuals shows MAX_BOIDS. Its twin is `deposit` in Rust.
//
// Generated around this file: EXTENT, BOID, MAX_BOIDS, ONE, the buffer `sums` and the textures.

@compute @workgroup_size(8, 8)
fn means(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = id.xy;
    if (any(cell >= EXTENT)) {
        return;
    }
    let sum = sums[cell.y * EXTENT.x + cell.x];
    let count = sum.x;
    var velocity = vec2<i32>(0);
    if (count > 0u) {
        let x = mean(sum.y, sum.w & 0xffffu, count);
        let y = mean(sum.z, sum.w >> 16u, count);
        velocity = clamp(vec2<i32>(x, y), vec2<i32>(-ONE), vec2<i32>(ONE));
    }
    let word = (bitcast<u32>(velocity.x) & 0xffffu) | (bitcast<u32>(velocity.y) << 16u);
    textureStore(density_target, cell, vec4<u32>(min(count, MAX_BOIDS) * BOID, 0u, 0u, 0u));
    textureStore(control_target, cell, vec4<u32>(word, 0u, 0u, 0u));
}

// Σ V / n to nearest, halves away from zero. Σ (V + 2^16) is 2^32 · high + low. |Σ V| < 2^40 and n ≤ 2^24.
fn mean(low: u32, high: u32, count: u32) -> i32 {
    let bias = count << 16u;
    var below = low - bias;
    var above = high - (count >> 16u) - select(0u, 1u, low < bias);
    let is_negative = (above >> 31u) == 1u;
    if (is_negative) {
        above = ~above + select(0u, 1u, below == 0u);
        below = ~below + 1u;
    }
    // The number without its lowest eight bits is divided first, then the remainder with these bits.
    let top = (above << 24u) | (below >> 8u);
    let rest = ((top % count) << 8u) | (below & 255u);
    let size = i32(((top / count) << 8u) + rest / count + select(0u, 1u, 2u * (rest % count) >= count));
    return select(size, -size, is_negative);
}
