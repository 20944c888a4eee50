// Boxes: the sums of a rule over a box of cells, by what they gain and lose from one cell to the next along an axis. First
// down the columns of the lattice, then along its rows over what came of that, so that a box of any radius costs the same.
//
// The sums of a cell are (Σ p, Σ s·p, Σ a, Σ b) over the cells at s = -REACH to REACH along AXIS.
// Generated around this file: AXIS, REACH, `addend`, which gives (p, 0, a, b) of a cell, and `store`.
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
