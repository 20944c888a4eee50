// Note gone: before a step, the lives that end in it without another one after them.

@compute @workgroup_size(WORKGROUP)
fn note_gone(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= account[LIVING]) {
        return;
    }
    let own = individuals[i];
    let rebirth = parameters.lives.rebirth;
    if (is_caught(own.place)) {
        if (rebirth != ALL) {
            note_end(own.number, true, own.number, vec2<u32>());
        }
    } else if (upper_half(life_of(own).w) == 1 && rebirth == NOBODY) {
        note_end(own.number, false, own.number, vec2<u32>());
    }
}
