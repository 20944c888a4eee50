// The sky at dusk. The functions have the same names in crates/core/src/picture/sky.rs.

// The colour of the sky in a direction, given in pixels from the middle of the picture. The sine of the elevation leads
// from one colour to the next. Near the sun, c¹⁰ · AFTERGLOW + c³² · SUNSHINE is added, with c the cosine of the angle
// to the sun.
fn sky(at: vec2<f32>) -> vec3<f32> {
    let direction = normalize(
        point_view.sky_ahead * point_view.focus + point_view.sky_right * at.x - point_view.sky_up * at.y,
    );
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
