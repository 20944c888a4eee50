// The cells of the grid around one.
//
// Generated around this file: CELLS, the cells of the search along each axis, and UNIT_EXTENTS, the extents in units.

// A cell of the grid, and the offset in units that moves its individuals beyond the edge.
struct NeighbourCell {
    cell: Vector3,
    shift: Vector3,
    is_outside: bool,
}

// The cell of the grid for a cell at most one beyond an edge: on a torus the cell at the other side, unless it is one of the
// cells around already.
fn neighbour_cell(cell: Vector3) -> NeighbourCell {
    let under = cell < Vector3(0);
    let over = cell >= CELLS;
    let wrapped = cell + select(Vector3(0), CELLS, under) - select(Vector3(0), CELLS, over);
    let shift = select(Vector3(0), UNIT_EXTENTS, over) - select(Vector3(0), UNIT_EXTENTS, under);
    return NeighbourCell(wrapped, shift, any((under | over) & select(vec3<bool>(true), CELLS < Vector3(3), TORUS)));
}
