// The halo interpolated across to the pixels: Σ w_k · halo(x/4 + k, y), k = -1, 0, 1.
fn halo_across(place: vec2<i32>) -> vec4<f32> {
    let extent = halo_size();
    let w = spline((f32(place.x & 3) + 0.5) * 0.25 - 0.5);
    let middle = vec2<i32>(place.x >> 2u, place.y);
    return w.x * halo(around(middle - vec2<i32>(1, 0), extent, view.meet))
        + w.y * halo(around(middle, extent, view.meet))
        + w.z * halo(around(middle + vec2<i32>(1, 0), extent, view.meet));
}
