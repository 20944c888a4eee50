// Overlap queries among individuals.
//
// Generated around this file: LIVING, BOID, and the buffers `account` and `individuals`.

#import "overlap/overlap"

@compute @workgroup_size(64)
fn overlap_of_individuals(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group.y * groups.x + group.x;
    let query = queries[min(number, arrayLength(&queries) - 1u)];
    var own = nothing();
    for (var i = lane; i < account[LIVING]; i += LANES) {
        let place = individuals[i].place >> vec3<u32>(12u);
        let square = square_of(query, place);
        if (square != OUTSIDE) {
            own = joined(own, Found(BOID, 0u, square, individuals[i].number, place));
        }
    }
    write_result(number, lane, own);
}
