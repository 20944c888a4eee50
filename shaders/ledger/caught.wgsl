// The ledger of the catch: the exact sum of the quanta within the jaws of all hunters, each cell once, added to the sum of all steps
// before. It runs just before the kernel `jaws` takes them off the lattice.
//
// One workgroup looks at the square around the jaws of each hunter in turn, at most 130 cells wide, so that neither half of the sum
// overflows: slice by slice of a deep world.

// Generated around this file: `density_texture`, SLICES, the slices of the world, and `total`, the low and the high word of
// the sum since the start.

#import "ledger/two_words"

var<workgroup> low: atomic<u32>;
var<workgroup> high: atomic<u32>;

@compute @workgroup_size(64)
fn caught(@builtin(local_invocation_index) lane: u32) {
    for (var index = 0; index < parameters.hunter_count; index++) {
        let hunter = parameters.hunters[index];
        if (hunter.jaws == 0) {
            continue;
        }
        let is_everywhere = LAST == 1 || hunter.is_column != 0;
        let first_slice = select((hunter.place.z >> 4u) - hunter.jaws, 0, is_everywhere);
        let reached = select(2 * hunter.jaws + 2, SLICES, is_everywhere);
        // On a torus narrower than the square no cell may count twice.
        let slices = select(reached, min(reached, SLICES), TORUS);
        for (var slice = 0; slice < slices; slice++) {
            add_slice(index, first_slice + slice, i32(lane));
        }
    }
}

// Adds what a hunter catches in a slice, and none before it, to the total.
fn add_slice(index: i32, z: i32, lane: i32) {
    if (lane == 0) {
        atomicStore(&low, 0u);
        atomicStore(&high, 0u);
    }
    workgroupBarrier();
    add_caught(index, z, lane);
    workgroupBarrier();
    if (lane == 0) {
        let now = sum_of(vec2<u32>(total[0], total[1]), atomicLoad(&low), atomicLoad(&high));
        total[0] = now.x;
        total[1] = now.y;
    }
    workgroupBarrier();
}

// Adds one of 64 parts of what a hunter catches in a slice, and none before it.
fn add_caught(index: i32, z: i32, lane: i32) {
    let hunter = parameters.hunters[index];
    let world = on_axes(ENDS / 16);
    let first = (hunter.place.xy >> vec2<u32>(4u)) - hunter.jaws;
    let wide = vec2<i32>(2 * hunter.jaws + 2);
    let cells = select(wide, min(wide, world.xy), TORUS);
    for (var i = lane; i < cells.x * cells.y; i += 64) {
        var at = on_axes(Vector3(first + vec2<i32>(i % cells.x, i / cells.x), z));
        if (TORUS) {
            at = ((at % world) + world) % world;
        }
        let cell = at - FIRST_OF_LATTICE;
        if (is_in_slab(cell) && catches(hunter, parameters.own_species, place_of(cell)) && !is_caught_before(index, place_of(cell))) {
            let density = textureLoad(density_texture, texel(cell), 0).r;
            atomicAdd(&low, density & 0xffffu);
            atomicAdd(&high, density >> 16u);
        }
    }
}

// Whether a hunter before this one catches what is at a place.
fn is_caught_before(index: i32, place: Vector3) -> bool {
    var is_caught = false;
    for (var i = 0; i < index; i++) {
        is_caught |= catches(parameters.hunters[i], parameters.own_species, place);
    }
    return is_caught;
}
