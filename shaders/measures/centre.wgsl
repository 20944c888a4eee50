// The centre of mass as a place (Q16 of a cell); 0 along an axis without one. The twin is `MotionSums::centre` in Rust.
//
// Generated around this file: GROUPS; ENDS_IN_CELLS, the extents in cells; AXES; IS_TORUS; the buffers `sums` and
// `centre`.

#import "measures/terms"

const TAU: f32 = 6.283185307179586;

@compute @workgroup_size(1)
fn find_centre() {
    var weight = 0.0;
    var first = vec3<f32>(0.0);
    var second = vec3<f32>(0.0);
    for (var group = 0u; group < GROUPS; group++) {
        let part = sums[group];
        weight += part.a.x;
        first += vec3<f32>(part.b.yw, part.c.y);
        second += vec3<f32>(part.b.z, part.c.xz);
    }
    for (var axis = 0; axis < 3; axis++) {
        var place = first[axis] / max(weight, 1.0);
        if (IS_TORUS) {
            let turn = atan2(second[axis], first[axis]) / TAU;
            place = (turn - floor(turn)) * ENDS_IN_CELLS[axis];
        }
        let is_there = axis < AXES && (!IS_TORUS || abs(first[axis]) + abs(second[axis]) > 1e-6 * weight);
        centre[axis] = select(0, i32(clamp(place, 0.0, ENDS_IN_CELLS[axis]) * 65536.0), is_there);
    }
}
