// A dart: its corners around an individual, turned to where it goes, nose first.
fn darts_corner(it: Body, tile: vec2<f32>, corner: vec3<f32>, normal: vec3<f32>) -> Drawn {
    let cell = it.place.xy + tile * vec2<f32>(view.lattice);
    let pixel = (cell - view.corner) * view.scale;
    let along = heading(it.velocity.xy);
    let away = corner.x * view.dart.x * along + corner.y * view.dart.y * vec2<f32>(-along.y, along.x);
    let place = (pixel + away) / vec2<f32>(view.screen);
    let e = max(it.boids, 1.0) * view.exposures_of_boid;
    let alone = select(min(e, 1.0), e, COLOUR == 2);
    let light = colour_of(alone, alone * it.velocity.xy) * view.dart_light;
    return Drawn(vec4<f32>(2.0 * place.x - 1.0, 1.0 - 2.0 * place.y, 0.0, 1.0), corner.xy, light);
}

// The light of a dart at r, from its tail at x = -1 to its nose at x = 1: a drop whose half breadth at s = (1 + x)/2 is
//   h = 27/4 · s² (1 - s),   light = s · exp(-2 (y/h)²)
fn darts(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    let s = 0.5 + 0.5 * r.x;
    let breadth = 6.75 * s * s * (1.0 - s) + 1e-3;
    let across = r.y / breadth;
    return vec4<f32>(light * (s * exp(-2.0 * across * across)), 0.0);
}

// The direction of a velocity; one at rest points to the right.
fn heading(velocity: vec2<f32>) -> vec2<f32> {
    let speed = length(velocity);
    return select(vec2<f32>(1.0, 0.0), velocity / (speed + 1e-9), speed > 1e-5);
}
