// One triangle that covers the whole target of a shader that is invoked for each of its pixels.

@vertex
fn murmuration_vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(select(-1.0, 3.0, i == 1u), select(-1.0, 3.0, i == 2u), 0.0, 1.0);
}
