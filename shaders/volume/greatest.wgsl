// Greatest: the greatest value of a plane, first its upper word, and then the lower one among the values that have that upper word.
//
// Generated around this file: what `plane.wgsl` needs, IS_LOWER, and `greatest`, the two words.

#import "volume/plane"

var<workgroup> most: atomic<u32>;

@compute @workgroup_size(64)
fn find_greatest(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let place = vec2<i32>(id.xy);
    if (is_on_plane(place)) {
        let value = value_at(place);
        if (!IS_LOWER) {
            atomicMax(&most, value.y);
        } else if (value.y == atomicLoad(&greatest[1])) {
            atomicMax(&most, value.x);
        }
    }
    workgroupBarrier();
    if (lane == 0u) {
        atomicMax(&greatest[select(1u, 0u, IS_LOWER)], atomicLoad(&most));
    }
}
