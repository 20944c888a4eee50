// The crowd around a place: the number of individuals in a texel around it, trilinear between the texels.
//
// Generated around this file: the buffer `crowd`, in which shaders/volume/spread.wgsl counts in parts of 1/CROWD_PARTS;
// CROWD_TEXEL, the side of a texel in cells.

fn crowd_at(place: vec3<f32>) -> f32 {
    let size = vec3<i32>(ceil(eye.extents * (1.0 / CROWD_TEXEL)));
    let at = clamp(place * (1.0 / CROWD_TEXEL) - 0.5, vec3<f32>(0.0), vec3<f32>(size - 1));
    let low = vec3<i32>(at);
    let part = at - vec3<f32>(low);
    var sum = 0.0;
    for (var corner = 0; corner < 8; corner++) {
        let side = (vec3<i32>(corner) >> vec3<u32>(0u, 1u, 2u)) & vec3<i32>(1);
        let share = mix(1.0 - part, part, vec3<f32>(side));
        let texel = min(low + side, size - 1);
        sum += share.x * share.y * share.z * f32(crowd[(texel.z * size.y + texel.y) * size.x + texel.x]);
    }
    return sum * (1.0 / CROWD_PARTS);
}
