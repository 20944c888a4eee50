// The rows of places that the screen shows, interpolated across to its pixels: Σ w_k · soft(x + k, y), k = -1, 0, 1.
// The first row is the one above the view.
fn across(pixel: vec2<i32>) -> vec4<f32> {
    let place = place_of(pixel).x;
    let column = floor(place);
    let w = spline(place - column - 0.5);
    let middle = view.first + vec2<i32>(i32(column), pixel.y - 1);
    let y = around(middle.y, view.places.y, TORUS);
    return w.x * soft(vec2<i32>(around(middle.x - 1, view.places.x, TORUS), y))
        + w.y * soft(vec2<i32>(around(middle.x, view.places.x, TORUS), y))
        + w.z * soft(vec2<i32>(around(middle.x + 1, view.places.x, TORUS), y));
}
