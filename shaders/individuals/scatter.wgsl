// Scatter: the individuals in the order of their cells, and their data as candidates.
//
// to_i = s_cell(i) + rank_i

#import "individuals/account"
#import "individuals/candidate"
#import "lives/lookup"

@compute @workgroup_size(WORKGROUP)
fn scatter(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= account[BEFORE]) {
        return;
    }
    let rank = ranks[i];
    if (rank == GONE) {
        return;
    }
    let individual = individuals[i];
    let to = starts[bin_of(individual)] + rank;
    sorted[to] = individual;
    note_index(individual.number, to);
    candidates[to] = candidate(individual.place, individual.velocity);
}
