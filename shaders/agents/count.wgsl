// Count: how many agents are in each cell of the search, and which of them an agent is. Those within the hunter's jaws
// are in no cell any more, nor are those that have perished and are not reborn.
//
// rank_i = |{ j before i : cell(j) = cell(i) }|        in whatever order they come

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
    let is_in_jaws = is_caught(own.place);
    if (is_in_jaws) {
        atomicAdd(&account[word_of(species, IN_JAWS)], 1u);
        if (rebirth != ALL) {
            ranks[i] = GONE;
            return;
        }
    } else if (HAS_LIVES && u32(life.w) >> 16u == 1u) {
        // The last step of one that perishes.
        atomicAdd(&account[word_of(species, select(PERISHED, BITTEN, is_eaten(life)))], 1u);
        if (is_gone(life, rebirth)) {
            ranks[i] = GONE;
            return;
        }
    }
    if (!is_in_jaws) {
        note_eater(own);
    }
    ranks[i] = atomicAdd(&counts[bin_of(own)], 1u);
}
