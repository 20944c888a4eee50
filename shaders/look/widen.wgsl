// A halo in the middle of the wider ones: HALO · light + AIR · Σ w · wider, enlarged twice by the quadratic B-spline. As in
// air, blue reaches farthest, which keeps the night blue.
fn widen(place: vec2<i32>) -> vec4<f32> {
    let extent = wider_size();
    let middle = place / 2;
    // The middle of a place lies a quarter of the wider one before or behind its middle.
    let x = spline(select(-0.25, 0.25, (place.x & 1) == 1));
    let y = spline(select(-0.25, 0.25, (place.y & 1) == 1));
    var sum = vec3<f32>(0.0);
    for (var k = -1; k <= 1; k++) {
        let row = x.x * wider(around(middle + vec2<i32>(-1, k), extent, view.meet)).rgb
            + x.y * wider(around(middle + vec2<i32>(0, k), extent, view.meet)).rgb
            + x.z * wider(around(middle + vec2<i32>(1, k), extent, view.meet)).rgb;
        sum += y[k + 1] * row;
    }
    return vec4<f32>(light(place).rgb * HALO + sum * AIR, 1.0);
}
