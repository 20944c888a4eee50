// Half as large along both axes, 1 : 3 : 3 : 1 along each, so that nothing flickers when a light moves by one place.
fn halve(place: vec2<i32>) -> vec4<f32> {
    let extent = light_size();
    var sum = vec3<f32>(0.0);
    for (var y = 0; y < 4; y++) {
        let row = 2 * place + vec2<i32>(0, y - 1);
        let outer = light(around(row - vec2<i32>(1, 0), extent, view.meet)).rgb
            + light(around(row + vec2<i32>(2, 0), extent, view.meet)).rgb;
        let inner = light(around(row, extent, view.meet)).rgb
            + light(around(row + vec2<i32>(1, 0), extent, view.meet)).rgb;
        sum += select(1.0, 3.0, y == 1 || y == 2) * (outer + 3.0 * inner);
    }
    return vec4<f32>(sum * (1.0 / 64.0), 1.0);
}
