// Blur: the sums of a contrast along one axis, of perceived density or of what the axis before gave: boxes over boxes, by what they
// gain and lose from one cell to the next, so that boxes of any radius cost the same.
//
// C(x) = Σ w(s)·a(x+s) along the axis, with w(s) = min(REACH + 1 - |s|, RAMP)
//
// w rises by 1 over the first RAMP cells and falls by 1 over the last, so that C grows by the sum over those that come nearer and
// loses the sum over those that go farther.
//
// Generated around this file: AXIS; REACH, the sum of both radii; RAMP, the width of the smaller box; STRIP, the cells of a strip along
// AXIS; `density` for the first axis; `sums_target`. shaders/perception/blurred.wgsl has `blurred`, for the other axes.

// a of a cell.
fn addend(cell: Cell) -> u32 {
#ifdef ALONG_X
    return u32(perceive(density(cell)));
#else
    return blurred(cell);
#endif
}

fn fill_strip(start: Cell, count: i32) {
    var blurred = 0u;
    for (var s = -REACH; s <= REACH; s += 1) {
        blurred += u32(min(REACH + 1 - abs(s), RAMP)) * addend(start + s * AXIS);
    }
    var nearer = 0u;
    var farther = 0u;
    for (var s = 0; s < RAMP; s += 1) {
        nearer += addend(start + (REACH + 1 - s) * AXIS);
        farther += addend(start + (s - REACH) * AXIS);
    }
    store(start, blurred);
    var cell = start;
    for (var i = 1; i < count; i += 1) {
        blurred += nearer - farther;
        nearer += addend(cell + (REACH + 2) * AXIS) - addend(cell + (REACH + 2 - RAMP) * AXIS);
        farther += addend(cell + (RAMP - REACH) * AXIS) - addend(cell - REACH * AXIS);
        cell += AXIS;
        store(cell, blurred);
    }
}

fn store(cell: Cell, sum: u32) {
    textureStore(sums_target, blur_texel(cell), vec4<u32>(sum, 0u, 0u, 0u));
}

@compute @workgroup_size(WORKGROUP)
fn blur(@builtin(global_invocation_id) id: vec3<u32>) {
    let along = id.y * STRIP;
#ifdef ALONG_X
    let first = vec3<u32>(along, id.xz);
#else
#ifdef ALONG_Y
    let first = vec3<u32>(id.x, along, id.z);
#else
    let first = vec3<u32>(id.xz, along);
#endif
#endif
    let start = on_axes(Vector3(first)) - BLUR_MARGIN;
    let end = EXTENT + BLUR_MARGIN;
    if (all(start < end)) {
        fill_strip(start, min(i32(STRIP), dot(end - start, AXIS)));
    }
}
