// Strokes before the sky at dusk. With a the sum of the amounts of strokes in a pixel and l the sum of amount · light:
//   t = exp(-OPACITY · a),   picture = t · sky + (1 - t) · (SHADE + WARMTH · l / a)

#import "look/levels"
#import "look/sky"

fn dusk(pixel: vec2<i32>) -> vec4<f32> {
    let at = vec2<f32>(pixel) + 0.5 - 0.5 * vec2<f32>(view.screen);
    var colour = sky(at);
    let sum = vec2<f32>(strokes(pixel).xy);
    if (sum.x > 0.0) {
        let bird = SHADE + WARMTH * (sum.y / sum.x);
        colour = mix(bird, colour, exp(-OPACITY / AMOUNT * sum.x));
    }
    return vec4<f32>(for_target(floor(255.0 * colour + dither(vec2<u32>(pixel))) * (1.0 / 255.0)), 1.0);
}
