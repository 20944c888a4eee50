// The flight of the falcons, one for each invocation: from what they see to their places after the step. The twin is
// crates/core/src/falcons/mod.rs, which has the same names and describes the phases.
//
// v' = v + limit(speed·ŵ - v, turn), with ŵ the direction in which it wants to fly;  x' = x + v'
//
// Generated around this file: HUNTERS, the maximum number of hunters of a step; `falcons`; `seen`, the sums of each
// hunter (see shaders/falcons/seen.wgsl), which are 0 again afterwards; `flown`, the hunters of the step at their
// places after it; `moved` and `avoid_rock`, of open_water.wgsl or among_rock.wgsl.

#import "falcons/seen"

#ifdef HAS_ROCK
#import "falcons/among_rock"
#else
#import "falcons/open_water"
#endif

const WAITS: i32 = 0;
const STOOPS: i32 = 1;
const CLIMBS: i32 = 2;
const YIELDS: i32 = 3;
const COST: i32 = 2;

// The next phase and energy, the direction (Q14) in which a falcon wants to fly, and its speed.
struct Intent {
    phase: i32,
    energy: i32,
    wish: Vector3,
    speed: i32,
}

@compute @workgroup_size(16)
fn flight(@builtin(local_invocation_index) lane: u32) {
    if (lane >= HUNTERS) {
        return;
    }
    var hunter = parameters.hunters[lane];
    let number = u32(hunter.falcon - 1);
    if (hunter.falcon > 0 && number < arrayLength(&falcons)) {
        let falcon = fly(falcons[number], hunter, mean(8u * lane));
        falcons[number] = falcon;
        hunter.place = falcon.place;
    }
    flown[lane] = hunter;
    for (var word = 8u * lane; word < 8u * lane + 8u; word++) {
        seen[word] = 0u;
    }
}

// Σ p·s / Σ p in 1/16 cell; 0 if nothing is seen. Both sums are first shifted so that the amount has 19 bits, rounded
// towards 0.
fn mean(first: u32) -> Vector3 {
    let amount = vec2<u32>(seen[first], seen[first + 1u]);
    let zeros = countLeadingZeros(amount);
    let bits = max(64u - zeros.y - select(0u, zeros.x, amount.y == 0u), 19u) - 19u;
    let divisor = max(i32(shifted(amount, bits)), 1);
    return Vector3(
        quotient(shifted_moment(first + 2u, bits), divisor),
        quotient(shifted_moment(first + 4u, bits), divisor),
        quotient(shifted_moment(first + 6u, bits), divisor),
    );
}

// The low word of a number of two words without its last bits; bits < 32.
fn shifted(number: vec2<u32>, bits: u32) -> u32 {
    if (bits == 0u) {
        return number.x;
    }
    return (number.x >> bits) | (number.y << (32u - bits));
}

// A signed number without its last bits, rounded towards 0.
fn shifted_moment(first: u32, bits: u32) -> i32 {
    let moment = vec2<u32>(seen[first], seen[first + 1u]);
    if (bitcast<i32>(moment.y) >= 0) {
        return i32(shifted(moment, bits));
    }
    let low = ~moment.x + 1u;
    return -i32(shifted(vec2<u32>(low, ~moment.y + select(0u, 1u, low == 0u)), bits));
}

// The falcon after a step.
fn fly(falcon: Falcon, hunter: HunterNumbers, aim: Vector3) -> Falcon {
    var intent: Intent;
    if (hunter.yields_to > 0) {
        intent = yield_to(falcon, parameters.hunters[hunter.yields_to - 1], hunter);
    } else {
        intent = hunt(falcon, aim, hunter);
    }
    let wish = avoid_rock(falcon, intent.wish);
    let wanted = round_shift3(wish * intent.speed, 14u);
    let velocity = falcon.velocity + limit_length(wanted - falcon.velocity, hunter.turn);
    return moved(Falcon(falcon.place, intent.phase, falcon.remainder, intent.energy, velocity, 0));
}

fn hunt(falcon: Falcon, aim: Vector3, hunter: HunterNumbers) -> Intent {
    let distance = length3(aim);
    let heading = normalise(falcon.velocity);
    // It sees nothing, or equally much on all sides.
    let is_lost = distance == 0;
    var energy = min(falcon.energy + 1, hunter.rest);
    var phase = WAITS;
    if (falcon.phase == STOOPS) {
        energy = max(falcon.energy - COST, 0);
        phase = select(STOOPS, CLIMBS, is_lost || energy == 0 || 2 * distance <= 16 * hunter.reach);
    } else if (falcon.phase == CLIMBS) {
        phase = select(WAITS, CLIMBS, !is_lost && energy < hunter.rest && distance < 16 * hunter.distance);
    } else if (!is_lost && energy == hunter.rest) {
        phase = STOOPS;
    }
    if (is_lost || phase == CLIMBS) {
        return Intent(phase, energy, heading, hunter.speed);
    }
    if (phase == STOOPS) {
        return Intent(phase, energy, normalise(aim), hunter.peak);
    }
    return Intent(phase, energy, circle(aim, 16 * hunter.distance, heading), hunter.speed);
}

// The intent while a player hunts: the falcon circles around the player at twice its distance from the swarm.
fn yield_to(falcon: Falcon, player: HunterNumbers, hunter: HunterNumbers) -> Intent {
    let aim = -decided(offset_from_hunter(player, falcon.place));
    let wish = circle(aim, 2 * 16 * hunter.distance, normalise(falcon.velocity));
    return Intent(YIELDS, 0, wish, hunter.speed);
}

// The direction (Q14) in which to fly in order to circle at a distance from an aim (1/16 cell).
//
// w = h - (h·â)â + clamp((|a| - distance)/distance, ±1)·â;  if w is 0, the heading stays
fn circle(aim: Vector3, distance: i32, heading: Vector3) -> Vector3 {
    let towards = normalise(aim);
    let along = round_shift(dot(heading, towards), 14u);
    // The length needs components of at most 2^15. Twice the distance counts as far.
    let held = clamp(aim, Vector3(-2 * distance), Vector3(2 * distance));
    let outside = quotient((min(length3(held), 2 * distance) - distance) * ONE, distance);
    let wish = normalise(heading + round_shift3(towards * (outside - along), 14u));
    return select(wish, heading, all(wish == Vector3(0)));
}
