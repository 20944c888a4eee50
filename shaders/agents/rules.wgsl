// From what an agent sums over its neighbours to its next velocity: the twin of src/agents/steer.rs, where the formulas
// are explained. Velocities are Q14 of a cell a step; a zero vector has no direction and asks for nothing.
//
// The numbers of a step are `parameters` (src/agents/parameters.rs). Generated around this file: COHESION_REACH, the radius in
// units, and COARSE, 1024 in RESOLUTION.

// The places of the weights in `parameters.weights`.
const WEIGHT_COHESION: i32 = 0;
const WEIGHT_SEPARATION: i32 = 1;
const WEIGHT_ALIGNMENT: i32 = 2;
const WEIGHT_CLARITY: i32 = 3;
const WEIGHT_HUNTER: i32 = 4;
const WEIGHT_WALLS: i32 = 5;

fn weight(place: i32) -> i32 {
    return parameters.weights[place / 4][place % 4];
}

// What else asks something of an agent: the vectors (Q10) of the hunter and of the walls.
struct Surroundings {
    hunter: Vector3,
    walls: Vector3,
}

fn next_velocity(velocity: Vector3, sums: Sums, around: Surroundings) -> Vector3 {
    if (SET == SCHOOL) {
        return school(velocity, sums, around);
    }
    if (SET == REYNOLDS) {
        return reynolds(velocity, sums, around);
    }
    return flock(velocity, sums, around);
}

// a = limit(w_c·ĉ + w_s·ŝ + w_a·â, force), a_z = 0;  v' = limit(v + a, max)
fn school(velocity: Vector3, sums: Sums, around: Surroundings) -> Vector3 {
    let wanted = normalise(in_space(sums.cohesion)) * weight(WEIGHT_COHESION)
        - normalise(in_space(sums.separation)) * weight(WEIGHT_SEPARATION)
        + normalise(in_space(sums.alignment)) * weight(WEIGHT_ALIGNMENT);
    var acceleration = limit_length(round_shift3(wanted, 20u - parameters.weight_bits), parameters.force);
    acceleration.z = 0;
    return limit_length(velocity + acceleration + of_surroundings(around), parameters.max);
}

// f(x) = limit(x̂·max - v, force);  v' = limit(v + w_a·f(Σv) + w_s·f(-Σd) + w_c·f(Σd) + w_v·f(-lateral), max)
fn flock(velocity: Vector3, sums: Sums, around: Surroundings) -> Vector3 {
    let force = wanted(velocity, in_space(sums.alignment)) * weight(WEIGHT_ALIGNMENT)
        + wanted(velocity, -in_space(sums.separation)) * weight(WEIGHT_SEPARATION)
        + wanted(velocity, in_space(sums.cohesion)) * weight(WEIGHT_COHESION)
        + wanted(velocity, -lateral(in_space(sums.clarity), velocity)) * weight(WEIGHT_CLARITY);
    let turned = round_shift3(force, 20u - parameters.weight_bits) + of_surroundings(around);
    return limit_length(velocity + turned, parameters.max);
}

// f(x), and nothing for x = 0.
fn wanted(velocity: Vector3, x: Vector3) -> Vector3 {
    if (all(x == Vector3(0))) {
        return Vector3(0);
    }
    return limit_length(round_shift3(normalise(x) * parameters.max, 14u) - velocity, parameters.force);
}

// The part of an offset across a velocity, as a vector whose direction matters alone. Both become directions (Q14): their
// product is at most 2^28, and what lies along is at most 2^14 again.
fn lateral(away: Vector3, velocity: Vector3) -> Vector3 {
    let direction = normalise(away);
    let way = normalise(velocity);
    let along = round_shift(dot(direction, way), 14u);
    return direction - round_shift3(way * along, 14u);
}

// v_c = Σd / n / R;  v_s = - Σ d/|d|² / crowd;  v_a = Σv / n - v;  V' = limit(keep·V + Σ w·v)
fn reynolds(velocity: Vector3, sums: Sums, around: Surroundings) -> Vector3 {
    let cohering = max(sums.cohering, 1) * COHESION_REACH;
    let pulled = in_space(sums.cohesion);
    let cohesion = Vector3(ratio(pulled.x, cohering), ratio(pulled.y, cohering), ratio(pulled.z, cohering));
    let most = parameters.most_apart;
    let apart = clamp(in_space(sums.separation), Vector3(-most), Vector3(most)) * COARSE;
    let separation = -Vector3(ratio(apart.x, parameters.crowd), ratio(apart.y, parameters.crowd), ratio(apart.z, parameters.crowd));
    let together = in_space(sums.alignment);
    let aligning = max(sums.aligning, 1);
    let mean = Vector3(
        quotient(together.x, aligning),
        quotient(together.y, aligning),
        quotient(together.z, aligning),
    );
    let alignment = round_shift3(mean << vec3<u32>(VELOCITY_UNIT), 4u) - round_shift3(velocity, 4u);
    let asked = weighted(cohesion, weight(WEIGHT_COHESION))
        + weighted(separation, weight(WEIGHT_SEPARATION))
        + weighted(alignment, weight(WEIGHT_ALIGNMENT))
        + weighted(around.hunter, weight(WEIGHT_HUNTER))
        + weighted(around.walls, weight(WEIGHT_WALLS));
    // Q10 times Q(20 - b) becomes Q14.
    let turned = round_shift3(velocity * parameters.keep, 10u) + round_shift3(asked, 16u - parameters.weight_bits);
    return limit_control(turned);
}

fn weighted(v: Vector3, weight: i32) -> Vector3 {
    return clamp(v, Vector3(-RULE_LIMIT), Vector3(RULE_LIMIT)) * weight;
}

// The cell system's limit of a control vector (see shaders/shared/numbers.wgsl), on three axes.
fn limit_control(v: Vector3) -> Vector3 {
    let held = clamp(v, Vector3(-2 * ONE), Vector3(2 * ONE));
    let length = length3(held);
    let towards = select(length, length + round_shift(parameters.cruise - length, 2u), parameters.cruise > 0);
    return clamp(stretch3(held, length, min(towards, parameters.max)), Vector3(-ONE), Vector3(ONE));
}

// What the hunter and the walls ask for, as an acceleration (Q14).
fn of_surroundings(around: Surroundings) -> Vector3 {
    return round_shift3(around.hunter * weight(WEIGHT_HUNTER) + around.walls * weight(WEIGHT_WALLS), 16u - parameters.weight_bits);
}
