// The gap field: the distance of every cell from rock. The twin is `gap` in crates/core/src/terrain/habitat.rs.
//
// Generated around this file: the buffer `solids`, if movements are swept: a byte for each cell of the world, four to a
// word and x fastest, with 0 for rock and otherwise 1 + floor(4 gap); then the table of the rays.

// The distance of a cell from rock, in quarters of a cell, rounded down; -1 in rock and beyond a wall.
fn gap_of_cell(cell: Vector3) -> i32 {
    var within = cell;
    if (TORUS) {
        within = (cell % EXTENTS + EXTENTS) % EXTENTS;
    } else if (any(cell < Vector3(0)) || any(cell >= EXTENTS)) {
        return -1;
    }
    let index = u32((within.z * EXTENTS.y + within.y) * EXTENTS.x + within.x);
    return i32((solids[index >> 2u] >> (8u * (index & 3u))) & 0xffu) - 1;
}

// Whether an individual may begin at a place (Q16) of the space.
fn is_free(place: Vector3) -> bool {
    return gap_at(place) >= 0;
}

// The gap of the cell of a place (Q16).
fn gap_at(place: Vector3) -> i32 {
    return gap_of_cell(place >> vec3<u32>(PLACE_BITS));
}
