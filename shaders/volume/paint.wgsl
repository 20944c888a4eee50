// Paint: a plane of cells in the colours of their values, of 256 from the least to the top of the scale.
//
// place = min( floor(255 · value / top), 255 )

// Generated around this file: what `plane.wgsl` needs, the `tops` that a scale may have, the `greatest` value, the `colours`, the `top`
// that the scale has, and the texture `plane`.

#import "volume/plane"

@compute @workgroup_size(64)
fn paint(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if (!is_on_plane(place)) {
        return;
    }
    // The least that no value exceeds.
    var index = 0u;
    while (index + 1u < shown.tops && is_below(tops[index], vec2<u32>(greatest[0], greatest[1]))) {
        index++;
    }
    if (all(place == vec2<i32>(0))) {
        top = tops[index];
    }
    let value = multiplied(value_at(place), 255u);
    var colour = 0u;
    for (var bit = 128u; bit > 0u; bit >>= 1u) {
        if (!is_below(value, multiplied(tops[index], colour + bit))) {
            colour += bit;
        }
    }
    textureStore(plane, place, vec4<u32>(colours[colour]));
}

fn is_below(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

// A value below 2^56, by a number below 2^8.
fn multiplied(value: vec2<u32>, by: u32) -> vec2<u32> {
    let low = (value.x & 0xffffu) * by;
    let high = (value.x >> 16u) * by + (low >> 16u);
    return vec2<u32>((low & 0xffffu) | (high << 16u), value.y * by + (high >> 16u));
}
