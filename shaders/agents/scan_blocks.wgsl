// Scan blocks: how many agents are in all blocks before each. One workgroup does it all, and updates the account, in which
// caught + starved - born + living stays the same.
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
        let perished = account[PERISHED];
        let rebirth = select(NOBODY, parameters.lives.rebirth, HAS_LIVES);
        let born = select(0u, perished, rebirth != NOBODY) + select(0u, in_jaws, rebirth == ALL);
        add_to_account(CAUGHT_LOW, in_jaws);
        add_to_account(STARVED_LOW, perished);
        add_to_account(BORN_LOW, born);
        account[BEFORE] = account[LIVING];
        account[LIVING] = account[LIVING] - in_jaws - perished + born;
        account[IN_JAWS] = 0u;
        account[PERISHED] = 0u;
    }
}

// Adds to a number of two words.
fn add_to_account(low: u32, amount: u32) {
    let sum = account[low] + amount;
    account[low + 1u] += select(0u, 1u, sum < amount);
    account[low] = sum;
}
