// Sums over the places of the individuals, of 18 words:
//   0 to 11    along x, y and z: Σ of whole cells and Σ of 1/65536 cell, each in two words, the low word first
//   12 to 14   along x, y and z: the max of 2^31 - 1 - place
//   15 to 17   along x, y and z: the max place
// All words are 0 before. The twin is `PlaceSums::from_places` in Rust.
//
// Generated around this file: LIVING; the buffers.

const SUMS: u32 = 6u;
const MINIMA: u32 = 12u;
const MAXIMA: u32 = 15u;
const LAST_PLACE: i32 = 0x7fffffff;

// The sums of a workgroup. One word each is enough.
var<workgroup> sums_here: array<atomic<u32>, SUMS>;

@compute @workgroup_size(64)
fn sum_places(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + lane;
    if (i < account[LIVING]) {
        let place = individuals[i].place;
        for (var axis = 0u; axis < 3u; axis++) {
            atomicAdd(&sums_here[2u * axis], u32(place[axis]) >> 16u);
            atomicAdd(&sums_here[2u * axis + 1u], u32(place[axis]) & 0xffffu);
            atomicMax(&sums[MINIMA + axis], u32(LAST_PLACE - place[axis]));
            atomicMax(&sums[MAXIMA + axis], u32(place[axis]));
        }
    }
    workgroupBarrier();
    if (lane >= SUMS) {
        return;
    }
    let sum = atomicLoad(&sums_here[lane]);
    let before = atomicAdd(&sums[2u * lane], sum);
    if (before + sum < before) {
        atomicAdd(&sums[2u * lane + 1u], 1u);
    }
}
