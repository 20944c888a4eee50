// Scan: where the points of each block begin, and in the last bin their number; at most as many as there is room for.
//
// s_b = min( Σ counts over the blocks before b, room )

// Generated around this file: `counts`, `parts`, `begins`, `numbers`, BINS and BINS_EACH, those of an invocation.

var<workgroup> before_part: atomic<u32>;
var<workgroup> scanned: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn scan(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var before = 0u;
    for (var k = lane; k < group.x; k += WORKGROUP) {
        before += parts[k];
    }
    atomicAdd(&before_part, before);
    let first = min((group.x * WORKGROUP + lane) * BINS_EACH, BINS);
    let end = min(first + BINS_EACH, BINS);
    var own = 0u;
    for (var bin = first; bin < end; bin++) {
        own += counts[bin];
    }
    // The sum over the invocations up to each, by Hillis and Steele's scan.
    var sum = own;
    scanned[lane] = sum;
    workgroupBarrier();
    for (var reach = 1u; reach < WORKGROUP; reach *= 2u) {
        var other = 0u;
        if (lane >= reach) {
            other = scanned[lane - reach];
        }
        workgroupBarrier();
        sum += other;
        scanned[lane] = sum;
        workgroupBarrier();
    }
    var begin = atomicLoad(&before_part) + sum - own;
    for (var bin = first; bin < end; bin++) {
        begins[bin] = min(begin, numbers.room);
        begin += counts[bin];
    }
}
