// The exact arithmetic of crates/core/src/lanes/vector.rs with three axes. In a flat world z is 0. WGSL has no
// generics, so the names of functions that numbers.wgsl has for two axes end in 3 here.
//
// Generated around this file: the alias Vector3.

// The length of a vector, rounded down. |components| ≤ 2^15, so that the sum of the squares fits in 32 bits.
fn length3(v: Vector3) -> i32 {
    return i32(square_root(u32(v.x * v.x) + u32(v.y * v.y) + u32(v.z * v.z)));
}

// The direction of a vector, with the length ONE; 0 for the zero vector. |components| ≤ 2^30.
fn normalise(v: Vector3) -> Vector3 {
    let held = to_fifteen_bits(v, all_bits(v));
    return stretch3(held, length3(held), ONE);
}

// The bits that the size of any component has.
fn all_bits(v: Vector3) -> i32 {
    let sizes = abs(v);
    return sizes.x | sizes.y | sizes.z;
}

// A vector, multiplied by the power of two that gives 15 bits to a number with the bits `given`. 0 counts as 1.
fn to_fifteen_bits(v: Vector3, given: i32) -> Vector3 {
    let bits = 32 - i32(countLeadingZeros(u32(given | 1)));
    return round_shift3(v << vec3<u32>(u32(max(15 - bits, 0))), u32(max(bits - 15, 0)));
}

// A vector of the length `length`, stretched to the length `to`. |components|, to ≤ 2^15; `length` = 0 gives 0.
fn stretch3(v: Vector3, length: i32, to: i32) -> Vector3 {
    let divisor = max(length, 1);
    return Vector3(quotient(v.x * to, divisor), quotient(v.y * to, divisor), quotient(v.z * to, divisor));
}

// A vector, shortened to the length `most` ≤ 2^15 if it is longer. |components| ≤ 2^30.
fn limit_length(v: Vector3, most: i32) -> Vector3 {
    // A component beyond 2^15 makes the vector longer than any limit, so only its direction matters.
    if (any(abs(v) > Vector3(32768))) {
        return stretch3(normalise(v), ONE, most);
    }
    let length = length3(v);
    if (length > most) {
        return stretch3(v, length, most);
    }
    return v;
}

// `round_shift` of each component by 0 or more bits. |components| < 2^31 - 2^(bits-1).
fn round_shift3(v: Vector3, bits: u32) -> Vector3 {
    if (bits == 0u) {
        return v;
    }
    return Vector3(round_shift(v.x, bits), round_shift(v.y, bits), round_shift(v.z, bits));
}
