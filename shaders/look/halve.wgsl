// Halves both axes with the weights 1 : 3 : 3 : 1 along each. The smooth filter avoids flicker when a light moves by a
// texel.

#import "look/places"

fn halve(texel: vec2<i32>) -> vec4<f32> {
    let extent = light_size();
    var x: vec4<i32>;
    for (var k = 0; k < 4; k++) {
        x[k] = wrap_or_clamp(2 * texel.x + k - 1, extent.x, view.wraps.x);
    }
    var sum = vec3<f32>(0.0);
    for (var k = 0; k < 4; k++) {
        let y = wrap_or_clamp(2 * texel.y + k - 1, extent.y, view.wraps.y);
        let outer = light(vec2<i32>(x[0], y)).rgb + light(vec2<i32>(x[3], y)).rgb;
        let inner = light(vec2<i32>(x[1], y)).rgb + light(vec2<i32>(x[2], y)).rgb;
        sum += select(1.0, 3.0, k == 1 || k == 2) * (outer + 3.0 * inner);
    }
    return vec4<f32>(sum * (1.0 / 64.0), 1.0);
}
