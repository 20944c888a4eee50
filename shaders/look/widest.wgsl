// The widest of the halos, around which lies nothing: HALO · light.
fn widest(place: vec2<i32>) -> vec4<f32> {
    return vec4<f32>(light(place).rgb * HALO, 1.0);
}
