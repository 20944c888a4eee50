// Steer, with neighbours from the cells around: all within the greatest radius are there, because a cell is at least as
// wide. The cells of a row lie one after the other, so that three of them are one run of candidates.
//
// Generated around this file: NARROW, the axes of a torus on which it has fewer than three cells: there all cells are
// around, and the offset goes the short way; UNIT_EXTENTS, the extents in units; and IS_FAR, whether cells are so wide that
// squares beyond the reach might not fit.

@compute @workgroup_size(WORKGROUP)
fn steer_grid(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = invocation(group, groups, lane);
    if (i >= account[LIVING]) {
        return;
    }
    let own = sorted[i];
    // In a flat world the compiler knows that z is 0.
    let velocity = in_space(flat(own.velocity));
    see_as(own);
    var sums = sum_around(own.place, flat(velocity_in_units(velocity)));
    // Each velocity was summed above the bias.
    sums.alignment -= Offset(BIAS * sums.alignment_count);
    individuals[i] = live_and_move(own, velocity, sums, steer(Situation(own.place, velocity, sums)));
}

fn sum_around(place: Vector3, velocity: Offset) -> Sums {
    let cell = cell_at(place);
    let own = flat(in_units(place));
    var sums = Sums();
    let deep = select(0, 1, AXES == 3);
    for (var step_z = -deep; step_z <= deep; step_z++) {
        for (var step_y = -1; step_y <= 1; step_y++) {
            let row = neighbour_cell(cell + Vector3(0, step_y, step_z));
            if (row.is_outside) {
                continue;
            }
            // The cells of the row within the grid are one run.
            let first = max(cell.x - 1, 0);
            let end = min(cell.x + 2, CELLS.x);
            let at = cell_index(Vector3(0, row.cell.yz));
            let origin = own - flat(row.shift);
            gather_run(&sums, at + u32(first), at + u32(end), origin, velocity);
            // The cell across an edge along x is another run.
            if (TORUS && CELLS.x >= 3 && (first == cell.x || end == cell.x + 1)) {
                let other = neighbour_cell(Vector3(select(CELLS.x, -1, first == cell.x), row.cell.yz));
                let seen = origin - flat(other.shift);
                gather_run(&sums, at + u32(other.cell.x), at + u32(other.cell.x) + 1u, seen, velocity);
            }
        }
    }
    return sums;
}

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

// Adds the candidates of the cells from `first` up to `end`, as they are seen from an origin in units.
fn gather_run(sums: ptr<function, Sums>, first: u32, end: u32, origin: Offset, velocity: Offset) {
    let shifted = origin << UnsignedOffset(12u);
    let last = starts[end];
    for (var j = starts[first]; j < last; j++) {
        let other = candidates[j];
        var away = short_way(offset_to(other, shifted), flat(UNIT_EXTENTS), NARROW);
        if (IS_FAR) {
            away = clamp(away, Offset(-2 * REACH), Offset(2 * REACH));
        }
        gather(sums, away, NARROW & (2 * abs(away) == flat(UNIT_EXTENTS)), biased_velocity(other), velocity);
    }
}
