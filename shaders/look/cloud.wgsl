// A deep swarm as a cloud in the light of a low sun. With s the cells from one place of a ray to the next, e the
// exposures there and l the light that arrives:
//   passes = exp(-THICKNESS · e · s),
//   picture = Σ (passed so far) · (1 - passes) · (DUSKY + ALIGHT · l) + (passed in all) · sky

#import "look/levels"
#import "look/sky"
#import "look/volume"

fn cloud(pixel: vec2<i32>) -> vec4<f32> {
    let at = vec2<f32>(pixel) + 0.5 - 0.5 * vec2<f32>(view.screen);
    let jitter = dither(vec2<u32>(pixel));
    let eye = point_view.eye;
    let aside = (at.x * point_view.right - at.y * point_view.up) / point_view.scale;
    var ray = point_view.ahead;
    var begin = eye + aside;
    if (point_view.nearness > 0.0) {
        ray = normalize(ray + aside * point_view.nearness);
        begin = eye;
    }
    // The distances at which the ray enters and leaves the box with all boids.
    let inverse = 1.0 / select(ray, vec3<f32>(1e-6), abs(ray) < vec3<f32>(1e-6));
    let ends = mat2x3<f32>((point_view.least - begin) * inverse, (point_view.most - begin) * inverse);
    let nearer = min(ends[0], ends[1]);
    let farther = max(ends[0], ends[1]);
    let from_here = max(max(nearer.x, nearer.y), max(nearer.z, 0.0));
    let to_there = min(min(farther.x, farther.y), farther.z);
    var colour = vec3<f32>(0.0);
    var passed = 1.0;
    var way = from_here + STRIDE * jitter;
    while (way < to_there && passed > DENSE) {
        let here = volume_at(begin + way * ray);
        if (here.y > 0.0) {
            let passes = exp(-THICKNESS * STRIDE * here.y);
            colour += passed * (1.0 - passes) * (DUSKY + ALIGHT * here.x);
            passed *= passes;
        }
        way += STRIDE;
    }
    let shown = min(colour + passed * sky(at), vec3<f32>(1.0));
    return vec4<f32>(for_target(floor(255.0 * shown + jitter) * (1.0 / 255.0)), 1.0);
}
