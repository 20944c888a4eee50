// Steer, with neighbours from the cells around, which hold all individuals within the greatest radius. The candidates
// of a row of cells are consecutive.
//
// Generated around this file: UNIT_EXTENTS, the extents in units; REPEATS, the axes of a torus with so few cells that
// one cell lies on both sides of another, on which offsets go the short way; IS_FAR, whether cells are so wide that
// squares of offsets beyond the reach might not fit.

#import "individuals/account"
#import "individuals/candidate"
#import "individuals/cells_around"
#import "lives/lives"
#import "species/meetings"
#import "individuals/short_way"
#import "individuals/situation"
#import "individuals/sums"

// Added to each velocity component of a neighbour, so that the packed value is positive.
const VELOCITY_BIAS: i32 = BIAS;

@compute @workgroup_size(WORKGROUP)
fn steer_grid(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= account[LIVING]) {
        return;
    }
    let own = sorted[i];
    select_species(species_of(own));
    select_for(own);
    // In a flat world the compiler knows that z is 0.
    let velocity = deep(flat(own.velocity));
    var met = Vector3(0);
    for (var index = 0u; index < MEETINGS; index++) {
        let meeting = parameters.species[own_species].meetings[index];
        if (meeting.threshold > 0 && meeting.weight != 0) {
            see_in_meeting(meeting, own);
            met += sum_of_meeting(
                meeting,
                Situation(own.place, velocity, sum_around(own.place, velocity, meeting.other), met),
            );
        }
    }
    see_as(own);
    let sums = sum_around(own.place, velocity, own_species);
    individuals[i] = live_and_move(own, velocity, sums, steer(Situation(own.place, velocity, sums, met)));
}

// The sums over the individuals of a species around an individual with a velocity (Q14).
fn sum_around(place: Vector3, own_velocity: Vector3, species: u32) -> Sums {
    let velocity = flat(velocity_in_units(own_velocity));
    let cell = cell_at(place);
    let cells = cells_around(cell);
    let own = flat(in_units(place));
    var sums = Sums();
    begin_selection();
    for (var z = -AROUND.z; z <= AROUND.z; z++) {
        for (var y = -AROUND.y; y <= AROUND.y; y++) {
            let row = cell.yz + vec2<i32>(y, z);
            if (all(row >= cells.first.yz) && all(row <= cells.last.yz)) {
                gather_row(&sums, row_of(cells, row, species * CELL_COUNT), own, velocity);
            }
        }
    }
    gather_nearest(&sums, place, velocity);
    // Each velocity was summed with its bias.
    sums.alignment -= Offset(BIAS * sums.alignment_count);
    return sums;
}

// Adds a row of candidates, seen from a place in units.
fn gather_row(sums: ptr<function, Sums>, row: Row, place: Offset, velocity: Offset) {
    let origin = (place - flat(row.shift)) << UnsignedOffset(12u);
    let origin_across = (place - flat(Vector3(row.shift_across, row.shift.yz))) << UnsignedOffset(12u);
    for (var number = row.first; number < row.end; number++) {
        let index = candidate_index(row, number);
        let other = candidates[index];
        let seen_from = select(origin, origin_across, TORUS && number >= row.first_across);
        var away = short_way(offset_to(other, seen_from), flat(UNIT_EXTENTS), REPEATS);
        if (IS_FAR) {
            away = clamp(away, Offset(-2 * REACH), Offset(2 * REACH));
        }
        gather(sums, away, REPEATS & (2 * abs(away) == flat(UNIT_EXTENTS)), biased_velocity(other), velocity, index);
    }
}
