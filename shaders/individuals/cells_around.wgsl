// The cells of the grid around an individual, and the candidates in them.
//
// Generated around this file: CELLS, the cells of the search along each axis; AROUND, how many cells to either side have neighbours;
// UNIT_EXTENTS, the extents in units; and the buffer `starts`, the first candidate of each cell.

#import "individuals/account"

// Cells from the first to the last along each axis. On a torus some of them are beyond an edge.
struct CellsAround {
    first: Vector3,
    last: Vector3,
}

// The candidates in a row of cells: from `first` up to `end`. Those from `across` on lie across an edge along x, and `jump` is added to
// their indices. Candidates lie beyond the edges of a torus by an offset in units: `shift`, whose x is `shift_across` from `across` on.
struct Row {
    first: u32,
    across: u32,
    end: u32,
    jump: u32,
    shift: Vector3,
    shift_across: i32,
}

// The cell of a place (Q16) at most one extent beyond an edge, on the lattice of cells that goes on there.
fn cell_beyond(place: Vector3) -> Vector3 {
    let under = place < Vector3(0);
    let over = place >= ends();
    return cell_at(wrap(place)) + select(Vector3(0), CELLS, over) - select(Vector3(0), CELLS, under);
}

// The cells around a cell in which its neighbours are.
fn cells_around(cell: Vector3) -> CellsAround {
    return each_once(CellsAround(cell - AROUND, cell + AROUND));
}

// Those of the cells around a place (Q16) that a squared distance (units²) below a bound reaches.
fn cells_within(place: Vector3, bound: i32) -> CellsAround {
    let cell = cell_at(place);
    let distance = min(Vector3(i32(square_root(u32(bound)) + 1u) << PLACE_UNIT), ends());
    let first = max(cell_beyond(place - distance), cell - AROUND);
    return each_once(CellsAround(first, min(cell_beyond(place + distance), cell + AROUND)));
}

// The cells, each of them once, and none beyond walls.
fn each_once(cells: CellsAround) -> CellsAround {
    if (!TORUS) {
        return CellsAround(max(cells.first, Vector3(0)), min(cells.last, CELLS - 1));
    }
    let has_all = cells.last - cells.first >= CELLS;
    return CellsAround(select(cells.first, Vector3(0), has_all), select(cells.last, CELLS - 1, has_all));
}

// The candidates in the cells around that have this y and this z. `bins`: the first bin of those among whom they are.
fn row_of(cells: CellsAround, yz: vec2<i32>, bins: u32) -> Row {
    let row = Vector3(0, yz);
    let turns = select(Vector3(0), Vector3(1), row >= CELLS) - select(Vector3(0), Vector3(1), row < Vector3(0));
    let shift = turns * UNIT_EXTENTS;
    let bin = bins + cell_index(row - turns * CELLS);
    let first = starts[bin + u32(max(cells.first.x, 0))];
    let across = starts[bin + u32(min(cells.last.x + 1, CELLS.x))];
    if (!TORUS) {
        return Row(first, across, across, 0u, shift, 0);
    }
    // The cells beyond the edge on the left, or on the right, or none.
    let is_left = cells.first.x < 0;
    let right = vec2<i32>(0, max(cells.last.x + 1 - CELLS.x, 0));
    let beyond = vec2<u32>(select(right, vec2<i32>(cells.first.x + CELLS.x, CELLS.x), is_left));
    let first_beyond = starts[bin + beyond.x];
    let end = across + starts[bin + beyond.y] - first_beyond;
    return Row(first, across, end, first_beyond - across, shift, select(UNIT_EXTENTS.x, -UNIT_EXTENTS.x, is_left));
}

// The index among all of a candidate of a row.
fn index_in(row: Row, candidate: u32) -> u32 {
    return candidate + select(0u, row.jump, TORUS && candidate >= row.across);
}
