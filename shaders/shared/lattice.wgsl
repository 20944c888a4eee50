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

// The offset from `start` to `end` in a world of these extents, all in one unit: the short way round a torus.
fn offset(start: Vector, end: Vector, extents: Vector) -> Vector {
    let straight = end - start;
    if (!TORUS) {
        return straight;
    }
    let forward = select(straight, straight + extents, 2 * straight < -extents);
    return select(forward, straight - extents, 2 * straight > extents);
}

// An offset without the components that are exactly half of a torus of these extents: neither way is shorter, so that they have a
// length but no direction.
fn decided(away: Vector, extents: Vector) -> Vector {
    return select(away, Vector(0), 2 * abs(away) == select(Vector(-1), extents, TORUS));
}
