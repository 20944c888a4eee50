// A total of two words, the lower one first.

// The total with an amount added whose halves were summed apart: low_half + 65536 · high_half.
fn sum_of(total: vec2<u32>, low_half: u32, high_half: u32) -> vec2<u32> {
    let upper = high_half << 16u;
    let sum = low_half + upper;
    let now = total.x + sum;
    return vec2<u32>(
        now,
        total.y + (high_half >> 16u) + select(0u, 1u, sum < upper) + select(0u, 1u, now < sum),
    );
}
