// Light and rock in the water around rock, in texels of WATER_TEXEL cells.
//
// Generated around this file: the list `water`, a word for each texel: light in its low half, rock in its high half.

// Light (as a part of MOST_LIGHT) and rock (0 to 1) at a place, interpolated between the middles of texels.
fn water_at(place: vec3<f32>) -> vec2<f32> {
    let size = vec3<i32>((eye.extents + (WATER_TEXEL - 1.0)) * (1.0 / WATER_TEXEL));
    let at = clamp(place * (1.0 / WATER_TEXEL) - 0.5, vec3<f32>(0.0), vec3<f32>(size - 1));
    let low = vec3<i32>(at);
    let high = min(low + 1, size - 1);
    let part = at - vec3<f32>(low);
    let near = mix(water_row(size, low.x, high.x, low.y, low.z, part.x), water_row(size, low.x, high.x, high.y, low.z, part.x), part.y);
    let far = mix(water_row(size, low.x, high.x, low.y, high.z, part.x), water_row(size, low.x, high.x, high.y, high.z, part.x), part.y);
    return mix(near, far, part.z);
}

fn water_row(size: vec3<i32>, from_x: i32, to_x: i32, y: i32, z: i32, part: f32) -> vec2<f32> {
    let row = (z * size.y + y) * size.x;
    return mix(unpack2x16unorm(water[row + from_x]), unpack2x16unorm(water[row + to_x]), part);
}
