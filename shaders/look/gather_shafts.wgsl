// The shafts at a pixel, interpolated down the rows of texels: Σ w_k · bands(x, y/4 + k), k = -1, 0, 1.

#import "look/places"

fn gather_shafts(pixel: vec2<i32>) -> vec4<f32> {
    let w = spline_in_quarters(pixel.y);
    let above = vec2<i32>(pixel.x, pixel.y >> 2u);
    let light = w.x * bands(above) + w.y * bands(above + vec2<i32>(0, 1)) + w.z * bands(above + vec2<i32>(0, 2));
    return vec4<f32>(light.rgb, 0.0);
}
