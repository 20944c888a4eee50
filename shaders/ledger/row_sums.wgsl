// The sums of a row of cells, from which metrics are made: of all cells with D > 0
//   Σ D (a low and a high word),  the number of cells that are perceived,  the greatest D,
//   Σ D|V|,  Σ D·V_x/|V|,  Σ D·V_y/|V| (floats)
//
// A workgroup sums one row. The integers are exact; the floats are for people.

// Generated around this file: `density_texture`, `control_texture`, EXTENT, `sums`, and `perception`: the shift from density to
// perceived density.

struct RowSums {
    low: u32,
    high: u32,
    occupied: u32,
    greatest: u32,
    speed: f32,
    x: f32,
    y: f32,
}

var<workgroup> parts: array<RowSums, 64>;

fn added(a: RowSums, b: RowSums) -> RowSums {
    let low = a.low + b.low;
    let high = a.high + b.high + select(0u, 1u, low < a.low);
    return RowSums(
        low, high, a.occupied + b.occupied, max(a.greatest, b.greatest), a.speed + b.speed, a.x + b.x, a.y + b.y,
    );
}

@compute @workgroup_size(64)
fn row_sums(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var part = RowSums(0u, 0u, 0u, 0u, 0.0, 0.0, 0.0);
    for (var x = lane; x < EXTENT.x; x += 64u) {
        let cell = vec2<u32>(x, group.x);
        let density = textureLoad(density_texture, cell, 0).r;
        let word = textureLoad(control_texture, cell, 0).r;
        let v = vec2<f32>(vec2<i32>(bitcast<i32>(word << 16u) >> 16u, bitcast<i32>(word) >> 16u));
        let speed = length(v);
        let heading = f32(density) * v / max(speed, 1.0);
        let occupied = select(0u, 1u, (density >> perception[0]) > 0u);
        part = added(part, RowSums(density, 0u, occupied, density, f32(density) * speed, heading.x, heading.y));
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
        sums[group.x] = parts[0];
    }
}
