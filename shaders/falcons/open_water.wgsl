// The movement of a falcon in a world without rock. The twin is `moved` in crates/core/src/falcons/mod.rs.

#import "falcons/seen"

// The direction (Q14) in which a falcon flies: without rock it is the wish.
fn avoid_rock(falcon: Falcon, wish: Vector3) -> Vector3 {
    return wish;
}

// The falcon after its movement: round a torus, or back from walls, which reverse its velocity.
fn moved(falcon: Falcon) -> Falcon {
    let way = falcon.remainder + falcon.velocity;
    let parts = round_shift3(way, 6u);
    let remainder = way - 64 * parts;
    let place = falcon.place + parts;
    if (TORUS) {
        let wrapped = ((place % ENDS) + ENDS) % ENDS;
        return Falcon(wrapped, falcon.phase, remainder, falcon.energy, falcon.velocity, 0);
    }
    let last = ENDS - 16;
    let under = place < Vector3(0);
    let turns = under | (place > last);
    let back = clamp(select(2 * last - place, -place, under), Vector3(0), last);
    return Falcon(
        select(place, back, turns),
        falcon.phase,
        select(remainder, -remainder, turns),
        falcon.energy,
        select(falcon.velocity, -falcon.velocity, turns),
        0,
    );
}
