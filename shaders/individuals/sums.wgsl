// Sums over the neighbours of an individual: the twin of crates/core/src/individuals/sums.rs.
//
// A candidate is a neighbour for a rule if its squared distance, in units², is below the rule's threshold. All sums are
// integers over a set, so the order of the candidates does not matter.
//
// Generated around this file: Offset, a vector with the axes of the world; REACH, the greatest radius in units;
// UNITS_IN_CELL and RESOLUTION (numbers.rs beside the twin); SEES_HALF, HAS_ZONES and IS_OF_CELLS, which distinguish
// the sets of rules (table.rs there).

#import "individuals/rules"
#import "individuals/selection"

const LAST_AXIS: i32 = AXES - 1;

// The bound (units²) of the squared distances that an individual with this sight (Q10) sees; at least 1 if the rule
// sees neighbours.
fn within_sight(square: i32, sight: i32) -> i32 {
    return max((square * ((sight * sight) >> 10u)) >> 10u, min(square, 1));
}

// A candidate for a neighbour, in units.
struct Neighbour {
    offset: Offset,
    square: i32,            // the squared distance
    velocity: Offset,       // plus VELOCITY_BIAS
    own_velocity: Offset,   // of the individual that looks at it
}

// Adds a candidate with this index among all individuals. The squares of the offset fit: |components| < 2^14.
fn gather(
    sums: ptr<function, Sums>,
    offset: Offset,
    is_undecided: FlatBool,
    velocity: Offset,
    own: Offset,
    index: u32,
) {
    let square = dot(offset, offset);
    if (square >= REACH * REACH) {
        return;
    }
    // At exactly half a torus neither way is shorter: the distance counts, the direction is zero.
    let away = select(offset, Offset(0), is_undecided);
    if (SEES_HALF && away[LAST_AXIS] <= 0) {
        return;
    }
    if (!is_summed(square, away, index)) {
        return;
    }
    add_neighbour(sums, Neighbour(away, square, velocity, own));
}
