// Functions that the kernels of the individuals share: the individual of an invocation, the edges of the world, and the
// grid of the search.
//
// Generated around this file: SPECIES, the number of species; WORKGROUP, the invocations of a workgroup;
// INDIVIDUALS_EACH, the individuals of an invocation that adds up several; CELLS, the cells of the search along each
// axis, and CELL_COUNT, their number; EXTENTS, of the world; AXES, 2 or 3; and the buffers that a kernel lists.

#import "individuals/axes"
#import "individuals/individual"

// The words of the account.
const BEFORE: u32 = 0u;       // individuals at the beginning of the step, in `individuals`
const LIVING: u32 = 1u;       // individuals that are left, in `sorted`
// The words of the species begin at OF_SPECIES. Each species has WORDS_OF_SPECIES words.
const OF_SPECIES: u32 = 2u;
const WORDS_OF_SPECIES: u32 = 24u;
const OWN_LIVING: u32 = 0u;   // individuals of the species that are left
const IN_STEP: u32 = 1u;      // lives that end in this step, by their causes
const TOTALS: u32 = 4u;       // turnover since the start, and energy; two words each, the lower one first

// The causes of ends, and the totals, which begin with the causes.
const CAUGHT: u32 = 0u;
const STARVED: u32 = 1u;
const EATEN: u32 = 2u;
const BORN: u32 = 3u;
const REFUSED: u32 = 4u;       // births that were refused
const ENERGY_EATEN: u32 = 5u;
const ENERGY_BURNT: u32 = 6u;
const ENERGY_BORN: u32 = 7u;
const ENERGY_ENDED: u32 = 8u;
const ENERGY_NOW: u32 = 9u;    // energy of all individuals, if it was asked for

// The greatest hunger and the greatest health.
const FULL: i32 = 65535;

// The energy of an individual in its last step: the eaten energy in the lower half of the word, and the burnt energy in
// the upper half, together at most FULL. ENDED: its life has ended in the step, and another one begins.
const ENDED: u32 = 0xffffffffu;

// The word of the account for a species.
fn word_of(species: u32, word: u32) -> u32 {
    return OF_SPECIES + WORDS_OF_SPECIES * species + word;
}

// The word of the lives that end in this step by a cause.
fn in_step(species: u32, cause: u32) -> u32 {
    return word_of(species, IN_STEP + cause);
}

// The lower word of a total.
fn total_of(species: u32, total: u32) -> u32 {
    return word_of(species, TOTALS + 2u * total);
}

// The energy of an individual with this life: the greatest hunger minus its hunger.
fn store_of(life: vec4<i32>) -> u32 {
    return u32(FULL - (life.z & FULL));
}

// The number of the species of an individual, or of a life.
fn species_of(own: Individual) -> u32 {
    return species_of_life(life_of(own));
}

fn species_of_life(life: vec4<i32>) -> u32 {
    return select(0u, (u32(life.y) >> 16u) & 0xffu, SPECIES > 1u);
}

// Whether another species has eaten an individual with this life.
fn is_eaten(life: vec4<i32>) -> bool {
    return (u32(life.y) >> 24u) != 0u;
}

// Why an individual with this life perishes.
fn cause_of_end(life: vec4<i32>) -> u32 {
    return select(STARVED, EATEN, is_eaten(life));
}

// The rule of rebirth of a species with `count` individuals before the step. If there are too many, none is born again.
fn rebirth_of(species: u32, count: u32) -> u32 {
    let numbers = parameters.species[species];
    return select(NOBODY, numbers.lives.rebirth, HAS_LIVES && count <= numbers.most);
}

// Whether an individual that has perished is not reborn.
fn is_gone(life: vec4<i32>, rebirth: u32) -> bool {
    return rebirth == NOBODY || (is_eaten(life) && rebirth != ALL);
}

// The individuals that are born again: none; or all, including those that were caught or eaten.
const NOBODY: u32 = 0u;
const ALL: u32 = 2u;

// Bits of a place below the cell.
const PLACE_BITS: u32 = 16u;
// The rank of an individual that is caught, or has perished and is not reborn.
const GONE: u32 = 0xffffffffu;

// The number of an invocation. A dispatch has two dimensions, because one dimension has at most 65 535 workgroups.
fn invocation(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * WORKGROUP + lane;
}

// The first individual of an invocation that has INDIVIDUALS_EACH of them, WORKGROUP apart.
fn first_of_group(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * WORKGROUP * INDIVIDUALS_EACH + lane;
}

// The extents (Q16).
fn ends() -> Vector3 {
    return EXTENTS << vec3<u32>(PLACE_BITS);
}

// A place (Q16) up to one extent beyond an edge, wrapped round the torus.
fn wrap(place: Vector3) -> Vector3 {
    return place + select(Vector3(0), ends(), place < Vector3(0)) - select(Vector3(0), ends(), place >= ends());
}

// The cell of the search at a place (Q16), by axes.
fn cell_at(place: Vector3) -> Vector3 {
    return ((place >> vec3<u32>(PLACE_BITS)) * CELLS) / EXTENTS;
}

// The index of a cell, x fastest.
fn cell_index(cell: Vector3) -> u32 {
    return u32((cell.z * CELLS.y + cell.y) * CELLS.x + cell.x);
}

// The bin of an individual: its cell among the cells of all species, one species after the other.
fn bin_of(own: Individual) -> u32 {
    return species_of(own) * CELL_COUNT + cell_index(cell_at(own.place));
}
