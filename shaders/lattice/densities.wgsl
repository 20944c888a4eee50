// The density of a cell on three axes: the sum over all layers, at most 2^32 - 1 quanta.
//
// Generated around this file: LAYERS, the names of their textures.

fn density_at(cell: vec3<i32>) -> u32 {
    var sum = 0u;
#for layer in LAYERS
    sum += min(textureLoad(#{layer.density}, texel(on_axes(cell)), 0).r, ~sum);
#endfor
    return sum;
}
