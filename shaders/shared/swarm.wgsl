// Functions that several kernels of cells share. The twins are in crates/core/src/cells/, with equal names.

// Perceived density p = min(D >> shift, p_max).
fn perceive(density: u32) -> i32 {
    return i32(min(density >> parameters.shift, parameters.most_perceived));
}

// Whether a cell of this density rests: it gives nothing and keeps its control vector.
fn rests(density: u32) -> bool {
    return density < parameters.rest;
}

// The amount of a cell that moves: 0 if the cell rests.
fn amount_awake(density: u32) -> u32 {
    return select(density, 0u, rests(density));
}

// A control vector (Q14) in the unit of sums and rules (Q10).
fn to_q10(control: Vector) -> Vector {
    return each_round_shift(control, 4u);
}

// v_c (Q10) from Σ s·p and Σ p; zero if nothing is in sight, because the first sum is then zero.
//
// v_c = Σ s·p / Σ p / R
fn control_of_cohesion(centre: Vector, seen: i32, reach: i32) -> Vector {
    return clamp_components(each_ratio(centre, max(seen * reach, 1)), RULE_LIMIT);
}

// v_s (Q10) from Σ p·s/|s|² (Q10).
//
// v_s = - Σ p·s/|s|² / crowd
fn control_of_separation(pressure: Vector) -> Vector {
    let crowd = parameters.crowd;
    // Clamped to four crowds before the division, so that the quotient is within its domain.
    let held = clamp_components(pressure, RULE_LIMIT * crowd);
    return -each_quotient(held, crowd);
}

// v_a (Q10) from Σ V·p (Q10), Σ p and the cell's own V (Q14); zero if nothing is seen.
//
// v_a = Σ V·p / Σ p - V
fn control_of_alignment(momentum: Vector, seen: i32, own: Vector) -> Vector {
    if (seen == 0) {
        return Vector(0);
    }
    return each_quotient(momentum, seen) - to_q10(own);
}

// V' (Q14) from V (Q14) and Σ w·v (Q20).
//
// V' = limit( round(keep·V) + Σ w·v )
fn control_of_steering(own: Vector, sum: Vector) -> Vector {
    let wanted = each_round_shift(parameters.keep * own, 10u) + each_round_shift(sum, 6u);
    return limit(wanted, parameters.cruise, parameters.max);
}

// The step to the cell ahead along each axis: 1 or -1.
fn step_ahead(control: Vector) -> Cell {
    return select(Cell(1), Cell(-1), control < Vector(0));
}

// The components of a step between neighbouring cells, as separate steps. In a deep world the last component is along
// z.
fn along_x(step: Cell) -> Cell {
    var along = Cell(0);
    along.x = step.x;
    return along;
}

fn along_y(step: Cell) -> Cell {
    var along = Cell(0);
    along.y = step.y;
    return along;
}

fn along_last(step: Cell) -> Cell {
    var along = Cell(0);
    along[LAST] = step[LAST];
    return along;
}

// A component of a control vector, reversed if the cell straight ahead, of this capacity, is solid or outside.
fn bounce(component: i32, capacity: u32) -> i32 {
    return select(component, -component, capacity == 0u);
}

// The free capacity of a cell; 0 for a solid.
fn remaining_capacity(capacity: u32, density: u32) -> u32 {
    return max(capacity, density) - density;
}

// The amount of prey that one layer eats from another in a cell: the rate (Q14) times the least of both amounts and the
// eater's room.
fn meal(eater: u32, prey: u32, capacity: u32, rate: u32) -> u32 {
    return multiply_fraction(min(min(eater, prey), remaining_capacity(capacity, eater)), rate);
}

// The density and control vector of a cell.
struct CellState {
    density: u32,
    control: Vector,
}

fn if_headed_here(is_headed_here: bool, amount: u32) -> u32 {
    return select(0u, amount, is_headed_here);
}
