// Sum energy: the energy of all individuals of each species.

// The sums of a workgroup; each is at most 256 times the greatest hunger.
var<workgroup> energy_here: array<atomic<u32>, SPECIES>;

@compute @workgroup_size(WORKGROUP)
fn sum_energy(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i < atomicLoad(&account[LIVING])) {
        let own = individuals[i];
        atomicAdd(&energy_here[species_of(own)], store_of(life_of(own)));
    }
    workgroupBarrier();
    for (var species = lane; species < SPECIES; species += WORKGROUP) {
        add_to_account(total_of(species, ENERGY_NOW), atomicLoad(&energy_here[species]));
    }
}
