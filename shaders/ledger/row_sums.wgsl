// The sums of a row of cells, from which metrics are made: of all cells with D > 0
//   Σ D (a low and a high word),  the number of cells that are perceived,  the greatest D,
//   Σ D|V|,  Σ D·V/|V| along each axis (floats)
//
// A workgroup sums one row. The integers are exact; the floats are for people.

// Generated around this file: CELLS, `density_at`, `velocity_of_0`, `momentum_at`, which adds all layers, `sums`, and `perception`: the shift from density to perceived
// density.

struct RowSums {
    low: u32,
    high: u32,
    occupied: u32,
    greatest: u32,
    speed: f32,
    x: f32,
    y: f32,
    z: f32,
}

var<workgroup> parts: array<RowSums, 64>;

// The momentum and the density of a cell with those of one layer more.
fn with_layer(sum: vec4<f32>, density: u32, velocity: vec3<i32>) -> vec4<f32> {
    let quanta = f32(density);
    return sum + vec4<f32>(quanta * vec3<f32>(velocity), quanta);
}

// The velocity in a cell: of several layers the mean, weighted by their densities.
fn velocity_at(cell: vec3<i32>) -> vec3<i32> {
#ifdef HAS_LAYERS
    let momentum = momentum_at(cell);
    return vec3<i32>(momentum.xyz / max(momentum.w, 1.0));
#else
    return velocity_of_0(cell);
#endif
}

fn added(a: RowSums, b: RowSums) -> RowSums {
    let low = a.low + b.low;
    let high = a.high + b.high + select(0u, 1u, low < a.low);
    return RowSums(
        low,
        high,
        a.occupied + b.occupied,
        max(a.greatest, b.greatest),
        a.speed + b.speed,
        a.x + b.x,
        a.y + b.y,
        a.z + b.z,
    );
}

@compute @workgroup_size(64)
fn row_sums(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var part = RowSums(0u, 0u, 0u, 0u, 0.0, 0.0, 0.0, 0.0);
    for (var x = i32(lane); x < CELLS.x; x += 64) {
        let cell = vec3<i32>(x, vec2<i32>(group.xy));
        let density = density_at(cell);
        let v = vec3<f32>(velocity_at(cell));
        let speed = length(v);
        let heading = f32(density) * v / max(speed, 1.0);
        let occupied = select(0u, 1u, (density >> perception[0]) > 0u);
        let own = RowSums(density, 0u, occupied, density, f32(density) * speed, heading.x, heading.y, heading.z);
        part = added(part, own);
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
