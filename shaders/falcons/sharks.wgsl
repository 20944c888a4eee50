// A falcon among individuals, as a shark: large and slender, dark above and pale below.

#import "falcons/seen"
#import "look/depth"
#import "look/places"

const SHARK_LENGTHS: f32 = 11.0;
const SLENDER: f32 = 0.72;
const SHARK_BACK: vec3<f32> = vec3<f32>(0.10, 0.135, 0.155);
const SHARK_BELLY: vec3<f32> = vec3<f32>(0.62, 0.70, 0.72);

fn sharks_corner(falcon: Falcon, corner: vec3<f32>, normal: vec3<f32>) -> ShapeVertex {
    let middle = vec3<f32>(falcon.place) * (1.0 / 16.0) + 0.5;
    let velocity = vec3<f32>(falcon.velocity);
    let speed = length(velocity);
    let nose = select(vec3<f32>(1.0, 0.0, 0.0), velocity / (speed + 1e-9), speed > 0.5);
    let beside = cross(nose, vec3<f32>(0.0, 0.0, 1.0));
    let left = normalize(select(vec3<f32>(0.0, 1.0, 0.0), beside, dot(beside, beside) > 1e-6));
    let back = cross(left, nose);
    // Its tail beats as it spends its energy.
    let tail = 0.5 - 0.5 * corner.x;
    let bend = 0.22 * tail * tail * sin(0.04 * f32(falcon.energy) + 2.2 * corner.x);
    let offset = corner.x * nose + (SLENDER * corner.y + bend) * left + SLENDER * corner.z * back;
    let place = middle + (0.5 * SHARK_LENGTHS * eye.fish_length) * offset;
    if (ahead_of_eye(place) < 0.5 * eye.near) {
        return NOT_DRAWN;
    }
    let facing = normalize(normal.x * nose + normal.y * left + normal.z * back);
    let body = mix(SHARK_BELLY, SHARK_BACK, smoothstep(-0.55, 0.25, normal.z));
    let ray = normalize(place - eye.position);
    let turned = clamp(1.0 + dot(facing, ray), 0.0, 1.0);
    let rim = vec3<f32>(0.03, 0.11, 0.14) * turned * turned * turned * (0.3 + 0.7 * max(facing.z, 0.0));
    let light = body * (0.32 + 0.5 * max(facing.z, 0.0)) + rim;
    if (HAS_TERRAIN) {
        return ShapeVertex(clip_of(place), corner.xz, fish_in_water(light, place));
    }
    return ShapeVertex(clip_of(place), corner.xz, through_water(light, place));
}

// The colour of the body with a dark eye. r is along the shark and up.
fn sharks(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    let pupil = smoothstep(0.020, 0.030, length(r - vec2<f32>(0.74, 0.05)));
    return vec4<f32>(light * (0.04 + 0.96 * pupil), 0.0);
}
