// Scan blocks: how many agents are in all blocks before each. One workgroup does it all, and updates the account, in which
// caught + starved + eaten - born + living of each species stays the same.
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
        account[BEFORE] = account[LIVING];
        for (var species = 0u; species < SPECIES; species++) {
            close_account(species);
        }
    }
}

// Takes over what came and went of a species in a step.
fn close_account(species: u32) {
    let first = word_of(species, 0u);
    let in_jaws = account[first + IN_JAWS];
    let perished = account[first + PERISHED];
    let bitten = account[first + BITTEN];
    let born = births(rebirth_of(species, account[first + OWN_LIVING]), perished, in_jaws + bitten);
    let refused = births(rebirth_of(species, 0u), perished, in_jaws + bitten) - born;
    let change = born - in_jaws - perished - bitten;
    add_to_account(first + CAUGHT, in_jaws);
    add_to_account(first + STARVED, perished);
    add_to_account(first + EATEN, bitten);
    add_to_account(first + BORN, born);
    add_to_account(first + REFUSED, refused);
    account[first + OWN_LIVING] += change;
    account[LIVING] += change;
    account[first + IN_JAWS] = 0u;
    account[first + PERISHED] = 0u;
    account[first + BITTEN] = 0u;
}

// How many are born again of those that have perished and of those that were caught or eaten.
fn births(rebirth: u32, perished: u32, taken: u32) -> u32 {
    return select(0u, perished, rebirth != NOBODY) + select(0u, taken, rebirth == ALL);
}

// Adds to a number of two words.
fn add_to_account(low: u32, amount: u32) {
    let sum = account[low] + amount;
    account[low + 1u] += select(0u, 1u, sum < amount);
    account[low] = sum;
}
