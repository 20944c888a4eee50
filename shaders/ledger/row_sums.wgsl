// The sums of a row of cells, from which metrics are made: of all cells with D > 0
//   Σ D (a low and a high word),  the number of cells that are perceived,  the greatest D
//
// A workgroup sums one row.

// Generated around this file: CELLS, `density_at` (shaders/lattice/densities.wgsl), which adds all layers, `sums`, and
// `perception`: the shift from density to perceived density.

struct RowSums {
    low: u32,
    high: u32,
    occupied: u32,
    greatest: u32,
}

var<workgroup> parts: array<RowSums, 64>;

fn added(a: RowSums, b: RowSums) -> RowSums {
    let low = a.low + b.low;
    let high = a.high + b.high + select(0u, 1u, low < a.low);
    return RowSums(low, high, a.occupied + b.occupied, max(a.greatest, b.greatest));
}

@compute @workgroup_size(64)
fn row_sums(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var part = RowSums(0u, 0u, 0u, 0u);
    for (var x = i32(lane); x < CELLS.x; x += 64) {
        let density = density_at(vec3<i32>(x, vec2<i32>(group.xy)));
        let occupied = select(0u, 1u, (density >> perception[0]) > 0u);
        part = added(part, RowSums(density, 0u, occupied, density));
    }
    parts[lane] = part;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half >>= 1u) {
        if (lane < half) {
            parts[lane] = added(parts[lane], parts[lane + half]);
        }
        workgroupBarrier();
    }
    if (lane == 0u) {
        sums[group.y * u32(CELLS.y) + group.x] = parts[0];
    }
}
