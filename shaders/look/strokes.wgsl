// Boids as short strokes along their flight. The functions have the same names in crates/core/src/picture/strokes.rs.
//
// Generated around this file: PointView and `point_view`, StoredPoint and the list `points`, the `volume` of light and density in
// texels of VOLUME_TEXEL cells, and the `sums`, three for each pixel of the screen.

struct Point {
    // In cells.
    place: vec3<f32>,
    // In cells a step.
    velocity: vec3<f32>,
    // 0 to 1.
    presence: f32,
}

fn point_of(index: u32) -> Point {
    let stored = points[index];
    let velocity = vec3<i32>(
        bitcast<i32>(stored.velocity_xy << 16u) >> 16u,
        bitcast<i32>(stored.velocity_xy) >> 16u,
        bitcast<i32>(stored.velocity_z_presence << 16u) >> 16u,
    );
    let place = vec3<f32>(vec3<i32>(stored.x, stored.y, stored.z)) * (1.0 / 65536.0);
    let presence = f32(stored.velocity_z_presence >> 16u) * (1.0 / 65535.0);
    return Point(place, vec3<f32>(velocity) * (1.0 / ONE), presence);
}

// Light (0 to 1) and density (exposures) at a place, interpolated between the middles of texels.
fn volume_at(place: vec3<f32>) -> vec2<f32> {
    let last = point_view.volume_size - 1;
    let at = clamp(place * (1.0 / VOLUME_TEXEL) - 0.5, vec3<f32>(0.0), vec3<f32>(last));
    let low = vec3<i32>(at);
    let high = min(low + 1, last);
    let part = at - vec3<f32>(low);
    let near = mix(volume_row(low.x, high.x, low.y, low.z, part.x), volume_row(low.x, high.x, high.y, low.z, part.x), part.y);
    let far = mix(volume_row(low.x, high.x, low.y, high.z, part.x), volume_row(low.x, high.x, high.y, high.z, part.x), part.y);
    return mix(near, far, part.z);
}

fn volume_row(from_x: i32, to_x: i32, y: i32, z: i32, part: f32) -> vec2<f32> {
    let row = (z * point_view.volume_size.y + y) * point_view.volume_size.x;
    return mix(volume[row + from_x], volume[row + to_x], part);
}

struct Stroke {
    // In pixels.
    middle: vec2<f32>,
    // From the middle to an end, in pixels.
    half_length: vec2<f32>,
    radius: f32,
    // How much of it there is in its middle; 0: it is not shown.
    amount: f32,
}

fn stroke_of(point: Point) -> Stroke {
    let away = point.place - point_view.place;
    let w = 1.0 + point_view.nearness * dot(point_view.ahead, away);
    if (w < NEAREST) {
        return Stroke(vec2<f32>(0.0), vec2<f32>(0.0), 0.0, 0.0);
    }
    let scale = point_view.scale / w;
    let from_middle = scale * vec2<f32>(dot(point_view.right, away), -dot(point_view.up, away));
    // What flies towards the eye moves away from the middle of the picture.
    let turn = from_middle * (point_view.nearness / w) * dot(point_view.ahead, point.velocity);
    let flight = vec2<f32>(dot(point_view.right, point.velocity), -dot(point_view.up, point.velocity));
    let half_length = HALF_STROKE * point_view.size * (flight * scale - turn);
    let length = length(half_length);
    let own_radius = STROKE_RADIUS * point_view.size * scale;
    let radius = max(own_radius, LEAST_RADIUS);
    let near = clamp((w - CLOSE.x) * (1.0 / (CLOSE.y - CLOSE.x)), 0.0, 1.0);
    // A stroke that is drawn broader than it is has the same amount in all.
    let share = own_radius * (length + own_radius) / (radius * (length + radius));
    let amount = share * near * point_view.each * point.presence;
    return Stroke(0.5 * vec2<f32>(view.screen) + from_middle, half_length, radius, amount);
}

// Adds a stroke of three tones to the sums. With d the distance of a pixel from the middle line and r the radius, the amount is
// (1 - d² / r²)² of that in the middle.
fn draw_stroke(stroke: Stroke, tone: vec3<f32>) {
    let reach = abs(stroke.half_length) + stroke.radius;
    let screen = vec2<f32>(view.screen);
    let low = vec2<i32>(clamp(stroke.middle - reach + 0.5, vec2<f32>(0.0), screen));
    let high = vec2<i32>(clamp(stroke.middle + reach + 0.5, vec2<f32>(0.0), screen));
    let per_half = 1.0 / (dot(stroke.half_length, stroke.half_length) + 1e-6);
    let per_radius = 1.0 / (stroke.radius * stroke.radius);
    for (var y = low.y; y < high.y; y++) {
        for (var x = low.x; x < high.x; x++) {
            let from_middle = vec2<f32>(vec2<i32>(x, y)) + 0.5 - stroke.middle;
            let along = clamp(dot(from_middle, stroke.half_length) * per_half, -1.0, 1.0);
            let apart = from_middle - along * stroke.half_length;
            let inside = max(1.0 - dot(apart, apart) * per_radius, 0.0);
            let sum = vec3<u32>(tone * (stroke.amount * inside * inside) + 0.5);
            let index = u32(y * view.screen.x + x) * 3u;
            if (sum.x > 0u) {
                atomicAdd(&sums[index], sum.x);
            }
            if (sum.y > 0u) {
                atomicAdd(&sums[index + 1u], sum.y);
            }
            if (sum.z > 0u) {
                atomicAdd(&sums[index + 2u], sum.z);
            }
        }
    }
}
