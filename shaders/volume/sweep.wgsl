// The exposures τ along the way to the sun, for the texels of a slice, from those of the slice before:
//   τ(x) = τ(x + d) + half of |d| times the densities at both ends
// where d leads to the slice before. What comes from beside the volume has passed nothing.
//
// Generated around this file: the texels, the parameters with the number of the slice from the sun, MAIN, ACROSS and DOWN (the axis from
// slice to slice and the other two), BEGINS_AT_END, LEAN (texels from a slice to the one before) and HALF_WAY (cells).

#import "volume/texels"

@compute @workgroup_size(8, 8)
fn sweep(@builtin(global_invocation_id) id: vec3<u32>) {
    let extents = vec2<i32>(SIZE[ACROSS], SIZE[DOWN]);
    let place = vec2<i32>(id.xy);
    if (any(place >= extents)) {
        return;
    }
    var depth = 0.0;
    if (parameters.slice > 0) {
        let low = floor(LEAN);
        let part = LEAN - low;
        let at = clamp(place + vec2<i32>(low), vec2<i32>(-1), extents - 1);
        let near = mix(behind(at, extents), behind(at + vec2<i32>(1, 0), extents), part.x);
        let far = mix(behind(at + vec2<i32>(0, 1), extents), behind(at + 1, extents), part.x);
        depth = mix(near, far, part.y);
    }
    let index = index_of(texel_at(parameters.slice, place));
    values[index].x = depth + values[index].y * HALF_WAY;
}

// τ on the far side of a texel of the slice before.
fn behind(place: vec2<i32>, extents: vec2<i32>) -> f32 {
    if (any(place < vec2<i32>(0)) || any(place >= extents)) {
        return 0.0;
    }
    let value = values[index_of(texel_at(parameters.slice - 1, place))];
    return value.x + value.y * HALF_WAY;
}

fn texel_at(slice: i32, place: vec2<i32>) -> vec3<i32> {
    var texel = vec3<i32>(0);
    texel[MAIN] = select(slice, SIZE[MAIN] - 1 - slice, BEGINS_AT_END);
    texel[ACROSS] = place.x;
    texel[DOWN] = place.y;
    return texel;
}
