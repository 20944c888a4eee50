// Twelve terms for sums over bodies.
struct Terms {
    a: vec4<f32>,
    b: vec4<f32>,
    c: vec4<f32>,
}
