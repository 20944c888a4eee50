// The exact arithmetic of src/numbers.rs, under the same names (design, section 2).
//
// Quotients and roots begin with an f32 estimate, which no two adapters need round alike, and end with an exact integer
// correction by one, which makes them agree.

const ONE: i32 = 16384;
const RULE_ONE: i32 = 1024;
const RULE_LIMIT: i32 = 4096;

// n / 2^bits, to nearest, halves away from zero.
fn round_shift(n: i32, bits: u32) -> i32 {
    return (n + (1i << (bits - 1u)) - select(0, 1, n < 0)) >> bits;
}

// The integer nearest to n / d, halves up, where `estimate` is within one of its floor. Only n modulo 2^32 is needed:
// for 0 < d < 2^30 the remainder of the estimate is within ±2^31.
fn settle(estimate: u32, n: u32, d: u32) -> i32 {
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
    let nearest = settle(u32(f32(magnitude) / f32(d)), magnitude, u32(d));
    return select(nearest, -nearest, n < 0);
}

// 1024 n / d, to nearest, halves away from zero. |n| < 2^30, 0 < d < 2^30, and a result within ±2^16.
fn ratio(n: i32, d: i32) -> i32 {
    let magnitude = u32(abs(n));
    let nearest = settle(u32(f32(magnitude) * 1024.0 / f32(d)), magnitude << 10u, u32(d));
    return select(nearest, -nearest, n < 0);
}

// The part fraction / ONE of an amount, rounded down. 0 ≤ fraction ≤ ONE.
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
    // n - root² > 2 root is n ≥ (root + 1)², without its overflow.
    return root + select(0u, 1u, n - square > 2u * root);
}

// The length of a vector, rounded down. |components| ≤ 2^15.
fn length_of(v: Vector) -> i32 {
    return i32(square_root(u32(v.x * v.x) + u32(v.y * v.y)));
}

// A vector whose length is `length`, stretched to the length `to`. |components|, to ≤ 2^15; `length` = 0 gives 0.
fn stretch(v: Vector, length: i32, to: i32) -> Vector {
    let divisor = max(length, 1);
    return Vector(quotient(v.x * to, divisor), quotient(v.y * to, divisor));
}

// Each component held within ±bound.
fn clamp_components(v: Vector, bound: i32) -> Vector {
    return clamp(v, Vector(-bound), Vector(bound));
}

// The limit of a control vector (Q14): components to ±2, then the length a quarter of the way to `cruise` (where
// `cruise` > 0) and to at most `greatest`, then components to ±1.
fn limit(v: Vector, cruise: i32, greatest: i32) -> Vector {
    let held = clamp_components(v, 2 * ONE);
    let length = length_of(held);
    let towards = select(length, length + round_shift(cruise - length, 2u), cruise > 0);
    return clamp_components(stretch(held, length, min(towards, greatest)), ONE);
}

// A vector as it is stored: a signed 16-bit half of the word for each axis, x low.
fn pack(v: Vector) -> u32 {
    return (bitcast<u32>(v.x) & 0xffffu) | (bitcast<u32>(v.y) << 16u);
}

// The vector that `pack` stored.
fn unpack(word: u32) -> Vector {
    return Vector(bitcast<i32>(word << 16u) >> 16u, bitcast<i32>(word) >> 16u);
}
