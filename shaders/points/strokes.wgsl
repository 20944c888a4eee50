// Boids as short strokes along their flight, and falcons as large ones. The functions have the same names in crates/core/src/points/strokes.rs.
//
// Generated around this file: PointView and `point_view`, `falcons`, and the `sums`, three for each pixel of the screen.

#import "falcon/seen"
#import "points/boid"

// The points of boids come first.
fn point_of(index: u32) -> Point {
    if (index >= point_view.boids) {
        let number = index - point_view.boids;
        return point_of_falcon(falcons[number / u32(WAKE + 1)], number % u32(WAKE + 1));
    }
    return point_of_boid(index);
}

// A falcon as a point with the velocity of a cell a step, whose wings beat, or a point of its wake: the straight way of its last steps.
// The place of a falcon is that of the middle of a cell where it is a whole number of cells.
fn point_of_falcon(falcon: Falcon, index: u32) -> Point {
    let velocity = vec3<f32>(falcon.velocity);
    let beat = abs(falcon.energy * WING_BEAT % 512 - 256);
    let steps = point_view.behind + WAKE_STEP * f32(index);
    let place = vec3<f32>(falcon.place) * (1.0 / 16.0) + 0.5 - steps * velocity * (1.0 / 1024.0);
    let left = 1.0 - f32(index) / f32(WAKE + 1);
    let of_wake = select(WAKE_PRESENCE * left * left, 0.0, all(falcon.velocity == vec3<i32>(0)));
    let presence = select(of_wake, 1.0, index == 0u);
    return Point(place, velocity / max(length(velocity), 1.0), presence, u32(min(beat, 255)), true);
}

struct Stroke {
    // In pixels.
    middle: vec2<f32>,
    // From the middle to an end, in pixels.
    half_length: vec2<f32>,
    radius: f32,
    // How much of it there is in its middle; 0: it is not shown.
    amount: f32,
    // From the middle to the tips of the wings, in pixels, and how much of them there is.
    wings: mat2x2<f32>,
    wing_part: f32,
}

fn stroke_of(point: Point) -> Stroke {
    var stroke: Stroke;
    let away = point.place - point_view.place;
    let w = 1.0 + point_view.nearness * dot(point_view.ahead, away);
    if (w < NEAREST) {
        return stroke;
    }
    let scale = point_view.scale / w;
    let is_wake = point.is_falcon && point.presence < WHOLE;
    let larger = select(1.0, FALCON_SIZE, point.is_falcon) * select(1.0, WAKE_SIZE, is_wake);
    let size = min(point_view.size * larger, STROKE_PIXELS / scale);
    let own_radius = STROKE_RADIUS * size * scale;
    stroke.radius = max(own_radius, LEAST_RADIUS);
    let from_middle = scale * vec2<f32>(dot(point_view.right, away), -dot(point_view.up, away));
    stroke.middle = 0.5 * vec2<f32>(view.screen) + from_middle;
    // What points towards the eye leads away from the middle of the picture.
    let turn = from_middle * (point_view.nearness / w);
    stroke.half_length = HALF_STROKE * size * across_picture(point.velocity, scale, turn);
    let length = length(stroke.half_length);
    let near = clamp((w - CLOSE.x) * (1.0 / (CLOSE.y - CLOSE.x)), 0.0, 1.0);
    // A stroke that is drawn broader than it is has the same amount in all.
    let share = own_radius * (length + own_radius) / (stroke.radius * (length + stroke.radius));
    stroke.amount = share * near * point.presence * select(point_view.each, FALCON_AMOUNT, point.is_falcon);
    stroke.wing_part = clamp((own_radius - WINGS.x) * (1.0 / (WINGS.y - WINGS.x)), 0.0, 1.0);
    stroke.wing_part *= select(1.0, 0.0, is_wake);
    if (stroke.wing_part > 0.0) {
        let tips = tips(point.velocity, point.key);
        let span = size * select(1.0, FALCON_WINGS, point.is_falcon);
        let left = across_picture(tips[0] * span, scale, turn);
        let right = across_picture(tips[1] * span, scale, turn);
        stroke.wings = mat2x2<f32>(left, right);
    }
    return stroke;
}

// A direction in cells as it appears in the picture, in pixels.
fn across_picture(direction: vec3<f32>, scale: f32, turn: vec2<f32>) -> vec2<f32> {
    let flat = vec2<f32>(dot(point_view.right, direction), -dot(point_view.up, direction));
    return flat * scale - turn * dot(point_view.ahead, direction);
}

// The tips of the wings of a boid with this velocity, in cells from its middle. Its random number says how far they are up.
fn tips(velocity: vec3<f32>, key: u32) -> mat2x3<f32> {
    let level = length(velocity.xy) + 1e-6;
    let speed = length(vec2<f32>(level, velocity.z));
    let raised = f32(key & 0xffu) * (1.4 / 255.0) - 0.5;
    let up = SPAN * raised * vec3<f32>(-velocity.xy * velocity.z / (level * speed), level / speed);
    let back = -velocity * (SPAN * SWEEP / speed);
    let aside = SPAN / level * vec3<f32>(-velocity.y, velocity.x, 0.0);
    return mat2x3<f32>(back + up + aside, back + up - aside);
}

// Adds a stroke of three tones to the sums. With d the distance of a pixel from the middle line and r the radius, the amount is
// (1 - d² / r²)² of that in the middle; where a wing has more, it is that of the wing.
fn draw_stroke(stroke: Stroke, tone: vec3<f32>) {
    let reach = max(abs(stroke.half_length), max(abs(stroke.wings[0]), abs(stroke.wings[1]))) + stroke.radius;
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
            var part = inside * inside;
            if (stroke.wing_part > 0.0) {
                let left = in_wing(from_middle, stroke.wings[0], stroke.radius);
                let right = in_wing(from_middle, stroke.wings[1], stroke.radius);
                part = max(part, stroke.wing_part * max(left, right));
            }
            let sum = vec3<u32>(tone * (stroke.amount * part) + 0.5);
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

// The part of the amount that a wing has at a place (pixels from the middle).
fn in_wing(from_middle: vec2<f32>, wing: vec2<f32>, radius: f32) -> f32 {
    let along = clamp(dot(from_middle, wing) / (dot(wing, wing) + 1e-6), 0.0, 1.0);
    let apart = from_middle - along * wing;
    let breadth = radius * (WING_BREADTH.x - WING_BREADTH.y * along);
    let inside = max(1.0 - dot(apart, apart) / (breadth * breadth), 0.0);
    return inside * inside;
}
