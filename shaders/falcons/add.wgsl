// The sums of the invocations of a workgroup, which are added to `seen` at its end.

var<workgroup> sums: array<atomic<u32>, 8>;

// Whether a hunter is a falcon that looks around.
fn looks(hunter: HunterNumbers) -> bool {
    return hunter.falcon > 0 && u32(hunter.falcon) <= arrayLength(&falcons) && hunter.yields_to == 0;
}

// n as a number of two words.
fn wide(n: i32) -> vec2<u32> {
    return vec2<u32>(bitcast<u32>(n), bitcast<u32>(n >> 31u));
}

// a + b of two words each.
fn add_wide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < b.x));
}

// Adds a number to the sums of the workgroup. The invocation that overflows the low word carries.
fn add_to_sums(index: u32, number: vec2<u32>) {
    let before = atomicAdd(&sums[2u * index], number.x);
    atomicAdd(&sums[2u * index + 1u], number.y + select(0u, 1u, before + number.x < before));
}

// Adds the sums of the workgroup to the sums of a hunter, with one invocation for each of the four sums.
fn add_to_sight(hunter: u32, index: u32) {
    let number = vec2<u32>(atomicLoad(&sums[2u * index]), atomicLoad(&sums[2u * index + 1u]));
    let first = 8u * hunter + 2u * index;
    let before = atomicAdd(&seen[first], number.x);
    atomicAdd(&seen[first + 1u], number.y + select(0u, 1u, before + number.x < before));
}
