// Cells and offsets on the lattice.
//
// Generated around this file: EXTENT, the number of cells along each axis, and TORUS, whether opposite edges are
// joined.

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
