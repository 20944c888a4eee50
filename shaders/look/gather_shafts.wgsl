// The shafts at a pixel, smoothly enlarged.

#import "look/places"

fn gather_shafts(pixel: vec2<i32>) -> vec4<f32> {
    let at = (vec2<f32>(pixel) + 0.5) * 0.25 - 0.5;
    let middle = vec2<i32>(round(at));
    let last = shafts_size() - 1;
    let part = at - vec2<f32>(middle);
    let across = spline(part.x);
    let down = spline(part.y);
    var sum = vec3<f32>(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let texel = clamp(middle + vec2<i32>(x, y), vec2<i32>(0), last);
            sum += across[x + 1] * down[y + 1] * shafts(texel).rgb;
        }
    }
    return vec4<f32>(sum, 0.0);
}
