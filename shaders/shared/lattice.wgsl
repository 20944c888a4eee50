// Cells and offsets on the lattice.
//
// Generated around this file: EXTENT, the number of cells along each axis, and TORUS, whether opposite edges are joined.

// Whether a cell is on the lattice.
fn inside(cell: Cell) -> bool {
    return all(cell >= Cell(0)) && all(cell < EXTENT);
}

// The cell of a torus for a cell that lies beyond an edge by less than one extent.
fn wrap_near(cell: Cell) -> Cell {
    return cell + select(Cell(0), EXTENT, cell < Cell(0)) - select(Cell(0), EXTENT, cell >= EXTENT);
}

// The cell of a torus for a cell that lies beyond an edge by any distance.
fn wrap_far(cell: Cell) -> Cell {
    return ((cell % EXTENT) + EXTENT) % EXTENT;
}

// The offset from `start` to `end` along an axis of `extent`, all in one unit: the short way round a torus. At exactly
// half of a torus neither way is shorter; the offset is then `undecided`.
fn offset(start: i32, end: i32, extent: i32) -> i32 {
    let straight = end - start;
    if (!TORUS) {
        return straight;
    }
    if (2 * straight > extent) {
        return straight - extent;
    }
    return select(straight, straight + extent, 2 * straight < -extent);
}

// Which components of an offset are exactly half of a torus of these extents; they have a length but no direction.
fn undecided(away: Vector, extents: Vector) -> vec2<bool> {
    return select(vec2<bool>(false), 2 * abs(away) == extents, TORUS);
}
