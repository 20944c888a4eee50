// Steer, with every individual looking at every other: slow, but simple. A workgroup reads the others in tiles. Each
// invocation reads one of a tile, so that memory is read once for all.
// The default chain runs shaders/individuals/steer_grid.wgsl.

#import "individuals/account"
#import "individuals/candidate"
#import "lives/lives"
#import "species/meetings"
#import "individuals/short_way"
#import "individuals/situation"
#import "individuals/sums"

// Added to each velocity component of a neighbour.
const VELOCITY_BIAS: i32 = 0;

var<workgroup> tile_places: array<Offset, WORKGROUP>;
var<workgroup> tile_velocities: array<Offset, WORKGROUP>;
var<workgroup> tile_species: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn steer_brute(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    let living = account[LIVING];
    // Surplus invocations go on, to fill the tiles.
    let own = sorted[min(i, max(living, 1u) - 1u)];
    select_species(species_of(own));
    select_for(own);
    // In a flat world the compiler knows that z is 0.
    let velocity = deep(flat(own.velocity));
    var met = Vector3(0);
    // All invocations go through the tiles of every meeting.
    for (var index = 0u; index < MEETINGS; index++) {
        let meeting = parameters.species[own_species].meetings[index];
        see_in_meeting(meeting, own);
        let others = sum_of_all(own.place, velocity, meeting.other, living, lane);
        if (meeting.threshold > 0) {
            met += sum_of_meeting(meeting, Situation(own.place, velocity, others, met));
        }
    }
    see_as(own);
    let sums = sum_of_all(own.place, velocity, own_species, living, lane);
    if (i >= living) {
        return;
    }
    individuals[i] = live_and_move(own, velocity, sums, steer(Situation(own.place, velocity, sums, met)));
}

// The sums over all individuals of a species, for an individual with a velocity (Q14).
fn sum_of_all(place: Vector3, own_velocity: Vector3, species: u32, living: u32, lane: u32) -> Sums {
    let here = flat(in_units(place));
    let velocity = flat(velocity_in_units(own_velocity));
    var sums = Sums();
    begin_selection();
    for (var first = 0u; first < living; first += WORKGROUP) {
        if (first + lane < living) {
            let other = sorted[first + lane];
            tile_places[lane] = flat(in_units(other.place));
            tile_velocities[lane] = flat(velocity_in_units(other.velocity));
            tile_species[lane] = species_of(other);
        }
        workgroupBarrier();
        let end = min(WORKGROUP, living - first);
        for (var k = 0u; k < end; k++) {
            if (tile_species[k] != species) {
                continue;
            }
            let short = short_way(tile_places[k] - here, flat(UNIT_EXTENTS), FlatBool(TORUS));
            // The square of an offset beyond the reach must neither overflow nor fall within the reach.
            let away = clamp(short, Offset(-2 * REACH), Offset(2 * REACH));
            let is_undecided = FlatBool(TORUS) & (2 * abs(away) == flat(UNIT_EXTENTS));
            gather(&sums, away, is_undecided, tile_velocities[k], velocity, first + k);
        }
        workgroupBarrier();
    }
    gather_nearest(&sums, place, velocity);
    return sums;
}
