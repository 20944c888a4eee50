// A corner of a triangle of rock, from its stored words.
//
// Generated around this file: MAX_LIGHT, the light that is stored as 1.

#import "look/crowd"
#import "look/depth"

struct RockVertex {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) open: f32,
    @location(3) lit: f32,
    @location(4) crowd: f32,
}

// `place`: in 1/256 cell from the first cell of the chunk, followed by the openness. `normal`: followed by the light
// beside it.
fn rock_vertex(place: vec4<u32>, normal: vec4<f32>, first: vec3<f32>) -> RockVertex {
    let place_in_world = first + vec3<f32>(place.xyz) * (1.0 / 256.0);
    let lit = normal.w * MAX_LIGHT;
    let crowd = crowd_at(place_in_world + 2.0 * normal.xyz);
    return RockVertex(clip_of(place_in_world), place_in_world, normal.xyz, f32(place.w) * (1.0 / 65535.0), lit, crowd);
}
