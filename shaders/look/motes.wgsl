// A mote: a disc of light in the place of a fish that is too far away to have a shape.
fn motes_corner(it: Body, tile: vec2<f32>, corner: vec3<f32>, normal: vec3<f32>) -> Drawn {
    let middle = in_space(it.place);
    let ahead = dot(middle - eye.place, eye.ahead);
    let rest = 1.0 - shape_of(ahead);
    if (rest <= 0.0 || ahead < 0.5 * eye.least) {
        return UNSEEN;
    }
    let scale = eye.focus / ahead;
    let radius = max(0.24 * eye.length * scale, 0.8);
    // All of its light, as far as that does not dazzle.
    let light = min(eye.mote * scale * scale / (6.2831853 * radius * radius), 1.2);
    let e = max(it.boids, 1.0) * view.exposures_of_boid;
    let alone = select(min(e, 1.0), e, COLOUR == 2);
    let colour = colour_of(alone, alone * it.velocity.xy);
    var seen = seen_at(middle);
    let pixels = corner.xy * (2.6 * radius);
    seen.x += 2.0 * pixels.x / f32(view.screen.x) * seen.w;
    seen.y += 2.0 * pixels.y / f32(view.screen.y) * seen.w;
    return Drawn(seen, 2.6 * corner.xy, through_water(colour * (light * rest), ahead));
}

// exp(-r²/2), r in radii.
fn motes(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(light * exp(-0.5 * dot(r, r)), 0.0);
}
