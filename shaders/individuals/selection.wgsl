// Who of the candidates within the radii is a neighbour: those in the view of an individual, and of these the nearest. The
// twin is crates/core/src/individuals/selection.rs, where the numbers are bounded.
//
// in view: h·d ≥ |d| cos(view / 2)      the nearest: the first k by (|d|², number)
//
// An individual looks at its candidates twice: first it finds the nearest, then it sums over them. The individual itself is
// always in view, and is none of the nearest.
//
// Generated around this file: NEAREST, the most neighbours that a species asks for, 0 where all count; `greatest_sight`, the
// greatest `sight_of_…` of the set.

#import "individuals/candidate"
#import "individuals/situation"

#ifdef HAS_SELECTION

const ALL_AROUND: i32 = -32768;
const PLACES: u32 = max(NEAREST, 1u);

// The individual that looks.
var<private> own_number: u32;
var<private> own_heading: Offset;   // Q14
var<private> own_view: i32;         // the cosine (Q14) of half the view
// The nearest so far, in their order.
var<private> is_finding: bool;
var<private> squares: array<i32, PLACES>;
var<private> numbers: array<u32, PLACES>;

// Sets whose candidates are selected. One at rest sees all around.
fn select_for(own: Individual) {
    own_number = own.number;
    own_heading = flat(normalise(own.velocity));
    own_view = select(parameters.species[own_species].view, ALL_AROUND, all(own_heading == Offset(0)));
    is_finding = false;
}

fn begin_finding() {
    is_finding = true;
    for (var place = 0u; place < PLACES; place++) {
        squares[place] = 0x7fffffff;
        numbers[place] = 0xffffffffu;
    }
}

fn end_finding() {
    is_finding = false;
}

// Whether a candidate is a neighbour, by the square of its distance (units²), its offset and its index. While the nearest are found, none is.
fn is_selected(square: i32, away: Offset, index: u32) -> bool {
    let nearest = parameters.species[own_species].nearest;
    let last = clamp(nearest, 1u, PLACES) - 1u;
    let is_all = nearest == 0u;
    if (is_finding && (is_all || square > squares[last] || square >= greatest_sight())) {
        return false;
    }
    if (own_view > ALL_AROUND && !is_in_view(square, away)) {
        return false;
    }
    if (is_finding) {
        note(square, sorted[index].number);
        return false;
    }
    if (is_all || square < squares[last]) {
        return true;
    }
    let number = sorted[index].number;
    return number == own_number || (square == squares[last] && number <= numbers[last]);
}

// Whether a candidate is in view. Of a distance five bits below a unit count.
fn is_in_view(square: i32, away: Offset) -> bool {
    return (dot(away, own_heading) << 5u) >= own_view * i32(square_root(u32(square) << 10u));
}

// Takes another one in among the nearest.
fn note(square: i32, number: u32) {
    if (number == own_number) {
        return;
    }
    var next_square = square;
    var next_number = number;
    for (var place = 0u; place < PLACES; place++) {
        let old_square = squares[place];
        let old_number = numbers[place];
        if (next_square < old_square || (next_square == old_square && next_number < old_number)) {
            squares[place] = next_square;
            numbers[place] = next_number;
            next_square = old_square;
            next_number = old_number;
        }
    }
}

#else

// All within the radii are neighbours.

fn select_for(own: Individual) {
}

fn begin_finding() {
}

fn end_finding() {
}

fn is_selected(square: i32, away: Offset, index: u32) -> bool {
    return true;
}

#endif
