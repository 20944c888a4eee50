// Half as large along both axes, 1 : 3 : 3 : 1 along each, so that nothing flickers when a light moves by one place.
fn halve(place: vec2<i32>) -> vec4<f32> {
    let extent = light_size();
    var x: vec4<i32>;
    for (var k = 0; k < 4; k++) {
        x[k] = around(2 * place.x + k - 1, extent.x, view.meet.x);
    }
    var sum = vec3<f32>(0.0);
    for (var k = 0; k < 4; k++) {
        let y = around(2 * place.y + k - 1, extent.y, view.meet.y);
        let outer = light(vec2<i32>(x[0], y)).rgb + light(vec2<i32>(x[3], y)).rgb;
        let inner = light(vec2<i32>(x[1], y)).rgb + light(vec2<i32>(x[2], y)).rgb;
        sum += select(1.0, 3.0, k == 1 || k == 2) * (outer + 3.0 * inner);
    }
    return vec4<f32>(sum * (1.0 / 64.0), 1.0);
}
