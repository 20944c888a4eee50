// Count: how many agents are in each cell of the search, and which of them an agent is. Those within the hunter's jaws
// are in no cell any more.
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
    let place = individuals[i].place;
    if (is_caught(place)) {
        atomicAdd(&account[IN_JAWS], 1u);
        ranks[i] = CAUGHT;
    } else {
        ranks[i] = atomicAdd(&counts[cell_index(cell_at(place))], 1u);
    }
}
