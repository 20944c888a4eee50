// Interpolates the halo to the screen's columns of pixels: Σ w_k · halo(x/4 + k, y), k = -1, 0, 1.
// Row 0 is the row of texels above the screen.

#import "look/places"

fn halo_across(texel: vec2<i32>) -> vec4<f32> {
    let extent = halo_size();
    let w = spline_in_quarters(texel.x);
    let x = neighbours(texel.x >> 2u, extent.x, view.wraps.x);
    let y = wrap_or_clamp(texel.y - 1, extent.y, view.wraps.y);
    return w.x * halo(vec2<i32>(x.x, y)) + w.y * halo(vec2<i32>(x.y, y)) + w.z * halo(vec2<i32>(x.z, y));
}
