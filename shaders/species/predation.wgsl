// Hunters and prey in a step. The twin is crates/core/src/species/predation.rs, which has the formulas.
//
// Generated around this file: SPECIES; the buffers `starts` and `sorted`.

#import "individuals/account"
#import "individuals/candidate"
#import "individuals/cells_around"
#import "individuals/chance"
#import "individuals/short_way"

// The hunger (0 to FULL) before the step of an individual that may eat or be eaten; -1: it perishes.
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
