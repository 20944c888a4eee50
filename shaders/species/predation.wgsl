// Who eats whom in a step. The twin is crates/core/src/species/predation.rs, where the formulas stand.
//
// Generated around this file: SPECIES; the buffers `starts` and `sorted`.

#import "individuals/account"
#import "individuals/candidate"
#import "individuals/cells_around"
#import "individuals/chance"
#import "individuals/short_way"

// The hunger (0 to FULL) before the step of one that may eat or be eaten; -1: it perishes.
fn appetite_before(own: Individual) -> i32 {
    let life = life_before(own);
    return select(life.z & FULL, -1, upper_half(life.w) > 0);
}

// Whether one of the others is within the jaws of a meeting.
fn is_within_jaws(own: Individual, other: Individual, meeting: MeetingNumbers) -> bool {
    let straight = flat(in_units(other.place) - in_units(own.place));
    let short = short_way(straight, flat(UNIT_EXTENTS), FlatBool(TORUS));
    let away = clamp(short, Offset(-2 * REACH), Offset(2 * REACH));
    return dot(away, away) < meeting.jaws;
}

// Those of `sorted` from the first up to the second who are of a species and in a cell beside another one's cell, or in that.
fn those_around(cell: Vector3, step: Vector3, species: u32) -> vec2<u32> {
    let beside = neighbour_cell(cell + step);
    if (beside.is_outside) {
        return vec2<u32>(0u);
    }
    let bin = species * CELL_COUNT + cell_index(beside.cell);
    return vec2<u32>(starts[bin], starts[bin + 1u]);
}

// The cells around a cell and that itself: 9 in a flat world, 27 in a deep one.
fn steps_around() -> i32 {
    return select(9, 27, AXES == 3);
}

fn step_around(index: i32) -> Vector3 {
    return Vector3(index % 3, index / 3 % 3, index / 9) - select(Vector3(1, 1, 0), Vector3(1), AXES == 3);
}
