// Boxes: the sums of a rule over a box of cells, by what they gain and lose from one cell to the next along an axis. First
// down the columns of the lattice, then along its rows over what came of that, so that a box of any radius costs the same.
//
// The sums of a cell are (Σ p, Σ s·p, Σ a, Σ b) over the cells at s = -REACH to REACH along AXIS.
// Generated around this file: AXIS, REACH and SUM_STRIP, the cells of a strip along AXIS; the fields that `addend` reads; `sums_target`.

// What a cell adds, (p, 0, a, b): down the columns of both rules, and along the rows over the sums of the columns.
fn addend(cell: Cell) -> vec4<i32> {
#ifdef ALONG_ROWS
#ifdef OF_COHESION
    return columns(cell).xwyw * vec4<i32>(1, 0, 1, 0);
#else
    return columns(cell) * vec4<i32>(1, 0, 1, 1);
#endif
#else
#ifdef OF_COHESION
    return vec4<i32>(perceive(density(cell)), 0, 0, 0);
#else
    return vec4<i32>(perceive(density(cell)) * vec4<i32>(1, 0, to_q10(control(cell))));
#endif
#endif
}

fn fill_strip(start: Cell, count: i32) {
    var sums = vec4<i32>(0);
    for (var s = -REACH; s <= REACH; s += 1) {
        let there = addend(start + s * AXIS);
        sums += vec4<i32>(there.x, s * there.x, there.zw);
    }
    store(start, sums);
    var cell = start;
    for (var i = 1; i < count; i += 1) {
        cell += AXIS;
        let gained = addend(cell + REACH * AXIS);
        let lost = addend(cell - (REACH + 1) * AXIS);
        // A cell further on, each cell in the box is one further back.
        let nearer = REACH * gained.x + (REACH + 1) * lost.x - sums.x;
        sums += vec4<i32>(gained.x - lost.x, nearer, gained.zw - lost.zw);
        store(cell, sums);
    }
}

fn store(cell: Cell, sums: vec4<i32>) {
    textureStore(sums_target, cell, sums);
}

@compute @workgroup_size(WORKGROUP)
fn boxes(@builtin(global_invocation_id) id: vec3<u32>) {
#ifdef ALONG_ROWS
    let start = Cell(i32(id.y) * SUM_STRIP, i32(id.x));
#else
    let start = Cell(i32(id.x), i32(id.y) * SUM_STRIP);
#endif
    if (inside(start)) {
        fill_strip(start, min(SUM_STRIP, dot(EXTENT - start, AXIS)));
    }
}
