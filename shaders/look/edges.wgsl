// An edge of the world's box as a thin line. The corner's x goes along the line, and its y across the line. Edges 4 a
// to 4 a + 3 are parallel to axis a.

#import "look/depth"
#import "look/places"

fn edges_corner(number: u32, corner: vec3<f32>) -> ShapeVertex {
    let axis = number >> 2u;
    let face = vec2<f32>(f32(number & 1u), f32((number >> 1u) & 1u));
    var first = vec3<f32>(0.0, face);
    var last = vec3<f32>(1.0, face);
    if (axis == 1u) {
        first = vec3<f32>(face.y, 0.0, face.x);
        last = vec3<f32>(face.y, 1.0, face.x);
    } else if (axis == 2u) {
        first = vec3<f32>(face, 0.0);
        last = vec3<f32>(face, 1.0);
    }
    var a = first * eye.extents;
    var b = last * eye.extents;
    // The part behind the near plane is cut off.
    let near = 0.5 * eye.near;
    let depths = vec2<f32>(ahead_of_eye(a), ahead_of_eye(b));
    if (max(depths.x, depths.y) <= near) {
        return NOT_DRAWN;
    }
    if (depths.x < near) {
        a = mix(a, b, (near - depths.x) / (depths.y - depths.x));
    } else if (depths.y < near) {
        b = mix(b, a, (near - depths.y) / (depths.x - depths.y));
    }
    let half_screen = 0.5 * vec2<f32>(view.screen);
    let clip_a = clip_of(a);
    let clip_b = clip_of(b);
    let line = (clip_b.xy / clip_b.w - clip_a.xy / clip_a.w) * half_screen;
    let along = line / (length(line) + 1e-6);
    let place = mix(a, b, 0.5 + 0.5 * corner.x);
    var clip = clip_of(place);
    let across = vec2<f32>(-along.y, along.x) * (1.1 * corner.y) / half_screen;
    clip = vec4<f32>(clip.xy + across * clip.w, clip.z, clip.w);
    return ShapeVertex(clip, corner.xy, through_water(select(1.0, 0.4, HAS_TERRAIN) * EDGE_LIGHT, place));
}

// 1 - y², y from -1 to 1 across the line.
fn edges(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(light * (1.0 - r.y * r.y), 0.0);
}
