// An edge of the world's box, as a thin line: x of the corner goes along it, y across.
fn edges_corner(number: u32, corner: vec3<f32>) -> Drawn {
    // Four edges along each axis, at the corners of the face across it.
    let axis = number >> 2u;
    let across = vec2<f32>(f32(number & 1u), f32((number >> 1u) & 1u));
    var first = vec3<f32>(0.0, across);
    var last = vec3<f32>(1.0, across);
    if (axis == 1u) {
        first = vec3<f32>(across.y, 0.0, across.x);
        last = vec3<f32>(across.y, 1.0, across.x);
    } else if (axis == 2u) {
        first = vec3<f32>(across, 0.0);
        last = vec3<f32>(across, 1.0);
    }
    var a = in_space(first * eye.extents);
    var b = in_space(last * eye.extents);
    // What is behind the eye is left off.
    let nearest = 0.5 * eye.least;
    let depths = vec2<f32>(dot(a - eye.place, eye.ahead), dot(b - eye.place, eye.ahead));
    if (max(depths.x, depths.y) <= nearest) {
        return UNSEEN;
    }
    if (depths.x < nearest) {
        a = mix(a, b, (nearest - depths.x) / (depths.y - depths.x));
    } else if (depths.y < nearest) {
        b = mix(b, a, (nearest - depths.y) / (depths.x - depths.y));
    }
    let half_screen = 0.5 * vec2<f32>(view.screen);
    let from_a = seen_at(a);
    let from_b = seen_at(b);
    let way = (from_b.xy / from_b.w - from_a.xy / from_a.w) * half_screen;
    let along = way / (length(way) + 1e-6);
    let here = mix(a, b, 0.5 + 0.5 * corner.x);
    var seen = seen_at(here);
    let aside = vec2<f32>(-along.y, along.x) * (1.1 * corner.y) / half_screen;
    seen = vec4<f32>(seen.xy + aside * seen.w, seen.z, seen.w);
    let ahead = dot(here - eye.place, eye.ahead);
    return Drawn(seen, corner.xy, through_water(EDGE_LIGHT, ahead));
}

fn edges(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(light * (1.0 - r.y * r.y), 0.0);
}
