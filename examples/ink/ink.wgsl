// Ink on paper: the more light a pixel has, the more ink. With l the light summed over the colours:
//   cover = l / (l + 0.2),  pixel = paper · (1 - cover) + ink · cover
fn ink(pixel: vec2<i32>) -> vec4<f32> {
    let texel = light(pixel);
    let here = texel.r + texel.g + texel.b;
    return vec4<f32>(mix(vec3<f32>(0.96, 0.94, 0.89), vec3<f32>(0.10, 0.12, 0.22), here / (here + 0.2)), 1.0);
}
