// The exact arithmetic of crates/core/src/numbers/mod.rs and, for vectors, of crates/core/src/lanes/vector.rs, with
// equal names (`docs/design.md, Numbers`). `length` is `length_of` here, because WGSL has a built-in function `length`.
// Functions of each component of a vector are `each_…`, because WGSL has no overloads.
//
// Generated around this file: Vector, with two or three components, and LAST, the index of the last component.
//
// Quotients and roots start from an f32 estimate, which adapters may round differently. An exact integer correction by
// at most one follows, so all adapters agree.

const ONE: i32 = 16384;
const RULE_ONE: i32 = 1024;
const RULE_LIMIT: i32 = 4096;

// n / 2^bits, to nearest, halves away from zero.
fn round_shift(n: i32, bits: u32) -> i32 {
    return (n + (1i << (bits - 1u)) - select(0, 1, n < 0)) >> bits;
}

// The integer nearest to n / d, halves up. `estimate` is within one of the floor of n / d. Only n modulo 2^32 is
// needed, because for 0 < d < 2^30 the remainder of the estimate is within ±2^31.
fn correct_quotient(estimate: u32, n: u32, d: u32) -> i32 {
    var floor = i32(estimate);
    var remainder = i32(n - estimate * d);
    if (remainder < 0) {
        floor -= 1;
        remainder += i32(d);
    } else if (remainder >= i32(d)) {
        floor += 1;
        remainder -= i32(d);
    }
    return floor + select(0, 1, 2 * remainder >= i32(d));
}

// n / d, to nearest, halves away from zero. |n| < 2^31, 0 < d < 2^30, and a result within ±2^16.
fn quotient(n: i32, d: i32) -> i32 {
    let magnitude = u32(abs(n));
    let nearest = correct_quotient(u32(f32(magnitude) / f32(d)), magnitude, u32(d));
    return select(nearest, -nearest, n < 0);
}

// 1024 n / d, to nearest, halves away from zero. |n| < 2^30, 0 < d < 2^30, and a result within ±2^16.
fn ratio(n: i32, d: i32) -> i32 {
    let magnitude = u32(abs(n));
    let nearest = correct_quotient(u32(f32(magnitude) * 1024.0 / f32(d)), magnitude << 10u, u32(d));
    return select(nearest, -nearest, n < 0);
}

// `round_shift` of each component.
fn each_round_shift(v: Vector, bits: u32) -> Vector {
    var each = v;
    each.x = round_shift(v.x, bits);
    each.y = round_shift(v.y, bits);
    if (LAST == 2) {
        each[LAST] = round_shift(v[LAST], bits);
    }
    return each;
}

// `quotient` of each component.
fn each_quotient(v: Vector, d: i32) -> Vector {
    var each = v;
    each.x = quotient(v.x, d);
    each.y = quotient(v.y, d);
    if (LAST == 2) {
        each[LAST] = quotient(v[LAST], d);
    }
    return each;
}

// `ratio` of each component.
fn each_ratio(v: Vector, d: i32) -> Vector {
    var each = v;
    each.x = ratio(v.x, d);
    each.y = ratio(v.y, d);
    if (LAST == 2) {
        each[LAST] = ratio(v[LAST], d);
    }
    return each;
}

// amount · fraction / ONE, rounded down. 0 ≤ fraction ≤ ONE.
fn multiply_fraction(amount: u32, fraction: u32) -> u32 {
    return (amount >> 14u) * fraction + (((amount & 0x3fffu) * fraction) >> 14u);
}

// The largest integer whose square is at most n.
fn square_root(n: u32) -> u32 {
    let root = min(u32(sqrt(f32(n))), 65535u);
    let square = root * root;
    if (square > n) {
        return root - 1u;
    }
    // n - root² > 2 root means n ≥ (root + 1)², and does not overflow.
    return root + select(0u, 1u, n - square > 2u * root);
}

// The length of a vector, rounded down. |components| ≤ 2^15.
fn length_of(v: Vector) -> i32 {
    return i32(square_root(u32(dot(v, v))));
}

// A vector of the length `length`, stretched to the length `to`. |components|, to ≤ 2^15; `length` = 0 gives 0.
fn stretch(v: Vector, length: i32, to: i32) -> Vector {
    return each_quotient(v * to, max(length, 1));
}

// Each component clamped to [-bound, bound].
fn clamp_components(v: Vector, bound: i32) -> Vector {
    return clamp(v, Vector(-bound), Vector(bound));
}

// The limit of a control vector (Q14): components to ±2, then the length a quarter of the way to `cruise` (if
// `cruise` > 0) and to at most `greatest`, then components to ±1.
fn limit(v: Vector, cruise: i32, greatest: i32) -> Vector {
    let held = clamp_components(v, 2 * ONE);
    let length = length_of(held);
    let towards = select(length, length + round_shift(cruise - length, 2u), cruise > 0);
    return clamp_components(stretch(held, length, min(towards, greatest)), ONE);
}

// Two components as stored: 16 signed bits each, x in the low half of the word.
fn pack(v: vec2<i32>) -> u32 {
    return (bitcast<u32>(v.x) & 0xffffu) | (bitcast<u32>(v.y) << 16u);
}

// The components of a word made by `pack`.
fn unpack(word: u32) -> vec2<i32> {
    return vec2<i32>(bitcast<i32>(word << 16u) >> 16u, bitcast<i32>(word) >> 16u);
}
