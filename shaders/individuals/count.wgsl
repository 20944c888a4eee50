// Count: the number of individuals in each cell of the search, and the rank of each individual in its cell. Individuals
// that are caught, or have perished and are not reborn, are in no cell.
//
// rank_i = |{ j before i : cell(j) = cell(i) }|  in an arbitrary order

#import "individuals/account"
#import "food/eaters"
#import "individuals/place"
#import "individuals/totals"

@compute @workgroup_size(WORKGROUP)
fn count(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= atomicLoad(&account[LIVING])) {
        return;
    }
    let own = individuals[i];
    let life = life_of(own);
    let species = species_of(own);
    let rebirth = rebirth_of(species, atomicLoad(&account[word_of(species, OWN_LIVING)]));
    let is_in_jaws = is_caught(species, own.place);
    let is_last = HAS_LIVES && u32(life.w) >> 16u == 1u;
    if (is_in_jaws || is_last) {
        atomicAdd(&account[in_step(species, select(cause_of_end(life), CAUGHT, is_in_jaws))], 1u);
        if (HAS_LIVES) {
            add_to_account(total_of(species, ENERGY_ENDED), store_of(life));
        }
        if (select(is_gone(life, rebirth), rebirth != ALL, is_in_jaws)) {
            ranks[i] = GONE;
            return;
        }
    }
    if (!is_in_jaws) {
        note_eater(own);
    }
    ranks[i] = atomicAdd(&counts[bin_of(own)], 1u);
}
