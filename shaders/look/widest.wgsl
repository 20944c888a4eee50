// The largest size of the halo: HALO · light.

#import "look/places"

fn widest(texel: vec2<i32>) -> vec4<f32> {
    return vec4<f32>(light(texel).rgb * HALO, 1.0);
}
