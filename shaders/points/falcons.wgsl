// Falcons as birds with a body, a tail and wings. The names are those of crates/core/src/points/falcons.rs.
//
// Generated around this file: PointView and `point_view`, `falcons` and `flight_limits`.

#import "falcons/seen"
#import "points/boid"
#import "points/place_in_picture"
#import "points/stroke_sums"

// The place of a falcon `steps` steps ago, in cells. The middle of a cell is a whole number of cells for a falcon.
fn place_of(falcon: Falcon, steps: f32) -> vec3<f32> {
    return vec3<f32>(falcon.place) * (1.0 / 16.0) + 0.5 - steps * vec3<f32>(falcon.velocity) * (1.0 / 1024.0);
}

// A slice of a falcon as a point with a speed of one cell a step, or a point of its wake: the straight way of its last
// steps.
fn point_of_falcon(index: u32) -> Point {
    let all = u32(SLICES + WAKE);
    let falcon = falcons[index / all];
    let slice = i32(index % all);
    let speed = length(vec3<f32>(falcon.velocity));
    let ahead = frame_of(vec3<f32>(falcon.velocity))[0];
    if (slice < SLICES) {
        return Point(place_of(falcon, point_view.behind), ahead, 1.0, index / all, true, slice);
    }
    let number = f32(slice - SLICES + 1);
    let steps = WAKE_STEP * number;
    let left = 1.0 - number / f32(WAKE + 1);
    let way = steps * (1.0 / 1024.0) * speed / (point_view.size * FALCON_SIZE);
    let begun = smoothstep(WAKE_BEGINS.x, WAKE_BEGINS.y, way);
    let presence = select(WAKE_PRESENCE * left * left * begun, 0.0, speed == 0.0);
    return Point(place_of(falcon, point_view.behind + steps), ahead, presence, 0u, true, -1);
}

// The part of the light that is left for a falcon of this radius (pixels), or for its wake.
fn glare(radius: f32) -> f32 {
    let part = (radius - GLARE_FADES.x) * (1.0 / (GLARE_FADES.y - GLARE_FADES.x));
    return 1.0 + (FALCON_GLARE - 1.0) * clamp(part, 0.0, 1.0);
}

struct Pose {
    // 0: open, 1: folded along the body.
    fold: f32,
    // The spread of the wings and the tail, 0 to 1.
    spread: f32,
    // The strength of the beat, 0 to 1.
    beat: f32,
    // The time of the beat, in beats.
    time: f32,
}

// The pose of a falcon with these limits: its usual speed, its peak, and the steps of rest.
fn pose_of(falcon: Falcon, limits: vec4<f32>) -> Pose {
    // Without a peak, only the phase tells whether it is fast.
    var fast = select(0.0, 1.0, falcon.phase == STOOPS);
    if (limits.y > limits.x) {
        fast = (length(vec3<f32>(falcon.velocity)) - limits.x) / (limits.y - limits.x);
    }
    let fold = smoothstep(FOLDS.x, FOLDS.y, fast);
    // A rested falcon that sees nothing glides.
    let is_rested = falcon.phase == WAITS && f32(falcon.energy) >= limits.z && limits.z > 0.0;
    let glides = falcon.phase == CLIMBS || falcon.phase == YIELDS || is_rested;
    let time = (f32(falcon.energy) - point_view.behind) * WING_BEAT;
    return Pose(fold, select(0.0, 1.0 - fold, glides), select(1.0 - fold, 0.0, glides), time);
}

// The height of a wing, -1 to 1, at a time of its beat: a triangle wave x, rounded to x (3 - x²) / 2.
fn beat_at(time: f32) -> f32 {
    let x = 2.0 * abs(2.0 * fract(time) - 1.0) - 1.0;
    return x * (1.5 - 0.5 * x * x);
}

// The cosine and the sine of an angle with this tangent.
fn turned(tangent: f32) -> vec2<f32> {
    let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    return vec2<f32>(cosine, tangent * cosine);
}

