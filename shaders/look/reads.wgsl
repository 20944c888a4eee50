// The values that a kernel reads, by the names of textures.
//
// Generated around this file: TEXTURES, with their variables and the types of their values; SUMS, the sums of strokes
// for each pixel.

#for read in TEXTURES
fn #{read.name}(texel: vec2<i32>) -> #{read.kind} {
    return textureLoad(#{read.variable}, texel, 0)#{read.part};
}

fn #{read.name}_size() -> vec2<i32> {
    return vec2<i32>(textureDimensions(#{read.variable}));
}
#endfor

#for read in SUMS
fn #{read.name}(pixel: vec2<i32>) -> vec3<u32> {
    let index = (pixel.y * view.screen.x + pixel.x) * 3;
    return vec3<u32>(#{read.variable}[index], #{read.variable}[index + 1], #{read.variable}[index + 2]);
}
#endfor
