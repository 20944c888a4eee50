// Steer, with neighbours from the cells around: all within the greatest radius are there, because a cell is at least as
// wide. The cells of a row lie one after the other, so that three of them are one run of candidates.
//
// Generated around this file: NARROW, the axes of a torus on which it has fewer than three cells: there all cells are
// around, and the offset goes the short way; UNIT_EXTENTS, the extents in units; and IS_FAR, whether cells are so wide that
// squares beyond the reach might not fit.

#import "individuals/account"
#import "individuals/candidate"
#import "individuals/cells_around"
#import "lives/lives"
#import "species/meetings"
#import "individuals/short_way"
#import "individuals/situation"
#import "individuals/sums"

// What is above the velocities of neighbours.
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
            met += sum_of_meeting(meeting, Situation(own.place, velocity, sum_around(own.place, velocity, meeting.other), met));
        }
    }
    see_as(own);
    let sums = sum_around(own.place, velocity, own_species);
    individuals[i] = live_and_move(own, velocity, sums, steer(Situation(own.place, velocity, sums, met)));
}

// The sums over those of a species around an individual with a velocity (Q14).
fn sum_around(place: Vector3, own_velocity: Vector3, species: u32) -> Sums {
    let velocity = flat(velocity_in_units(own_velocity));
    let bins = species * CELL_COUNT;
    let cell = cell_at(place);
    let own = flat(in_units(place));
    var sums = Sums();
    begin_selection();
    let layers = select(0, 1, AXES == 3);
    for (var step_z = -layers; step_z <= layers; step_z++) {
        for (var step_y = -1; step_y <= 1; step_y++) {
            let row = neighbour_cell(cell + Vector3(0, step_y, step_z));
            if (row.is_outside) {
                continue;
            }
            // The cells of the row within the grid are one run.
            let first = max(cell.x - 1, 0);
            let end = min(cell.x + 2, CELLS.x);
            let at = bins + cell_index(Vector3(0, row.cell.yz));
            let origin = own - flat(row.shift);
            gather_run(&sums, at + u32(first), at + u32(end), origin, velocity);
            // The cell across an edge along x is another run.
            if (TORUS && CELLS.x >= 3 && (first == cell.x || end == cell.x + 1)) {
                let other = neighbour_cell(Vector3(select(CELLS.x, -1, first == cell.x), row.cell.yz));
                let seen = origin - flat(other.shift);
                gather_run(&sums, at + u32(other.cell.x), at + u32(other.cell.x) + 1u, seen, velocity);
            }
        }
    }
    gather_nearest(&sums, place, velocity);
    // Each velocity was summed above the bias.
    sums.alignment -= Offset(BIAS * sums.alignment_count);
    return sums;
}

// Adds the candidates of the cells from `first` up to `end`, as they are seen from an origin in units.
fn gather_run(sums: ptr<function, Sums>, first: u32, end: u32, origin: Offset, velocity: Offset) {
    let shifted = origin << UnsignedOffset(12u);
    let last = starts[end];
    for (var j = starts[first]; j < last; j++) {
        let other = candidates[j];
        var away = short_way(offset_to(other, shifted), flat(UNIT_EXTENTS), NARROW);
        if (IS_FAR) {
            away = clamp(away, Offset(-2 * REACH), Offset(2 * REACH));
        }
        gather(sums, away, NARROW & (2 * abs(away) == flat(UNIT_EXTENTS)), biased_velocity(other), velocity, j);
    }
}
