// A single boid: a disc of light that falls off as exp(-r²/2), r in radii of the point.

#import "points/quad"

fn points(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(light * exp(-0.5 * dot(r, r)), 0.0);
}
