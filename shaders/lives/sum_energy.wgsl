// Sum energy: the energy of all individuals of each species.

#import "individuals/account"
#import "individuals/totals"

@compute @workgroup_size(WORKGROUP)
fn sum_energy(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let living = atomicLoad(&account[LIVING]);
    let first = first_of_group(group, groups, lane);
    // The energy of the individuals of an invocation: at most INDIVIDUALS_EACH times the greatest hunger.
    var sum = 0u;
    for (var each = 0u; each < INDIVIDUALS_EACH; each++) {
        let i = first + each * WORKGROUP;
        if (i >= living) {
            break;
        }
        let own = individuals[i];
        if (species_of(own) != own_species) {
            add_to_account(total_of(own_species, ENERGY_NOW), sum);
            sum = 0u;
            select_species(species_of(own));
        }
        sum += store_of(life_of(own));
    }
    add_to_account(total_of(own_species, ENERGY_NOW), sum);
}
