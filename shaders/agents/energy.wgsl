// Energy: after the passes of a step, the hunger that has grown and that food has stilled, and the energy of those that were born. The
// individual of before the step is still in `sorted`, at the same index. The account is that of crates/core/src/state/energy.rs.
//
// burnt = min(H + a, full) - H

// The sums of a workgroup, by species; each is at most 256 times the greatest hunger.
var<workgroup> eaten_here: array<atomic<u32>, SPECIES>;
var<workgroup> burnt_here: array<atomic<u32>, SPECIES>;
var<workgroup> born_here: array<atomic<u32>, SPECIES>;

@compute @workgroup_size(WORKGROUP)
fn energy(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i < atomicLoad(&account[LIVING])) {
        let before = sorted[i];
        let life = life_before(before);
        select_species(species_of(before));
        if (upper_half(life.w) == 0) {
            let hunger = life.z & FULL;
            atomicAdd(&eaten_here[own_species], u32(share_of(before.place, life)));
            atomicAdd(&burnt_here[own_species], u32(min(hunger + appetite_of(life), FULL) - hunger));
        } else if (upper_half(life.w) == 1) {
            atomicAdd(&born_here[own_species], store_of(life_of(individuals[i])));
        }
    }
    workgroupBarrier();
    for (var species = lane; species < SPECIES; species += WORKGROUP) {
        add_to_account(total_of(species, ENERGY_EATEN), atomicLoad(&eaten_here[species]));
        add_to_account(total_of(species, ENERGY_BURNT), atomicLoad(&burnt_here[species]));
        add_to_account(total_of(species, ENERGY_BORN), atomicLoad(&born_here[species]));
    }
}
