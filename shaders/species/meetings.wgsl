// The weighted vector of a meeting with another species. The twins are `met` in crates/core/src/individuals/rules.rs,
// which has the formulas, and crates/core/src/individuals/species.rs.
//
// shaders/individuals/rules.wgsl has `see_only` and `request_of`.

#import "individuals/candidate"
#import "lives/lives"
#import "individuals/situation"

#ifdef HAS_MEETINGS

// Sets the sight of an individual in a meeting.
fn see_in_meeting(meeting: MeetingNumbers, own: Individual) {
    see_only(meeting.rule, meeting.radius, meeting.threshold, sight_of(own));
}

// The weighted vector of a meeting. `individual` has the sums over the others.
fn sum_of_meeting(meeting: MeetingNumbers, individual: Situation) -> Vector3 {
    var own = individual;
    // The individual itself is among those that it meets.
    if (!SEES_HALF && !HAS_ZONES) {
        own.sums.cohesion_count += 1;
        own.sums.alignment_count += 1;
        own.sums.alignment += flat(velocity_in_units(individual.velocity));
    }
    return request_of(meeting.rule, own) * meeting.weight;
}

#else

// A world with one species has no meetings.

fn see_in_meeting(meeting: MeetingNumbers, own: Individual) {
}

fn sum_of_meeting(meeting: MeetingNumbers, individual: Situation) -> Vector3 {
    return Vector3(0);
}

#endif
