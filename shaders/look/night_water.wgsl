// Open water at night, behind all that is in it: dark below, and faintly lit from above.

#import "look/depth"
#import "look/places"

fn night_water(pixel: vec2<i32>) -> vec4<f32> {
    return vec4<f32>(water_towards(ray_through(vec2<f32>(pixel) + 0.5)), 0.0);
}
