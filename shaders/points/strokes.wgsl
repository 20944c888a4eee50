// Boids as short strokes along their flight, and the slices and wakes of falcons. The functions have the same names in
// crates/core/src/points/strokes.rs.
//
// Generated around this file: PointView and `point_view`.

#import "points/boid"
#import "points/place_in_picture"
#import "points/stroke_sums"

// One shader draws boids, another one falcons.
#ifdef IS_OF_FALCONS

#import "points/falcons"

fn point_of(index: u32) -> Point {
    return point_of_falcon(index);
}

#else

fn point_of(index: u32) -> Point {
    return point_of_boid(index);
}

#endif

struct Stroke {
    // The middle, in pixels.
    middle: vec2<f32>,
    // The vector from the middle to an end, in pixels.
    half_length: vec2<f32>,
    radius: f32,
    // The amount in its middle; 0: it is not shown.
    amount: f32,
    // The vectors from the middle to the tips of the wings, in pixels, and the part of the wings that shows.
    wings: mat2x2<f32>,
    wing_part: f32,
    // The number of a falcon, and its slice that is drawn in place of the stroke; -1: none.
    falcon: u32,
    slice: i32,
}

fn stroke_of(point: Point) -> Stroke {
    var stroke: Stroke;
    let at = place_in_picture(point.place);
    if (at.w < NEAREST) {
        return stroke;
    }
    var size = min(point_view.size * select(1.0, WAKE_SIZE * FALCON_SIZE, point.is_falcon), STROKE_PIXELS / at.scale);
#ifdef IS_OF_FALCONS
    if (point.slice >= 0) {
        size = falcon_size(at);
    }
#endif
    let own_radius = STROKE_RADIUS * size * at.scale;
    stroke.radius = max(own_radius, MIN_RADIUS);
    stroke.middle = at.middle;
    let half = select(HALF_STROKE, 0.5 * (BODY[LIMBS].x - BODY[0].x), point.slice >= 0);
    stroke.half_length = half * size * across(at, point.velocity);
    let length = length(stroke.half_length);
    // A stroke that is drawn too broad has the same total amount.
    let share = own_radius * (length + own_radius) / (stroke.radius * (length + stroke.radius));
    stroke.amount = share * near(at) * point.presence * select(point_view.each, FALCON_AMOUNT, point.is_falcon);
    stroke.falcon = point.key;
    stroke.slice = point.slice;
    stroke.wing_part = clamp((own_radius - WINGS.x) * (1.0 / (WINGS.y - WINGS.x)), 0.0, 1.0);
    stroke.wing_part *= select(1.0, 0.0, point.is_falcon);
    if (stroke.wing_part > 0.0) {
        let tips = tips(point.velocity, point.key);
        stroke.wings = mat2x2<f32>(across(at, tips[0] * size), across(at, tips[1] * size));
    }
    return stroke;
}

// The tips of the wings of a boid with this velocity, in cells from its middle. Its random number sets their height.
fn tips(velocity: vec3<f32>, key: u32) -> mat2x3<f32> {
    let level = length(velocity.xy) + 1e-6;
    let speed = length(vec2<f32>(level, velocity.z));
    let raised = f32(key & 0xffu) * (1.4 / 255.0) - 0.5;
    let up = SPAN * raised * vec3<f32>(-velocity.xy * velocity.z / (level * speed), level / speed);
    let back = -velocity * (SPAN * SWEEP / speed);
    let aside = SPAN / level * vec3<f32>(-velocity.y, velocity.x, 0.0);
    return mat2x3<f32>(back + up + aside, back + up - aside);
}

// Adds a stroke of three tones of light to the sums.
fn draw_stroke(stroke: Stroke, tone: vec3<f32>) {
    draw(stroke, tone, vec3<f32>(1.0));
}

// Adds a stroke to the sums: an amount, which has no shades, and two tones of light.
fn draw_dark_stroke(stroke: Stroke, tone: vec3<f32>) {
    draw(stroke, tone, vec3<f32>(0.0, 1.0, 1.0));
}

// With d the distance of a pixel from the middle line and r the radius, the amount is (1 - d² / r²)² of the amount in
// the middle. If a wing has more, the amount is the wing's. `shaded`: the parts of the tones that have the shades of a
// falcon.
fn draw(stroke: Stroke, tone: vec3<f32>, shaded: vec3<f32>) {
#ifdef IS_OF_FALCONS
    if (stroke.slice >= 0) {
        draw_falcon(stroke.falcon, stroke.slice, stroke.amount, tone, shaded);
        return;
    }
#endif
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
            add_to_sums(x, y, tone * (stroke.amount * part));
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
