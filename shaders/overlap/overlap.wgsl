// Overlap queries: a workgroup answers a query (`docs/library.md, Queries`). Twin: crates/core/src/overlap.rs. Lengths are in 1/16 cell.
//
// Generated around this file: OverlapNumbers, IS_TORUS, SPACE_ENDS (the extents in 1/16 cell), the lists `queries` and `results`.

const LANES: u32 = 64u;
const OUTSIDE: u32 = 0xffffffffu;

// What was found: quanta in two words, and the nearest of it.
struct Found {
    low: u32,
    high: u32,
    // OUTSIDE: nothing was found.
    square: u32,
    number: u32,
    place: vec3<i32>,
}

var<workgroup> found_by_lane: array<Found, 64>;

fn nothing() -> Found {
    return Found(0u, 0u, OUTSIDE, 0u, vec3<i32>(0));
}

// The sum of the quanta, and the nearer of two; of two with the same distance the lesser number.
fn joined(one: Found, other: Found) -> Found {
    let low = one.low + other.low;
    let high = one.high + other.high + select(0u, 1u, low < other.low);
    let is_other = other.square < one.square || (other.square == one.square && other.number < one.number);
    return Found(
        low,
        high,
        select(one.square, other.square, is_other),
        select(one.number, other.number, is_other),
        select(one.place, other.place, is_other),
    );
}

// The short way round a torus.
fn away_along(start: i32, end: i32, extent: i32) -> i32 {
    let straight = end - start;
    if (!IS_TORUS) {
        return straight;
    }
    return straight - select(0, extent, 2 * straight > extent) + select(0, extent, 2 * straight < -extent);
}

// The squared distance of a place from the middle of a query; OUTSIDE: it is outside.
fn square_of(query: OverlapNumbers, place: vec3<i32>) -> u32 {
    let away = vec3<i32>(
        away_along(query.x, place.x, SPACE_ENDS.x),
        away_along(query.y, place.y, SPACE_ENDS.y),
        away_along(query.z, place.z, SPACE_ENDS.z),
    );
    let half = vec3<i32>(query.half_x, query.half_y, query.half_z);
    if (any(away < -half) || any(away >= half)) {
        return OUTSIDE;
    }
    let way = vec3<u32>(abs(away));
    let square = way.x * way.x + way.y * way.y + select(0u, way.z * way.z, query.counts_z == 1);
    return select(OUTSIDE, square, square <= query.square);
}

// Joins what all lanes have found, and writes it.
fn write_result(query: u32, lane: u32, own: Found) {
    found_by_lane[lane] = own;
    for (var half = LANES / 2u; half > 0u; half = half / 2u) {
        workgroupBarrier();
        if (lane < half) {
            found_by_lane[lane] = joined(found_by_lane[lane], found_by_lane[lane + half]);
        }
    }
    if (lane == 0u && query < arrayLength(&queries)) {
        let all = found_by_lane[0];
        results[2u * query] = vec4<u32>(all.low, all.high, all.square, all.number);
        results[2u * query + 1u] = vec4<u32>(vec3<u32>(all.place), 0u);
    }
}
