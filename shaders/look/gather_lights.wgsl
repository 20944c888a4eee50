// The light of all strokes in a pixel.

#import "look/places"

fn gather_lights(pixel: vec2<i32>) -> vec4<f32> {
    return vec4<f32>(vec3<f32>(strokes(pixel)) * (1.0 / LIGHT), 0.0);
}
