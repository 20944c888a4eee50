// The terms of the first round of sums, with the weight w, the place x and the velocity v of a body:
//   a: w, w|v|, and w v/|v| along x and y
//   b: w v/|v| along z, both terms of the place along x, and the first one along y
//   c: the second term of the place along y, and both along z
// The terms of a place are w x (in cells) and 0 between walls; on a torus w cos α and w sin α, α = 2πx/L. The twin is
// `MotionSums::new` in Rust.
//
// Generated around this file: ENDS_IN_CELLS, the extents in cells; AXES; IS_TORUS.

#import "measures/sums"

const TAU: f32 = 6.283185307179586;

fn terms_of(body: Body) -> Terms {
    let w = body.weight;
    let speed = length(body.velocity);
    let heading = w * body.velocity / max(speed, 1.0);
    let x = vec3<f32>(body.place) / 65536.0;
    let has_axis = vec3<i32>(0, 1, 2) < vec3<i32>(AXES);
    let angle = x / ENDS_IN_CELLS * TAU;
    let first = w * select(vec3<f32>(0.0), select(x, cos(angle), vec3<bool>(IS_TORUS)), has_axis);
    let second = w * select(vec3<f32>(0.0), sin(angle), has_axis & vec3<bool>(IS_TORUS));
    return Terms(
        vec4<f32>(w, w * speed / 16384.0, heading.xy),
        vec4<f32>(heading.z, first.x, second.x, first.y),
        vec4<f32>(second.y, first.z, second.z, 0.0),
    );
}
