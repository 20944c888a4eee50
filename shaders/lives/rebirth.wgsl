// Rebirth: after the passes of a step, individuals whose life has ended begin another one. The kernel also keeps the
// account of energy, as crates/core/src/lives/turnover.rs does. The twin of a birth is
// crates/core/src/lives/rebirth.rs, which has the formulas.
//
// eaten = Σ e_i, burnt = Σ b_i, born = Σ (full - H_i) over those that were born

#import "individuals/account"
#import "individuals/chance"
#import "individuals/movement"
#import "lives/parents"
#import "individuals/totals"
#import "lives/traits"

// Purposes of random draws, and the number of places that are tried.
const CHANCE_OF_HUNGER: u32 = 2u;
const CHANCE_OF_VELOCITY: u32 = 3u;
const CHANCE_OF_PLACE: u32 = 4u;
const PLACES: u32 = 8u;

@compute @workgroup_size(WORKGROUP)
fn rebirth(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let living = atomicLoad(&account[LIVING]);
    let first = first_of_group(group, groups, lane);
    // The energy that the individuals of an invocation ate and burnt: each at most INDIVIDUALS_EACH times the greatest
    // hunger.
    var eaten = 0u;
    var burnt = 0u;
    // A bit for each individual whose life has ended.
    var ended = 0u;
    for (var each = 0u; each < INDIVIDUALS_EACH; each++) {
        let i = first + each * WORKGROUP;
        if (i >= living) {
            break;
        }
        let own = individuals[i];
        // The individuals of a species are consecutive.
        if (species_of(own) != own_species) {
            add_energy(eaten, burnt);
            eaten = 0u;
            burnt = 0u;
            select_species(species_of(own));
        }
        let word = energy_of(own);
        if (word == ENDED) {
            ended |= 1u << each;
        } else {
            eaten += word & 0xffffu;
            burnt += word >> 16u;
        }
    }
    add_energy(eaten, burnt);
    // Drivers for processors run a branch for all invocations, and births are rare. So births have their own loop.
    while (ended != 0u) {
        let i = first + firstTrailingBit(ended) * WORKGROUP;
        ended &= ended - 1u;
        let own = individuals[i];
        select_species(species_of(own));
        let child = reborn(own.place, own.number, life_of(own).xy);
        individuals[i] = child;
        add_to_account(total_of(own_species, ENERGY_BORN), store_of(life_of(child)));
    }
}

fn add_energy(eaten: u32, burnt: u32) {
    add_to_account(total_of(own_species, ENERGY_EATEN), eaten);
    add_to_account(total_of(own_species, ENERGY_BURNT), burnt);
}

// A new life at a random place: the first open one of a few, or else the present place. `own_dna`: the DNA of the life
// that has ended.
fn reborn(present: Vector3, number: u32, own_dna: vec2<i32>) -> Individual {
    let rules = parameters.species[own_species].lives;
    let step = parameters.step;
    let drawn = chance(number, step, CHANCE_OF_VELOCITY);
    var velocity = Vector3(0);
    for (var axis = 0u; axis < u32(AXES); axis++) {
        velocity[axis] = ((i32((drawn >> (10u * axis)) & 1023u) - 512) * parameters.species[own_species].max) >> 10u;
    }
    var place = present;
    for (var attempt = 0u; attempt < PLACES; attempt++) {
        var open = present;
        for (var axis = 0u; axis < u32(AXES); axis++) {
            // The upper half draws the cell, the lower half the place in it.
            let word = chance(number, step, CHANCE_OF_PLACE + 3u * attempt + axis);
            let cell = ((word >> 16u) * u32(EXTENTS[axis])) >> 16u;
            open[axis] = i32((cell << PLACE_BITS) | (word & 0xffffu));
        }
        if (is_free(open)) {
            place = open;
            break;
        }
    }
    let hunger = ((chance(number, step, CHANCE_OF_HUNGER) >> 16u) * u32(rules.hungry)) >> 16u;
    let dna = dna_of_child(number, step, own_dna);
    let health = value_of_trait(rules.health, dna.y, 0u);
    let mood = value_of_trait(rules.disposition, dna.x, 3u) << 4u;
    let traits = vec2<i32>(dna.x, (dna.y & FULL) | i32(own_species << 16u));
    let life = vec4<i32>(traits, i32(hunger) | (health << 16u), mood & FULL);
    return individual(place, number, velocity, life, 0u);
}
