// The halo interpolated across to the pixels: Σ w_k · halo(x/4 + k, y), k = -1, 0, 1.
// The first row is the one above the screen.
fn halo_across(place: vec2<i32>) -> vec4<f32> {
    let extent = halo_size();
    let w = spline((f32(place.x & 3) + 0.5) * 0.25 - 0.5);
    let x = three(place.x >> 2u, extent.x, view.meet.x);
    let y = around(place.y - 1, extent.y, view.meet.y);
    return w.x * halo(vec2<i32>(x.x, y)) + w.y * halo(vec2<i32>(x.y, y)) + w.z * halo(vec2<i32>(x.z, y));
}
