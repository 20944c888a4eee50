// The sums of the falcons over the cells within their sight: Σ p and Σ p·s. An offset of exactly half a torus counts as
// 0. The twin is crates/core/src/falcons/sight_of_cells.rs.
//
// A workgroup sums some of the rows around one falcon.
//
// Generated around this file: `density_at` (shaders/lattice/densities.wgsl), the density of a cell; GROUPS, the
// workgroups of a falcon.

#import "falcons/add"
#import "falcons/seen"

@compute @workgroup_size(64)
fn see_cells(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let hunter = parameters.hunters[group.y];
    if (!looks(hunter)) {
        return;
    }
    add_rows(hunter, falcons[hunter.falcon - 1].place, i32(group.x), i32(lane));
    workgroupBarrier();
    if (lane < 4u) {
        add_to_sight(group.y, lane);
    }
}

fn add_rows(hunter: HunterNumbers, place: Vector3, part: i32, lane: i32) {
    let radius = 16 * hunter.sight;
    let lattice = ENDS >> vec3<u32>(4u);
    let first = (place >> vec3<u32>(4u)) - hunter.sight;
    // On a torus narrower than the sight no cell may count twice.
    let wide_box = Vector3(2 * hunter.sight + 2);
    let cells = select(wide_box, min(wide_box, lattice), TORUS);
    var amount = vec2<u32>(0u);
    var moment_x = vec2<u32>(0u);
    var moment_y = vec2<u32>(0u);
    var moment_z = vec2<u32>(0u);
    for (var row = part; row < cells.y * cells.z; row += GROUPS) {
        // Within a row of at most 512 cells, of which an invocation has 8, nothing overflows.
        var in_row = 0;
        var along_row = 0;
        let begun = first + Vector3(0, row % cells.y, row / cells.y);
        for (var x = lane; x < cells.x; x += 64) {
            let cell = on_lattice(begun + Vector3(x, 0, 0), lattice);
            if (any(cell < Vector3(0)) || any(cell >= lattice)) {
                continue;
            }
            let away = offset(place, 16 * cell);
            if (dot(away, away) <= radius * radius) {
                let p = perceive(density_at(cell));
                in_row += p;
                along_row += p * decided(away).x;
            }
        }
        let away = decided(offset(place, 16 * on_lattice(begun, lattice)));
        amount = add_wide(amount, wide(in_row));
        moment_x = add_wide(moment_x, wide(along_row));
        moment_y = add_wide(moment_y, wide(in_row * away.y));
        moment_z = add_wide(moment_z, wide(in_row * away.z));
    }
    add_to_sums(0u, amount);
    add_to_sums(1u, moment_x);
    add_to_sums(2u, moment_y);
    add_to_sums(3u, moment_z);
}

// A cell, brought onto the lattice of a torus.
fn on_lattice(cell: Vector3, lattice: Vector3) -> Vector3 {
    return select(cell, ((cell % lattice) + lattice) % lattice, TORUS);
}
