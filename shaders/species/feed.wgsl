// Feed: after a step the hunters eat, and the eaten individuals perish.
//
// H_i = (H' - Σ ⌊meal / n_j⌋)⁺      over the prey j within the jaws

#import "individuals/account"
#import "species/predation"
#import "individuals/totals"

@compute @workgroup_size(WORKGROUP)
fn feed(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= atomicLoad(&account[LIVING])) {
        return;
    }
    let before = sorted[i];
    let own = individuals[i];
    let life = life_of(own);
    if (predators[i] > 0u) {
        let eaten = vec4<i32>(life.x, life.y | (1 << 24u), life.z & FULL, (life.w & FULL) | 65536);
        individuals[i] = individual(own.place, own.number, own.velocity, eaten, 0u);
        return;
    }
    var gain = 0;
    let appetite = appetite_before(before);
    for (var index = 0u; index < MEETINGS; index++) {
        let meeting = parameters.species[species_of(before)].meetings[index];
        if (meeting.jaws > 0 && appetite >= meeting.meal) {
            gain = min(gain + gain_from(before, meeting), FULL);
        }
    }
    if (gain > 0) {
        let fed = vec4<i32>(life.xy, (life.z & ~FULL) | max((life.z & FULL) - gain, 0), life.w);
        add_to_account(total_of(species_of(before), ENERGY_EATEN), store_of(fed) - store_of(life));
        individuals[i] = individual(own.place, own.number, own.velocity, fed, 0u);
    }
}

// The hunger that the prey of a meeting within the jaws of an individual stills.
fn gain_from(own: Individual, meeting: MeetingNumbers) -> i32 {
    let cells = cells_within(own.place, meeting.jaws);
    var gain = 0;
    for (var z = cells.first.z; z <= cells.last.z; z++) {
        for (var y = cells.first.y; y <= cells.last.y; y++) {
            let row = row_of(cells, vec2<i32>(y, z), meeting.other * CELL_COUNT);
            for (var number = row.first; number < row.end; number++) {
                let j = candidate_index(row, number);
                if (predators[j] > 0u && is_within_jaws(own, sorted[j], meeting)) {
                    // Hunger is at most FULL, and any number of prey may be in reach.
                    gain = min(gain + meeting.meal / i32(predators[j]), FULL);
                }
            }
        }
    }
    return gain;
}
