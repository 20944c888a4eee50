// Scan blocks: the number of individuals in all blocks before each block. A single workgroup does this, and updates the
// account. In the account, caught + starved + eaten - born + living of each species is constant.
//
// B_k = Σ b_j over j < k

#import "individuals/account"
#import "individuals/prefix"
#import "individuals/totals"

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
        atomicStore(&account[BEFORE], atomicLoad(&account[LIVING]));
        for (var species = 0u; species < SPECIES; species++) {
            close_account(species);
        }
    }
}

// Adds the turnover of a species in a step to its totals.
fn close_account(species: u32) {
    let caught = atomicExchange(&account[in_step(species, CAUGHT)], 0u);
    let starved = atomicExchange(&account[in_step(species, STARVED)], 0u);
    let eaten = atomicExchange(&account[in_step(species, EATEN)], 0u);
    let living = word_of(species, OWN_LIVING);
    let born = births(rebirth_of(species, atomicLoad(&account[living])), starved, caught + eaten);
    let refused = births(rebirth_of(species, 0u), starved, caught + eaten) - born;
    let change = born - caught - starved - eaten;
    add_to_account(total_of(species, CAUGHT), caught);
    add_to_account(total_of(species, STARVED), starved);
    add_to_account(total_of(species, EATEN), eaten);
    add_to_account(total_of(species, BORN), born);
    add_to_account(total_of(species, REFUSED), refused);
    atomicAdd(&account[living], change);
    atomicAdd(&account[LIVING], change);
}

// The number of individuals that are born again: of those that have perished, and of those that were caught or eaten.
fn births(rebirth: u32, perished: u32, taken: u32) -> u32 {
    return select(0u, perished, rebirth != NOBODY) + select(0u, taken, rebirth == ALL);
}
