// Scan blocks: how many agents are in all blocks before each. One workgroup does it all, and keeps the account's account:
// caught + living stays what it was.
//
// B_k = Σ b_j over j < k

@compute @workgroup_size(WORKGROUP)
fn scan_blocks(@builtin(local_invocation_index) lane: u32) {
    let share = (BLOCKS + WORKGROUP - 1u) / WORKGROUP;
    let first = min(lane * share, BLOCKS);
    let end = min(first + share, BLOCKS);
    var own = 0u;
    for (var k = first; k < end; k++) {
        own += block_starts[k];
    }
    var sum = sum_before(own, lane);
    for (var k = first; k < end; k++) {
        let block = block_starts[k];
        block_starts[k] = sum;
        sum += block;
    }
    if (lane == 0u) {
        let in_jaws = account[IN_JAWS];
        let low = account[CAUGHT_LOW] + in_jaws;
        account[CAUGHT_HIGH] += select(0u, 1u, low < in_jaws);
        account[CAUGHT_LOW] = low;
        account[BEFORE] = account[LIVING];
        account[LIVING] -= in_jaws;
        account[IN_JAWS] = 0u;
    }
}
