// The terms of the second round of sums. w and v are the weight and the velocity of a body, d is its offset from the
// centre, in cells:
//   a: w d, and of w d d xx      b: yy, zz, xy and xz of it      c: yz of it, and w r̂ × v̂
// r̂ and v̂ are the directions of d and v. Offsets go the short way round a torus. The twin is `FormSums::new` in Rust.
//
// Generated around this file: ENDS_IN_CELLS, the extents in cells; AXES; IS_TORUS; the buffer `centre`.

#import "measures/sums"

fn terms_of(body: Body) -> Terms {
    let w = body.weight;
    let extent = vec3<i32>(ENDS_IN_CELLS) << vec3<u32>(16u);
    var short_way = body.place - vec3<i32>(centre[0], centre[1], centre[2]);
    if (IS_TORUS) {
        short_way += select(vec3<i32>(0), extent, short_way < -(extent / 2))
            - select(vec3<i32>(0), extent, short_way > extent / 2);
    }
    let has_axis = vec3<i32>(0, 1, 2) < vec3<i32>(AXES);
    let length_of_offset = select(vec3<f32>(0.0), vec3<f32>(short_way) / 65536.0, has_axis);
    // An offset of half a torus has a length, but no direction.
    let is_half = vec3<bool>(IS_TORUS) & (abs(short_way) == extent / 2);
    let d = select(length_of_offset, vec3<f32>(0.0), is_half);
    let squares = w * length_of_offset * length_of_offset;
    let turning = w * cross(d / max(length(d), 1e-5), body.velocity / max(length(body.velocity), 1.0));
    return Terms(
        vec4<f32>(w * d, squares.x),
        vec4<f32>(squares.yz, w * d.x * d.yz),
        vec4<f32>(w * d.y * d.z, turning),
    );
}
