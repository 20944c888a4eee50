// The cells of the grid around an individual, and the candidates in them.
//
// Generated around this file: CELLS, the cells of the search along each axis; AROUND, the number of cells to either
// side of a cell that may hold neighbours; UNIT_EXTENTS, the extents in units; and the buffer `starts`, the first
// candidate of each cell.

#import "individuals/account"

// A box of cells, from the first to the last along each axis. A cell beyond an edge of a torus is the cell at the other
// side.
struct CellsAround {
    first: Vector3,
    last: Vector3,
}

// A row of candidates, numbered from `first` up to `end`. Candidates from `first_across` on lie across an edge along x.
// The index of such a candidate is its number plus `index_shift`. `shift` is the distance of the row beyond the edges
// along y and z, in units. `shift_across` is the distance along x, from `first_across` on.
struct Row {
    first: u32,
    first_across: u32,
    end: u32,
    index_shift: u32,
    shift: Vector3,
    shift_across: i32,
}

// The cell of a place (Q16) at most one extent beyond an edge. Cell numbers continue beyond the edge: -1 comes before
// 0.
fn cell_beyond(place: Vector3) -> Vector3 {
    let under = place < Vector3(0);
    let over = place >= ends();
    return cell_at(wrap(place)) + select(Vector3(0), CELLS, over) - select(Vector3(0), CELLS, under);
}

// The cells that may hold neighbours of the individuals in a cell.
fn cells_around(cell: Vector3) -> CellsAround {
    return without_repeats(CellsAround(cell - AROUND, cell + AROUND));
}

// The cells that may hold individuals within a distance of a place (Q16). The square of the distance is below `bound`
// (units²).
fn cells_within(place: Vector3, bound: i32) -> CellsAround {
    let cell = cell_at(place);
    // One more unit, because places are rounded down to units.
    let distance = min(Vector3(i32(square_root(u32(bound)) + 1u) << PLACE_UNIT), ends());
    let first = max(cell_beyond(place - distance), cell - AROUND);
    return without_repeats(CellsAround(first, min(cell_beyond(place + distance), cell + AROUND)));
}

// The cells without repetitions, and without those beyond walls.
fn without_repeats(cells: CellsAround) -> CellsAround {
    if (!TORUS) {
        return CellsAround(max(cells.first, Vector3(0)), min(cells.last, CELLS - 1));
    }
    let has_all = cells.last - cells.first >= CELLS;
    return CellsAround(select(cells.first, Vector3(0), has_all), select(cells.last, CELLS - 1, has_all));
}

// The candidates in the cells around that have this y and this z. `bins`: the first bin of the candidates.
fn row_of(cells: CellsAround, yz: vec2<i32>, bins: u32) -> Row {
    let row = Vector3(0, yz);
    let turns = select(Vector3(0), Vector3(1), row >= CELLS) - select(Vector3(0), Vector3(1), row < Vector3(0));
    let shift = turns * UNIT_EXTENTS;
    let bin = bins + cell_index(row - turns * CELLS);
    let first = starts[bin + u32(max(cells.first.x, 0))];
    let first_across = starts[bin + u32(min(cells.last.x + 1, CELLS.x))];
    if (!TORUS) {
        return Row(first, first_across, first_across, 0u, shift, 0);
    }
    // The cells beyond the edge on the left, or on the right, or none.
    let is_left = cells.first.x < 0;
    let right = vec2<i32>(0, max(cells.last.x + 1 - CELLS.x, 0));
    let beyond = vec2<u32>(select(right, vec2<i32>(cells.first.x + CELLS.x, CELLS.x), is_left));
    let first_beyond = starts[bin + beyond.x];
    let end = first_across + starts[bin + beyond.y] - first_beyond;
    let shift_across = select(UNIT_EXTENTS.x, -UNIT_EXTENTS.x, is_left);
    return Row(first, first_across, end, first_beyond - first_across, shift, shift_across);
}

// The index of a candidate of a row, by its number.
fn candidate_index(row: Row, number: u32) -> u32 {
    return number + select(0u, row.index_shift, TORUS && number >= row.first_across);
}
