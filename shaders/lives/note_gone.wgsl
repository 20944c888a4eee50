// Note gone: before a step, the lives that end in it without a next life.

#import "individuals/account"
#import "individuals/chance"
#import "lives/note"
#import "individuals/place"

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
    let life = life_of(own);
    let rebirth = rebirth_of(species_of(own), account[word_of(species_of(own), OWN_LIVING)]);
    if (is_caught(species_of(own), own.place)) {
        if (rebirth != ALL) {
            note_end(own.number, WAS_CAUGHT, own.number, vec2<u32>());
        }
    } else if (upper_half(life.w) == 1 && is_gone(life, rebirth)) {
        note_end(own.number, cause_of(life), own.number, vec2<u32>());
    }
}
