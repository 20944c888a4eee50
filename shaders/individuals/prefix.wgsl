// The sum over the invocations of a workgroup before each one, by the scan of Hillis and Steele. All invocations call
// it.

var<workgroup> scanned: array<u32, WORKGROUP>;

fn sum_before(own: u32, lane: u32) -> u32 {
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
    return sum - own;
}
