// The momentum and the density of a cell on three axes, of all layers together.
//
// Generated around this file: LAYERS, the names of their textures.

fn momentum_at(cell: vec3<i32>) -> vec4<f32> {
    let at = texel(on_axes(cell));
    var sum = vec4<f32>(0.0);
#for layer in LAYERS
    sum = with_layer(
        sum,
        textureLoad(#{layer.density}, at, 0).r,
        on_three_axes(vector_of(textureLoad(#{layer.control}, at, 0))),
    );
#endfor
    return sum;
}
