// Count predators: the number of eaters of each individual in a step.
//
// n_j = |{ i : i hunts the species of j, d < jaws }|

#import "individuals/account"
#import "species/predation"

@compute @workgroup_size(WORKGROUP)
fn count_predators(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= account[LIVING]) {
        return;
    }
    let own = sorted[i];
    var count = 0u;
    if (appetite_before(own) >= 0) {
        for (var hunter = 0u; hunter < SPECIES; hunter++) {
            for (var index = 0u; index < MEETINGS; index++) {
                let meeting = parameters.species[hunter].meetings[index];
                if (meeting.jaws > 0 && meeting.other == species_of(own)) {
                    count += count_around(own, hunter, meeting);
                }
            }
        }
    }
    predators[i] = count;
}

// The number of hunters of a species that have an individual within their jaws.
fn count_around(own: Individual, hunter: u32, meeting: MeetingNumbers) -> u32 {
    let cells = cells_within(own.place, meeting.jaws);
    var count = 0u;
    for (var z = cells.first.z; z <= cells.last.z; z++) {
        for (var y = cells.first.y; y <= cells.last.y; y++) {
            let row = row_of(cells, vec2<i32>(y, z), hunter * CELL_COUNT);
            for (var number = row.first; number < row.end; number++) {
                let j = candidate_index(row, number);
                let other = sorted[j];
                if (appetite_before(other) >= meeting.meal && is_within_jaws(own, other, meeting)) {
                    count += 1u;
                }
            }
        }
    }
    return count;
}
