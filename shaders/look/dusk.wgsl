// Strokes before the sky at dusk. With a the sum of the strokes' amounts in a pixel and l that of amount · light:
//   t = exp(-OPACITY · a),   picture = t · sky + (1 - t) · (SHADE + WARMTH · l / a)
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

// The colour of the sky in a direction, given in pixels from the middle of the picture: by the sine e of its elevation from one
// colour to the next, and near the sun, with c the cosine of the angle to it, c¹⁰ · AFTERGLOW + c³² · SUNSHINE more.
fn sky(at: vec2<f32>) -> vec3<f32> {
    let direction = normalize(point_view.sky_ahead * point_view.focus + point_view.sky_right * at.x - point_view.sky_up * at.y);
    let elevation = direction.z;
    let near = max(dot(direction, point_view.sun), 0.0);
    let two = near * near;
    let eight = two * two * (two * two);
    let close = eight * eight * (eight * eight);
    var colour = mix(SKY_MIST, SKY_LOW, smoothstep(MIST_TO_LOW.x, MIST_TO_LOW.y, elevation));
    colour = mix(colour, SKY_MIDDLE, smoothstep(LOW_TO_MIDDLE.x, LOW_TO_MIDDLE.y, elevation));
    colour = mix(colour, SKY_HIGH, smoothstep(MIDDLE_TO_HIGH.x, MIDDLE_TO_HIGH.y, elevation));
    return clamp(colour + AFTERGLOW * (eight * two) + SUNSHINE * close, vec3<f32>(0.0), vec3<f32>(1.0));
}
