// Light and density within a swarm, in texels of VOLUME_TEXEL cells.
//
// Generated around this file: PointView and `point_view`, and the list `volume`.

// Light (0 to 1) and density (exposures) at a place, interpolated between the middles of texels.
fn volume_at(place: vec3<f32>) -> vec2<f32> {
    let last = point_view.volume_size - 1;
    let at = clamp(place * (1.0 / VOLUME_TEXEL) - 0.5, vec3<f32>(0.0), vec3<f32>(last));
    let low = vec3<i32>(at);
    let high = min(low + 1, last);
    let part = at - vec3<f32>(low);
    let near = mix(
        volume_row(low.x, high.x, low.y, low.z, part.x),
        volume_row(low.x, high.x, high.y, low.z, part.x),
        part.y,
    );
    let far = mix(
        volume_row(low.x, high.x, low.y, high.z, part.x),
        volume_row(low.x, high.x, high.y, high.z, part.x),
        part.y,
    );
    return mix(near, far, part.z);
}

fn volume_row(from_x: i32, to_x: i32, y: i32, z: i32, part: f32) -> vec2<f32> {
    let row = (z * point_view.volume_size.y + y) * point_view.volume_size.x;
    return mix(volume[row + from_x], volume[row + to_x], part);
}
