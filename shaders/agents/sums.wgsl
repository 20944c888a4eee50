// What an agent sums over its neighbours: the twin of src/agents/sums.rs.
//
// A candidate is a neighbour for a rule where its squared distance, in units², is below the rule's threshold. All sums
// are integers over a set, so that the order of the candidates cannot matter.
//
// Generated around this file: Offset, a vector of the axes that the world has; REACH, and the thresholds SEES_COHESION,
// SEES_SEPARATION, SEES_ALIGNMENT and SEES_CLARITY; UNITS_IN_CELL and RESOLUTION (see src/agents/rules.rs); and SET with
// the sets of rules.

const HAS_CLARITY: bool = SET == FLOCK || SET == HALF_FLOCK;
const LAST_AXIS: i32 = AXES - 1;

struct Sums {
    cohesion: Offset,
    cohering: i32,
    separation: Offset,
    alignment: Offset,
    aligning: i32,
    clarity: Offset,
}

// The offset by the short way round a torus of these extents in units, on the axes where the world is one.
fn short_way(straight: Offset, extents: Offset, is_torus: FlatBool) -> Offset {
    let over = select(Offset(0), extents, is_torus & (2 * straight > extents));
    let under = select(Offset(0), extents, is_torus & (2 * straight < -extents));
    return straight - over + under;
}

// Adds a candidate at an offset, whose velocity stands above a bias. The squares of the offset fit: |components| < 2^14.
fn gather(sums: ptr<function, Sums>, offset: Offset, is_undecided: FlatBool, velocity: Offset, own: Offset) {
    let square = dot(offset, offset);
    if (square >= REACH * REACH) {
        return;
    }
    // At exactly half a torus neither way is shorter: the distance counts, the direction is none.
    let away = select(offset, Offset(0), is_undecided);
    if (SET == HALF_FLOCK && away[LAST_AXIS] <= 0) {
        return;
    }
    if (square < SEES_COHESION) {
        (*sums).cohesion += away;
        (*sums).cohering += 1;
    }
    if (square < SEES_SEPARATION) {
        if (SET == REYNOLDS) {
            (*sums).separation += inverse(away, square);
        } else {
            (*sums).separation += away;
        }
    }
    if (square < SEES_ALIGNMENT) {
        (*sums).alignment += velocity;
        (*sums).aligning += 1;
    }
    if (HAS_CLARITY && square < SEES_CLARITY && dot(away, own) > 0) {
        (*sums).clarity += away;
    }
}

// offset/distance², in RESOLUTION per cell; within a cell's length it fades to 0 instead of growing beyond all bounds.
// |offset| ≤ RESOLUTION ≤ 2^10, and UNITS_IN_CELL ≤ 2^10.
fn inverse(away: Offset, square: i32) -> Offset {
    let near = max(square, UNITS_IN_CELL * UNITS_IN_CELL);
    let scaled = in_space(away * (UNITS_IN_CELL * RESOLUTION));
    var each = Vector3(quotient(scaled.x, near), quotient(scaled.y, near), 0);
    if (AXES == 3) {
        each.z = quotient(scaled.z, near);
    }
    return flat(each);
}

// Takes the agent itself out of its sums where the rules do not count it: it stands among its neighbours at distance 0.
fn without_self(sums: Sums, velocity: Offset) -> Sums {
    var others = sums;
    if (SET == SCHOOL || SET == FLOCK) {
        if (SEES_ALIGNMENT > 0) {
            others.aligning -= 1;
            others.alignment -= velocity;
        }
        if (SEES_COHESION > 0) {
            others.cohering -= 1;
        }
    }
    return others;
}
