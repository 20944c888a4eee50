// The light that arrives in each texel, exp(-LOSS · τ), and the box in cells of all texels with boids, and of half a texel around them.
//
// Generated around this file: the texels, TEXEL, LOSS, the list `ends` of `reduce` and the `bounds`: its least and its greatest place.

#import "volume/texels"

@compute @workgroup_size(8, 8)
fn light(@builtin(global_invocation_id) id: vec3<u32>) {
    let texel = vec3<i32>(id);
    if (any(texel >= SIZE)) {
        return;
    }
    let index = index_of(texel);
    values[index].x = exp(-LOSS * values[index].x);
    if (all(id == vec3<u32>(0u))) {
        let side = f32(TEXEL);
        let first = vec3<f32>(SIZE) - vec3<f32>(vec3<u32>(ends[0], ends[1], ends[2]));
        let last = vec3<f32>(vec3<u32>(ends[3], ends[4], ends[5]));
        bounds[0] = vec4<f32>((first - 0.5) * side, 0.0);
        bounds[1] = vec4<f32>((last + 0.5) * side, 0.0);
    }
}