// The corners of the left wing in the bird's frame, in the order of SPREAD_WING.
fn wing_of(pose: Pose) -> array<vec3<f32>, 7> {
    let fold = min(pose.fold + UPSTROKE * pose.beat * max(beat_at(pose.time + 0.25), 0.0), 1.0);
    let arm = turned(pose.beat * (RISE.x + RISE.y * beat_at(pose.time)) + pose.spread * RISE.z);
    let late = beat_at(pose.time - HAND_LAG);
    let hand = turned(pose.beat * (HAND_RISE.x + HAND_RISE.y * late) + pose.spread * HAND_RISE.z);
    var spread_wing = SPREAD_WING;
    var beating_wing = BEATING_WING;
    var folded_wing = FOLDED_WING;
    var wing: array<vec3<f32>, 7>;
    var shoulder = 0.0;
    var wrist = vec3<f32>(0.0);
    for (var corner = 0u; corner < 7u; corner++) {
        let open = mix(beating_wing[corner], spread_wing[corner], pose.spread);
        let at = mix(open, folded_wing[corner], fold);
        if (corner == 0u) {
            shoulder = at.y;
        }
        let along_arm = vec3<f32>(at.x, shoulder + (at.y - shoulder) * arm.x, (at.y - shoulder) * arm.y);
        if (corner == 2u) {
            wrist = vec3<f32>(at.y, along_arm.yz);
        }
        let along_hand = vec3<f32>(at.x, wrist.y + (at.y - wrist.x) * hand.x, wrist.z + (at.y - wrist.x) * hand.y);
        wing[corner] = select(along_arm, along_hand, corner >= 4u);
    }
    return wing;
}

// A triangle of feathers, in pixels from the middle of its falcon.
struct Panel {
    a: vec2<f32>,
    b: vec2<f32>,
    c: vec2<f32>,
    shade: f32,
}

// A falcon in pixels.
struct FalconShape {
    middle: vec2<f32>,
    radius: f32,
    // The extent along each axis of the picture, in pixels from the middle.
    reach: vec2<f32>,
    // The part of wings and tail that shows, 0 to 1.
    wing_part: f32,
    // Half of the thickness of feathers, and the breadth of an edge, in pixels.
    feather: f32,
    edge: f32,
    // Tail and wings, the farther wing first.
    panels: array<Panel, PANELS>,
    // The rings of the body, each with its radius.
    rings: array<vec3<f32>, LIMBS + 1>,
    // Whether the head is farther from the eye than the tail.
    flies_away: bool,
    // The direction to the sun and the falcon's upward direction: components to the right, down and towards the eye.
    sun: vec3<f32>,
    up: vec3<f32>,
}

// The size in which a falcon is drawn at a place, as a multiple of the usual size of a bird.
fn falcon_size(at: PlaceInPicture) -> f32 {
    return min(point_view.size * FALCON_SIZE, FALCON_PIXELS / at.scale);
}

// The directions ahead, to the left and up of a bird with this velocity.
fn frame_of(velocity: vec3<f32>) -> mat3x3<f32> {
    let speed = length(velocity);
    let ahead = select(vec3<f32>(1.0, 0.0, 0.0), velocity / max(speed, 1.0), speed > 0.0);
    let level = length(ahead.xy);
    // If the bird flies straight up or down, its side is fixed.
    let beside = vec3<f32>(-ahead.y, ahead.x, 0.0) / max(level, 1e-4);
    let left = select(vec3<f32>(0.0, 1.0, 0.0), beside, level > 1e-4);
    return mat3x3<f32>(ahead, left, cross(ahead, left));
}

fn in_picture(direction: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        dot(point_view.right, direction),
        -dot(point_view.up, direction),
        -dot(point_view.ahead, direction),
    );
}

// The brightness of feathers that look up (1), aside (0) or down (-1).
fn plumage(up: f32) -> f32 {
    return PLUMAGE.y + (PLUMAGE.x - PLUMAGE.y) * (0.5 + 0.5 * up);
}

// A triangle of feathers in a frame of this size, seen from a direction.
fn panel(at: PlaceInPicture, frame: mat3x3<f32>, seen_from: vec3<f32>, up: vec3<f32>, corners: mat3x3<f32>) -> Panel {
    let a = frame * corners[0];
    let b = frame * corners[1];
    let c = frame * corners[2];
    let across_both = cross(b - a, c - a);
    let normal = across_both / (length(across_both) + 1e-12);
    // 1: the side of the normal is visible; -1: the other side. The change is gradual, so that nothing jumps.
    let side = clamp(SIDES * dot(normal, seen_from), -1.0, 1.0);
    let lit = max(side * dot(normal, point_view.sun), 0.0);
    let shade = plumage(side * dot(normal, up)) * (FALCON_SHADE.x + FALCON_SHADE.y * lit);
    return Panel(across(at, a), across(at, b), across(at, c), shade);
}

