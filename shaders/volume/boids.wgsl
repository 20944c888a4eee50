// The list of a crowd of boids of cells.
//
// Generated around this file: the buffer `point_list`; `point_view`.

fn count_of_list() -> u32 {
    return point_view.boids;
}

fn one_of_list(index: u32) -> vec4<f32> {
    let it = point_list[index];
    let presence = f32(it.velocity_z_presence >> 16u) * (1.0 / 65535.0);
    return vec4<f32>(vec3<f32>(vec3<i32>(it.x, it.y, it.z)) * (1.0 / 65536.0), presence * point_view.each);
}
