// A fish: its nose in the direction of the velocity, its back up, its body bent by the stroke of its tail. It is lit from
// above and grows darker and bluer with distance. A distant individual fades from a fish to a mote.
fn fish_corner(it: Body, copy: vec2<f32>, corner: vec3<f32>, normal: vec3<f32>) -> ShapeVertex {
    let ahead = ahead_of_eye(it.position);
    let part = fish_part(ahead);
    if (part <= 0.0) {
        return NOT_DRAWN;
    }
    let speed = length(it.velocity);
    let nose = select(vec3<f32>(1.0, 0.0, 0.0), it.velocity / (speed + 1e-9), speed > 1e-5);
    // A fish that moves straight up or down has no side of its own: its left is then at y > 0.
    let beside = cross(nose, vec3<f32>(0.0, 0.0, 1.0));
    let left = normalize(select(vec3<f32>(0.0, 1.0, 0.0), beside, dot(beside, beside) > 1e-6));
    let back = cross(left, nose);
    // A wave that runs through the body as the fish moves on.
    let tail = 0.5 - 0.5 * corner.x;
    let bend = 0.3 * tail * tail * sin(1.6 * (it.position.x + it.position.y + it.position.z) + 2.6 * corner.x);
    let offset = corner.x * nose + (corner.y + bend) * left + corner.z * back;
    let point = it.position + (0.5 * eye.fish_length) * offset;
    let facing = normalize(normal.x * nose + normal.y * left + normal.z * back);
    let sky = 0.5 + 0.5 * facing.z;
    // A dim body, a brighter upper side and a sharp highlight on the back.
    let lit = 0.10 + 0.62 * sky * sqrt(sky) + 0.55 * pow(max(facing.z, 0.0), 6.0);
    let light = through_water(individual_colour(it) * (FISH_LIGHT * lit * part), ahead);
    return ShapeVertex(clip_of(point), corner.xz, light);
}

// The colour of the body with a dark eye. r is along the fish and up.
fn fish(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    let pupil = smoothstep(0.030, 0.042, length(r - vec2<f32>(0.68, 0.055)));
    return vec4<f32>(light * (0.04 + 0.96 * pupil), 0.0);
}
