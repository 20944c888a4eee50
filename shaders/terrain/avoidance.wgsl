// Avoidance: rays around the heading, the least turn first, look for a free way (*Let's make an aquarium*, Michael
// Yang). The twin is crates/core/src/terrain/avoidance.rs.
//
// v = w · (1 + growth · (1 - d/reach)), with w the direction of the chosen ray and d the distance to the obstacle ahead
//
// Generated around this file: RAYS, the number of rays, whose directions (Q14, to the right, upwards and ahead) lie in
// `solids` from RAYS_AT on, two words each; ALWAYS, the number of rays that are always traced; RAY_REACH (Q8 of a
// cell); CLEARANCE, in quarters of a cell; and GROWTH (Q10).

#import "terrain/gaps"
#import "individuals/situation"

// The bound of the square of a heading's part in the plane (Q28), below which the heading is vertical.
const VERTICAL: i32 = 1048576;
// The least advance between two samples of the gap field, Q8.
const MIN_ADVANCE: i32 = 128;

// An individual's right, up and ahead (Q14).
struct Frame {
    right: Vector3,
    up: Vector3,
    ahead: Vector3,
}

fn avoidance_control(individual: Situation) -> Vector3 {
    if (all(individual.velocity == Vector3(0))) {
        return Vector3(0);
    }
    let frame = frame_of(individual.velocity);
    let own = gap_at(individual.place);
    var way = frame.ahead;
    var ahead = RAY_REACH;
    var farthest = 0;
    var free = 0;
    var sum = Vector3(0);
    for (var i = 0; i < RAYS; i++) {
        let ray = in_world(ray_at(i), frame);
        let distance = trace(individual.place, ray, own);
        if (distance < 0) {
            if (i >= ALWAYS) {
                way = ray;
                break;
            }
            free++;
            sum += ray;
        } else {
            ahead = select(ahead, distance, i == 0);
            if (distance > farthest) {
                farthest = distance;
                way = ray;
            }
        }
        if (i + 1 == ALWAYS && free > 0) {
            way = normalise(sum);
            break;
        }
    }
    let nearness = RULE_ONE - quotient(ahead * RULE_ONE, RAY_REACH);
    return round_shift3(way * (RULE_ONE + round_shift(GROWTH * nearness, 10u)), 14u);
}

// The distance (Q8) that a ball gets from a place in a direction before it touches rock; -1: nothing is hit within the
// reach. Up to the distance CLEARANCE, the ball is no wider than `own`, the gap at the individual.
fn trace(place: Vector3, direction: Vector3, own: i32) -> i32 {
    let grace = 64 * CLEARANCE;
    for (var distance = 0; distance <= RAY_REACH;) {
        let wanted = select(CLEARANCE, min(CLEARANCE, own), distance < grace);
        let gap = gap_at(place + ((direction * distance) >> vec3<u32>(6u)));
        if (gap < wanted) {
            return distance;
        }
        let next = distance + max(64 * (gap - wanted), MIN_ADVANCE);
        // The wider ball is tested from its beginning on.
        distance = select(next, min(next, grace), wanted < CLEARANCE && distance < grace);
    }
    return -1;
}

// The frame of an individual. The direction to its right is level; if the heading is vertical, that direction lies
// across x.
fn frame_of(velocity: Vector3) -> Frame {
    let f = normalise(velocity);
    let is_vertical = f.x * f.x + f.y * f.y < VERTICAL;
    let right = normalise(select(Vector3(f.y, -f.x, 0), Vector3(0, f.z, -f.y), is_vertical));
    return Frame(right, round_shift3(cross_product(right, f), 14u), f);
}

fn cross_product(a: Vector3, b: Vector3) -> Vector3 {
    return a.yzx * b.zxy - a.zxy * b.yzx;
}

// Converts a direction in a frame to a direction in the world (Q14).
fn in_world(ray: Vector3, frame: Frame) -> Vector3 {
    return round_shift3(ray.x * frame.right + ray.y * frame.up + ray.z * frame.ahead, 14u);
}

fn ray_at(index: i32) -> Vector3 {
    let at = RAYS_AT + 2u * u32(index);
    return Vector3(unpack(solids[at]), bitcast<i32>(solids[at + 1u]));
}
