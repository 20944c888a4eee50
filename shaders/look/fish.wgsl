// A fish: its nose in the direction of the velocity, its back up, its body bent by the stroke of its tail. It is lit
// from above and grows darker and bluer with distance. A distant individual fades from a fish to a mote.

#import "look/body"
#import "look/depth"
#import "look/places"

fn fish_corner(it: Body, copy: vec2<f32>, corner: vec3<f32>, normal: vec3<f32>) -> ShapeVertex {
    let ahead = ahead_of_eye(it.position);
    let part = fish_part(ahead);
    if (part <= 0.0) {
        return NOT_DRAWN;
    }
    let speed = length(it.velocity);
    let nose = select(vec3<f32>(1.0, 0.0, 0.0), it.velocity / (speed + 1e-9), speed > 1e-5);
    // A fish that moves straight up or down has a fixed side: its left is at y > 0.
    let beside = cross(nose, vec3<f32>(0.0, 0.0, 1.0));
    let left = normalize(select(vec3<f32>(0.0, 1.0, 0.0), beside, dot(beside, beside) > 1e-6));
    let back = cross(left, nose);
    // A wave that runs through the body as the fish moves on.
    let tail = 0.5 - 0.5 * corner.x;
    let bend = 0.3 * tail * tail * sin(1.6 * (it.position.x + it.position.y + it.position.z) + 2.6 * corner.x);
    let offset = corner.x * nose + (corner.y + bend) * left + corner.z * back;
    let place = it.position + (0.5 * eye.fish_length) * offset;
    let facing = normalize(normal.x * nose + normal.y * left + normal.z * back);
    if (HAS_TERRAIN) {
        return ShapeVertex(clip_of(place), corner.xz, reef_fish(it, place, facing, normal.z));
    }
    let sky = 0.5 + 0.5 * facing.z;
    // A dim body, a brighter upper side and a sharp highlight on the back.
    let lit = 0.10 + 0.62 * sky * sqrt(sky) + 0.55 * pow(max(facing.z, 0.0), 6.0);
    let light = through_water(individual_colour(it) * (FISH_LIGHT * lit * part), it.position);
    return ShapeVertex(clip_of(place), corner.xz, light);
}

const BACK: vec3<f32> = vec3<f32>(0.045, 0.035, 0.04);
const BELLY: vec3<f32> = vec3<f32>(0.66, 0.36, 0.22);

// A fish of a reef: a dark back, a warm flank in a shade of its own colour, and a pale belly. `back` is 1 on its back.
fn reef_fish(it: Body, place: vec3<f32>, facing: vec3<f32>, back: f32) -> vec3<f32> {
    let body = mix(mix(reef_flank(it), BACK, smoothstep(0.15, 0.75, back)), BELLY, smoothstep(0.35, 0.95, -back));
    let ray = normalize(place - eye.position);
    let turned = clamp(1.0 + dot(facing, ray), 0.0, 1.0);
    let light = body * (0.38 + 0.3 * max(facing.z, 0.0)) + vec3<f32>(0.02, 0.06, 0.08) * turned * turned * turned;
    return mix(water_towards(ray), fish_in_water(light, place), it.presence);
}

// The colour of the body with a dark eye. r is along the fish and up.
fn fish(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    let pupil = smoothstep(0.030, 0.042, length(r - vec2<f32>(0.68, 0.055)));
    return vec4<f32>(light * (0.04 + 0.96 * pupil), 0.0);
}
