// From colours to the levels of a screen.

// The value to write so that the target stores this sRGB value. A target in an sRGB format encodes what is written.
fn for_target(encoded: vec3<f32>) -> vec3<f32> {
    if (!TARGET_ENCODES) {
        return encoded;
    }
    return select(pow((encoded + 0.055) / 1.055, vec3<f32>(2.4)), encoded / 12.92, encoded <= vec3<f32>(0.04045));
}

// A fixed pattern in 0..1 without visible structure: the fractional parts of multiples of the plastic number's powers
// fill every small neighbourhood evenly (Martin Roberts, 2018).
fn dither(pixel: vec2<u32>) -> f32 {
    let word = pixel.x * 0xc13fa9a9u + pixel.y * 0x91e10da5u;
    return f32(word >> 8u) * (1.0 / 16777216.0);
}
