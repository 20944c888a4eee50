// Deposit: individuals on a lattice, for pictures and metrics. Each individual is added to its cell:
//   n,  Σ (V_x + 2^16),  Σ (V_y + 2^16)
// A cell has four words: the count, the low words of the two sums, and their high words, of x in the lower half. No sum
// reaches 2^42.
//
// Generated around this file: EXTENT, the lattice; LIVING, the word of the account with the number of individuals; the
// buffers.

const PLACE_BITS: u32 = 16u;
const BIAS: i32 = 65536;

@compute @workgroup_size(64)
fn deposit(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + lane;
    if (i >= account[LIVING]) {
        return;
    }
    let individual = individuals[i];
    let cell = vec2<u32>(individual.place.xy) >> vec2<u32>(PLACE_BITS);
    let first = 4u * (cell.y * EXTENT.x + cell.x);
    let velocity = vec2<u32>(individual.velocity.xy + BIAS);
    atomicAdd(&sums[first], 1u);
    add(first, 1u, velocity.x, 1u);
    add(first, 2u, velocity.y, 65536u);
}

// Adds to a low word of the cell that begins at `first`. `unit`: 1 in the half of the fourth word for the high word.
fn add(first: u32, word: u32, summand: u32, unit: u32) {
    let before = atomicAdd(&sums[first + word], summand);
    if (before + summand < before) {
        atomicAdd(&sums[first + 3u], unit);
    }
}
