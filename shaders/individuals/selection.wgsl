// The selection of neighbours among the candidates within the radii: those in the view of an individual, and of these
// the nearest. The twin is crates/core/src/individuals/search/selected.rs, which has the bounds of the numbers.
//
// in view: h·d ≥ |d| cos(view / 2)      the nearest: the first k by (|d|², number)
//
// While candidates are gathered, the nearest are kept in their order. They are summed at the end. The individual itself
// is always in view. It is not counted among the nearest.
//
// Generated around this file: MAX_NEAREST, the greatest number of neighbours that a species asks for; 0: all count.
// Variables of the individual that looks: `own_number`, `own_heading` (Q14), and `own_view` and `own_repulsion_view`,
// the cosines (Q14) of half its view beyond and within the radius of separation. Variables of the nearest until now, in
// their order: `squares` of distances, NO_SQUARE after the last one; `numbers`; and `indices` among all individuals.

#import "individuals/candidate"
#import "individuals/short_way"
#import "individuals/situation"

#ifdef HAS_SELECTION

const ALL_AROUND: i32 = -32768;
const MAX_KEPT: u32 = max(MAX_NEAREST, 1u);
const NO_SQUARE: i32 = 0x7fffffff;

// Sets the individual whose candidates are selected. An individual at rest sees all around.
fn select_for(own: Individual) {
    own_number = own.number;
    own_heading = flat(normalise(own.velocity));
    let sees_all = all(own_heading == Offset(0));
    own_view = select(parameters.species[own_species].view, ALL_AROUND, sees_all);
    own_repulsion_view = select(parameters.species[own_species].repulsion_view, ALL_AROUND, sees_all);
}

// Begins a selection among the individuals of a species.
fn begin_selection() {
    for (var place = 0u; place < MAX_KEPT; place++) {
        squares[place] = NO_SQUARE;
        numbers[place] = 0xffffffffu;
    }
}

// Whether a candidate is summed at once, by the square of its distance (units²), its offset and its index.
fn is_summed(square: i32, away: Offset, index: u32) -> bool {
    let nearest = parameters.species[own_species].nearest;
    if (nearest > 0u && (square > squares[min(nearest, MAX_KEPT) - 1u] || square >= greatest_sight())) {
        return false;
    }
    // The distance has five fraction bits.
    let distance = i32(square_root(u32(square) << 10u));
    let view = select(own_view, own_repulsion_view, square < sight_of_separation());
    if (view > ALL_AROUND && (dot(away, own_heading) << 5u) < view * distance) {
        return false;
    }
    if (nearest == 0u) {
        return true;
    }
    let number = sorted[index].number;
    if (number != own_number) {
        keep(square, number, index);
    }
    return number == own_number;
}

// Inserts another individual into the nearest.
fn keep(square: i32, number: u32, index: u32) {
    var next_square = square;
    var next_number = number;
    var next_index = index;
    for (var place = 0u; place < MAX_KEPT; place++) {
        let old_square = squares[place];
        let old_number = numbers[place];
        let old_index = indices[place];
        if (next_square < old_square || (next_square == old_square && next_number < old_number)) {
            squares[place] = next_square;
            numbers[place] = next_number;
            indices[place] = next_index;
            next_square = old_square;
            next_number = old_number;
            next_index = old_index;
        }
    }
}

// Adds the nearest, seen from a place (Q16) by an individual with a velocity in units.
fn gather_nearest(sums: ptr<function, Sums>, place: Vector3, velocity: Offset) {
    let here = flat(in_units(place));
    for (var at = 0u; at < MAX_KEPT; at++) {
        if (at < parameters.species[own_species].nearest && squares[at] < NO_SQUARE) {
            let other = sorted[indices[at]];
            let away = short_way(flat(in_units(other.place)) - here, flat(UNIT_EXTENTS), FlatBool(TORUS));
            let is_undecided = FlatBool(TORUS) & (2 * abs(away) == flat(UNIT_EXTENTS));
            let moving = flat(velocity_in_units(other.velocity)) + Offset(VELOCITY_BIAS);
            add_neighbour(sums, Neighbour(select(away, Offset(0), is_undecided), squares[at], moving, velocity));
        }
    }
}

#else

// All within the radii are neighbours.

fn select_for(own: Individual) {
}

fn begin_selection() {
}

fn is_summed(square: i32, away: Offset, index: u32) -> bool {
    return true;
}

fn gather_nearest(sums: ptr<function, Sums>, place: Vector3, velocity: Offset) {
}

#endif
