// The light of a pixel, from density and momentum interpolated down the rows:
//   e, m = Σ w_k · bands(x, y + k);  light = light_of(e) · colour_of(e, m), and beside it which part is solid
fn shine(pixel: vec2<i32>) -> vec4<f32> {
    let place = place_of(pixel);
    let row = floor(place.y);
    let w = spline(place.y - row - 0.5);
    let above = vec2<i32>(pixel.x, i32(row));
    let swarm = w.x * bands(above) + w.y * bands(above + vec2<i32>(0, 1)) + w.z * bands(above + vec2<i32>(0, 2));
    var light = view.cloud * light_of(swarm.x);
    if (TORUS == 0) {
        // Beyond walls is nothing.
        let middle = vec2<f32>(view.first) + place;
        let inside = all(middle > vec2<f32>(0.0)) && all(middle < vec2<f32>(view.places));
        light = select(0.0, light, inside);
    }
    return vec4<f32>(light * colour_of(swarm.x, swarm.yz), swarm.w);
}
