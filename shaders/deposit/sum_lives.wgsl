// Sums over the lives of the individuals of each species, of LIFE_SUMS words:
//   0 to 3   the numbers of happy, neutral, depressed and perishing individuals
//   4 to 9   Σ (mood + HAPPIEST), Σ hunger and Σ health of those that do not perish, each in two words, the low word
//   first
//   from 10  for each trait 256 words: the number of those that do not perish with each value of the trait's byte
// Its twin is `PopulationMeasures::new` in Rust.
//
// Generated around this file: LIVING; SPECIES; LIFE_SUMS; HAPPY and HAPPIEST, moods in Q14; `sad`, for each species the
// mood below which an individual is depressed; the buffers.

const CONDITIONS: u32 = 4u;
const TRAITS: u32 = 10u;

// The number of counts and of sums of needs of a species.
const SUMS: u32 = 7u;

// The counts and sums of a workgroup.
var<workgroup> sums_here: array<atomic<u32>, SUMS * SPECIES>;

@compute @workgroup_size(64)
fn sum_lives(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + lane;
    if (i < account[LIVING]) {
        let life = life_of(individuals[i]);
        let species = select(0u, min((u32(life.y) >> 16u) & 255u, SPECIES - 1u), SPECIES > 1u);
        let first = SUMS * species;
        let mood = (life.w << 16u) >> 16u;
        var condition = select(1u, 0u, mood > HAPPY);
        condition = select(condition, 2u, mood < sad[species]);
        if (u32(life.w) >> 16u > 0u) {
            condition = 3u;
        } else {
            atomicAdd(&sums_here[first + CONDITIONS], u32(mood + HAPPIEST));
            atomicAdd(&sums_here[first + CONDITIONS + 1u], u32(life.z) & 0xffffu);
            atomicAdd(&sums_here[first + CONDITIONS + 2u], u32(life.z) >> 16u);
            for (var gene = 0u; gene < 6u; gene++) {
                let byte = (u32(select(life.x, life.y, gene > 3u)) >> (8u * (gene & 3u))) & 255u;
                atomicAdd(&sums[LIFE_SUMS * species + TRAITS + 256u * gene + byte], 1u);
            }
        }
        atomicAdd(&sums_here[first + condition], 1u);
    }
    workgroupBarrier();
    // There are at most 56 counts and sums.
    if (lane >= SUMS * SPECIES) {
        return;
    }
    let sum = atomicLoad(&sums_here[lane]);
    let index = lane % SUMS;
    let words = LIFE_SUMS * (lane / SUMS);
    if (index < CONDITIONS) {
        atomicAdd(&sums[words + index], sum);
        return;
    }
    let low = words + CONDITIONS + 2u * (index - CONDITIONS);
    let before = atomicAdd(&sums[low], sum);
    if (before + sum < before) {
        atomicAdd(&sums[low + 1u], 1u);
    }
}
