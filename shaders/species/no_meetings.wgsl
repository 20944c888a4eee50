// Meetings, in a world of one species: there are none.

fn see_in_meeting(meeting: MeetingNumbers, own: Individual) {
}

fn sum_of_meeting(meeting: MeetingNumbers, individual: Situation) -> Vector3 {
    return Vector3(0);
}
