// The volume of a state: light and density in texels of TEXEL cells along each axis, x fastest and z slowest. Its twin is
// crates/core/src/picture/volume.rs.
//
// Generated around this file: SIZE in texels and the list `values`.

fn index_of(texel: vec3<i32>) -> i32 {
    return (texel.z * SIZE.y + texel.y) * SIZE.x + texel.x;
}
