// Note born: after a step, the lives that have ended in it and the lives that have begun in their places. The
// individual before the step is still in `sorted`, at the same index.

#import "individuals/account"
#import "individuals/chance"
#import "lives/note"
#import "lives/parents"
#import "individuals/place"

@compute @workgroup_size(WORKGROUP)
fn note_born(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= account[LIVING]) {
        return;
    }
    let before = sorted[i];
    select_species(species_of(before));
    if (upper_half(life_before(before).w) != 1) {
        return;
    }
    var parent = parent_of(before.number, parameters.step);
    if (parent != 0u) {
        parent = sorted[parent - 1u].number;
    } else {
        parent = before.number;
    }
    let dna = vec2<u32>(life_of(individuals[i]).xy);
    let cause = select(cause_of(life_of(before)), WAS_CAUGHT, is_caught(species_of(before), before.place));
    note_end(before.number, cause, parent, vec2<u32>(dna.x, (dna.y & 0xffffu) | IS_BORN));
}
