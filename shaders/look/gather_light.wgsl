// The mean of the light over 4 × 4 pixels. At the end of the screen there may be fewer pixels.

#import "look/places"

fn gather_light(texel: vec2<i32>) -> vec4<f32> {
    let first = texel * 4;
    let end = min(first + 4, view.screen);
    var sum = vec3<f32>(0.0);
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            sum += light(vec2<i32>(x, y)).rgb;
        }
    }
    let pixels = end - first;
    return vec4<f32>(sum / f32(pixels.x * pixels.y), 1.0);
}
