// Interpolates the shafts to the screen's columns of pixels: Σ w_k · shafts(x/4 + k, y), k = -1, 0, 1.
// Row 0 is the row of texels above the screen.

#import "look/places"

fn shafts_across(texel: vec2<i32>) -> vec4<f32> {
    let extent = shafts_size();
    let w = spline_in_quarters(texel.x);
    let x = neighbours(texel.x >> 2u, extent.x, 0);
    let y = clamp(texel.y - 1, 0, extent.y - 1);
    return w.x * shafts(vec2<i32>(x.x, y)) + w.y * shafts(vec2<i32>(x.y, y)) + w.z * shafts(vec2<i32>(x.z, y));
}