fn shape_of(falcon: Falcon, limits: vec4<f32>) -> FalconShape {
    let at = place_in_picture(place_of(falcon, point_view.behind));
    let size = falcon_size(at);
    let own_radius = STROKE_RADIUS * size * at.scale;
    let radius = max(own_radius, MIN_RADIUS);
    let frame = frame_of(vec3<f32>(falcon.velocity));
    let sized = mat3x3<f32>(frame[0] * size, frame[1] * size, frame[2] * size);
    let seen_from = towards_eye(at);
    let pose = pose_of(falcon, limits);
    var shape: FalconShape;
    let tail = mix(mix(USUAL_TAIL, FANNED_TAIL, pose.spread), CLOSED_TAIL, pose.fold);
    let root = vec3<f32>(TAIL[0], 0.0);
    let corner = vec3<f32>(tail, 0.0);
    let end = vec3<f32>(TAIL[1], 0.0);
    let mirrored = vec3<f32>(1.0, -1.0, 1.0);
    let up = frame[2];
    shape.panels[0] = panel(at, sized, seen_from, up, mat3x3<f32>(root, corner, end));
    shape.panels[1] = panel(at, sized, seen_from, up, mat3x3<f32>(root, end, mirrored * root));
    shape.panels[2] = panel(at, sized, seen_from, up, mat3x3<f32>(mirrored * root, end, mirrored * corner));
    var wing = wing_of(pose);
    var corners = WING_PANELS;
    let first = select(1.0, -1.0, dot(frame[1], seen_from) > 0.0);
    for (var number = 0u; number < 10u; number++) {
        let side = vec3<f32>(1.0, select(first, -first, number >= 5u), 1.0);
        let of_wing = corners[number % 5u];
        let triangle = mat3x3<f32>(side * wing[of_wing.x], side * wing[of_wing.y], side * wing[of_wing.z]);
        shape.panels[3u + number] = panel(at, sized, seen_from, up, triangle);
    }
    var widest = vec2<f32>(0.0);
    for (var number = 0u; number < PANELS; number++) {
        let each = shape.panels[number];
        widest = max(widest, max(abs(each.a), max(abs(each.b), abs(each.c))));
    }
    var body = BODY;
    for (var ring = 0u; ring <= LIMBS; ring++) {
        let middle = across(at, sized[0] * body[ring].x);
        shape.rings[ring] = vec3<f32>(middle, body[ring].y * radius * (1.0 / STROKE_RADIUS));
        widest = max(widest, abs(middle));
    }
    shape.middle = at.middle;
    shape.radius = radius;
    shape.feather = max(FEATHER.x * size * at.scale, FEATHER.y);
    shape.edge = 1.0 + 0.08 * radius;
    shape.reach = widest + shape.edge + max(shape.feather, 1.1 * radius);
    shape.wing_part = clamp((own_radius - FALCON_WINGS.x) * (1.0 / (FALCON_WINGS.y - FALCON_WINGS.x)), 0.0, 1.0);
    shape.flies_away = dot(frame[0], seen_from) < 0.0;
    shape.sun = in_picture(point_view.sun);
    shape.up = in_picture(up);
    return shape;
}

// The part of a pixel within an outline at this distance, which is negative inside.
fn covered(distance: f32, edge: f32) -> f32 {
    return clamp(0.5 - distance / edge, 0.0, 1.0);
}

// The squared distance of a pixel from a side of a triangle, and a number whose sign tells the side on which the pixel
// lies.
fn beside(pixel: vec2<f32>, from_corner: vec2<f32>, to_corner: vec2<f32>) -> vec2<f32> {
    let way = to_corner - from_corner;
    let away = pixel - from_corner;
    let apart = away - clamp(dot(away, way) / (dot(way, way) + 1e-6), 0.0, 1.0) * way;
    return vec2<f32>(dot(apart, apart), way.x * away.y - way.y * away.x);
}

