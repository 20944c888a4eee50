// Sums of twelve terms over all bodies, as floats for people. Each workgroup writes its own sums. The program adds
// them.
//
// Generated around this file: GROUPS; `body_count`, `body_at`; `terms_of` of the file that imports this file; the
// buffer `sums`.

#import "measures/terms"

var<workgroup> parts: array<Terms, 64>;

fn added(one: Terms, other: Terms) -> Terms {
    return Terms(one.a + other.a, one.b + other.b, one.c + other.c);
}

@compute @workgroup_size(64)
fn sum_bodies(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var sum = Terms();
    let count = body_count();
    for (var i = group.x * 64u + lane; i < count; i += GROUPS * 64u) {
        sum = added(sum, terms_of(body_at(i)));
    }
    parts[lane] = sum;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half >>= 1u) {
        if (lane < half) {
            parts[lane] = added(parts[lane], parts[lane + half]);
        }
        workgroupBarrier();
    }
    if (lane == 0u) {
        sums[group.x] = parts[0];
    }
}
