// A halo in the middle of the wider ones: HALO · light + AIR · Σ w · wider, enlarged twice by the quadratic B-spline. As in
// air, blue reaches farthest, which keeps the night blue.
fn widen(place: vec2<i32>) -> vec4<f32> {
    let extent = wider_size();
    let middle = place / 2;
    // The middle of a place lies a quarter of the wider one before or behind its middle.
    let x = spline(select(-0.25, 0.25, (place.x & 1) == 1));
    let y = spline(select(-0.25, 0.25, (place.y & 1) == 1));
    let columns = three(middle.x, extent.x, view.meet.x);
    let rows = three(middle.y, extent.y, view.meet.y);
    var sum = vec3<f32>(0.0);
    for (var k = 0; k < 3; k++) {
        let row = x.x * wider(vec2<i32>(columns.x, rows[k])).rgb
            + x.y * wider(vec2<i32>(columns.y, rows[k])).rgb
            + x.z * wider(vec2<i32>(columns.z, rows[k])).rgb;
        sum += y[k] * row;
    }
    return vec4<f32>(light(place).rgb * HALO + sum * AIR, 1.0);
}