// The distance of a pixel from a triangle, negative inside.
fn distance_from(it: Panel, pixel: vec2<f32>) -> f32 {
    let turn = select(1.0, -1.0, (it.b.x - it.a.x) * (it.c.y - it.a.y) - (it.b.y - it.a.y) * (it.c.x - it.a.x) < 0.0);
    let first = beside(pixel, it.a, it.b);
    let second = beside(pixel, it.b, it.c);
    let third = beside(pixel, it.c, it.a);
    let nearest = sqrt(min(first.x, min(second.x, third.x)));
    let inside = min(turn * first.y, min(turn * second.y, turn * third.y));
    return select(nearest, -nearest, inside > 0.0);
}

// Covers a sum of an amount and its shade with a part and its shade.
fn cover(sum: vec2<f32>, part: f32, shade: f32) -> vec2<f32> {
    if (part <= 0.0) {
        return sum;
    }
    let most = max(part, sum.x);
    return vec2<f32>(most, sum.y + (shade - sum.y) * (part / most));
}

// Draws a slice of a falcon: adds an amount of three tones to the sums of every SLICES-th row. `shaded`: the parts of
// the tones that have the shades of the falcon.
fn draw_falcon(number: u32, slice: i32, amount: f32, tone: vec3<f32>, shaded: vec3<f32>) {
    var limits = vec4<f32>(0.0);
    if (number < arrayLength(&flight_limits)) {
        limits = flight_limits[number];
    }
    var shape = shape_of(falcons[number], limits);
    let screen = vec2<f32>(view.screen);
    let low = vec2<i32>(clamp(shape.middle - shape.reach + 0.5, vec2<f32>(0.0), screen));
    let high = vec2<i32>(clamp(shape.middle + shape.reach + 0.5, vec2<f32>(0.0), screen));
    for (var y = low.y + slice; y < high.y; y += SLICES) {
        for (var x = low.x; x < high.x; x++) {
            let pixel = vec2<f32>(vec2<i32>(x, y)) + 0.5 - shape.middle;
            // The amount, and its shade.
            var sum = vec2<f32>(0.0, 1.0);
            for (var index = 0u; index < PANELS; index++) {
                let part = covered(distance_from(shape.panels[index], pixel) - shape.feather, shape.edge);
                sum = cover(sum, shape.wing_part * part, shape.panels[index].shade);
            }
            let trunk = in_limbs(&shape, 0u, LIMBS - HEAD, pixel);
            let head = in_limbs(&shape, LIMBS - HEAD, LIMBS, pixel) * vec2<f32>(1.0, PLUMAGE.z);
            if (shape.flies_away) {
                sum = cover(cover(sum, head.x, head.y), trunk.x, trunk.y);
            } else {
                sum = cover(cover(sum, trunk.x, trunk.y), head.x, head.y);
            }
            add_to_sums(x, y, tone * mix(vec3<f32>(1.0), vec3<f32>(sum.y), shaded) * (amount * sum.x));
        }
    }
}

// The amount of a row of limbs at a pixel, and its shade there. A limb has more weight if the pixel lies deeper in it.
fn in_limbs(shape: ptr<function, FalconShape>, first: u32, end: u32, pixel: vec2<f32>) -> vec2<f32> {
    var nearest = 1e30;
    var sum = vec2<f32>(0.0);
    var weight = 1e-30;
    for (var limb = first; limb < end; limb++) {
        let ring = (*shape).rings[limb];
        let next = (*shape).rings[limb + 1u];
        let way = next.xy - ring.xy;
        let away = pixel - ring.xy;
        let along = clamp(dot(away, way) / (dot(way, way) + 1e-6), 0.0, 1.0);
        let apart = away - along * way;
        let radius = ring.z + (next.z - ring.z) * along;
        let depth = length(apart) - radius;
        nearest = min(nearest, depth);
        let counts = exp(-BLEND * depth / (*shape).radius);
        sum += counts / radius * apart;
        weight += counts;
    }
    let normal = sum / weight;
    let facing = vec3<f32>(normal, sqrt(max(1.0 - dot(normal, normal), 0.0)));
    let lit = FALCON_SHADE.x + FALCON_SHADE.y * max(dot(facing, (*shape).sun), 0.0);
    return vec2<f32>(covered(nearest, (*shape).edge), plumage(dot(facing, (*shape).up)) * lit);
}
