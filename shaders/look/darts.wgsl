// A dart: a drop of light at an individual, with its nose in the direction of the velocity. `copy` counts the periods
// of a torus.

#import "look/body"
#import "look/places"

fn darts_corner(it: Body, copy: vec2<f32>, corner: vec3<f32>, normal: vec3<f32>) -> ShapeVertex {
    let cell = it.position.xy + copy * vec2<f32>(view.lattice);
    let middle = (cell - view.corner) * view.pixels_per_cell;
    let along = heading(it.velocity.xy);
    let across = vec2<f32>(-along.y, along.x);
    let pixel = middle + corner.x * view.dart_half_size.x * along + corner.y * view.dart_half_size.y * across;
    let light = individual_colour(it) * view.dart_light;
    return ShapeVertex(clip_of_pixel(pixel), corner.xy, light);
}

// The light of a dart at r, from its tail at x = -1 to its nose at x = 1. Its half breadth at s = (1 + x)/2 is
//   h = 27/4 · s² (1 - s),   light = s · exp(-2 (y/h)²) · (1 - y⁴)
fn darts(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    let s = 0.5 + 0.5 * r.x;
    let breadth = 6.75 * s * s * (1.0 - s) + 1e-3;
    let across = r.y / breadth;
    let square = r.y * r.y;
    return vec4<f32>(light * (s * exp(-2.0 * across * across) * (1.0 - square * square)), 0.0);
}

// The direction of a velocity; to the right if it is 0.
fn heading(velocity: vec2<f32>) -> vec2<f32> {
    let speed = length(velocity);
    return select(vec2<f32>(1.0, 0.0), velocity / (speed + 1e-9), speed > 1e-5);
}
