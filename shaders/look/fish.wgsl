// A fish: nose along its velocity, back up, its tail bent as it swims; lit from above, and the darker and bluer the farther
// away it is. One that is too small to have a shape is none.
fn fish_corner(it: Body, tile: vec2<f32>, corner: vec3<f32>, normal: vec3<f32>) -> Drawn {
    let middle = in_space(it.place);
    let ahead = dot(middle - eye.place, eye.ahead);
    let shape = shape_of(ahead);
    if (shape <= 0.0) {
        return UNSEEN;
    }
    let speed = length(it.velocity);
    let nose = select(vec3<f32>(1.0, 0.0, 0.0), in_space(it.velocity) / (speed + 1e-9), speed > 1e-5);
    // Straight up it has no side; any will do.
    let beside = cross(vec3<f32>(0.0, 0.0, 1.0), nose);
    let left = normalize(select(vec3<f32>(0.0, 1.0, 0.0), beside, dot(beside, beside) > 1e-6));
    let back = cross(nose, left);
    // A wave that goes through its length as it moves on.
    let tail = 0.5 - 0.5 * corner.x;
    let bend = 0.3 * tail * tail * sin(1.6 * (it.place.x + it.place.y + it.place.z) + 2.6 * corner.x);
    let away = corner.x * nose + (corner.y + bend) * left + corner.z * back;
    let place = middle + (0.5 * eye.length) * away;
    let facing = normalize(normal.x * nose + normal.y * left + normal.z * back);
    let sky = 0.5 + 0.5 * facing.z;
    // The back shines, the flanks have their colour, and the belly is in the dark.
    let lit = 0.10 + 0.62 * sky * sqrt(sky) + 0.55 * pow(max(facing.z, 0.0), 6.0);
    let e = max(it.boids, 1.0) * view.exposures_of_boid;
    let alone = select(min(e, 1.0), e, COLOUR == 2);
    let colour = colour_of(alone, alone * it.velocity.xy);
    let light = through_water(colour * (FISH_LIGHT * lit * shape), ahead);
    return Drawn(seen_at(place), corner.xz, light);
}

// r is along the fish and up. It has an eye, for those who come near.
fn fish(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    let pupil = smoothstep(0.030, 0.042, length(r - vec2<f32>(0.68, 0.055)));
    return vec4<f32>(light * (0.04 + 0.96 * pupil), 0.0);
}
