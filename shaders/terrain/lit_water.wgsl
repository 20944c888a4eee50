// Light and rock in the water around rock, in texels of WATER_TEXEL cells.
//
// Generated around this file: the list `water`, a word for each texel: its light in 10 bits and its rock in 6, and
// above them the light and the rock of the next texel along x.

// Light (as a part of MAX_LIGHT) and rock (0 to 1) at a place, interpolated between the middles of texels.
fn water_at(place: vec3<f32>) -> vec2<f32> {
    let size = vec3<i32>((eye.extents + (WATER_TEXEL - 1.0)) * (1.0 / WATER_TEXEL));
    let at = clamp(place * (1.0 / WATER_TEXEL) - 0.5, vec3<f32>(0.0), vec3<f32>(size - 1));
    let low = vec3<i32>(at);
    let high = min(low.yz + 1, size.yz - 1);
    let part = at - vec3<f32>(low);
    let near = mix(water_row(size, low.x, low.y, low.z, part.x), water_row(size, low.x, high.x, low.z, part.x), part.y);
    let far = mix(
        water_row(size, low.x, low.y, high.y, part.x),
        water_row(size, low.x, high.x, high.y, part.x),
        part.y,
    );
    return mix(near, far, part.z);
}

fn water_row(size: vec3<i32>, x: i32, y: i32, z: i32, part: f32) -> vec2<f32> {
    let word = water[(z * size.y + y) * size.x + x];
    let light = mix(f32(word & 1023u), f32((word >> 16u) & 1023u), part);
    let rock = mix(f32((word >> 10u) & 63u), f32(word >> 26u), part);
    return vec2<f32>(light, rock) * vec2<f32>(1.0 / 1023.0, 1.0 / 63.0);
}
