// Noise of headings: random numbers, and the turns of velocities by them. The twins are crates/core/src/noise/draw.rs
// and turn.rs, which have the formulas. In a flat world z is 0.
//
// Generated around this file: NoiseNumbers, the numbers of noise in a step.

// Whether velocities have three components. The lattice of individuals of a deep world is flat, so the lattice does not
// decide it.
#ifdef DEEP
const IS_NOISE_DEEP = true;
#else
const IS_NOISE_DEEP = false;
#endif

// The words that all individuals of a step, or all cells of a row, share: the word of the phases, and the words of the
// last draw and the two draws after it.
struct DrawKeys {
    phase: u32,
    draws: vec3<u32>,
}

// The random numbers of one individual or cell. `angle`: the fraction of the maximum angle (Q14), or a direction in a
// deep world. `vector`: a direction. `normal`: a normal random number with the standard deviation 295.6. `side`: a
// direction, the side to which `normal` turns a velocity in a deep world.
struct Draws {
    angle: Vector3,
    vector: Vector3,
    normal: i32,
    side: Vector3,
}

// The kinds of random numbers. Each is mixed into the hashes of its random numbers.
const DRAWS_ANGLE = 0u;
const DRAWS_VECTOR = 0x7ec70000u;
const DRAWS_NORMAL = 0x0a120000u;
const DRAWS_SIDE = 0x51de0000u;

fn draw_keys(noise: NoiseNumbers) -> DrawKeys {
    let seed = hash(parameters.seed ^ 0x4ead0015u);
    let draws = vec3<u32>(hash(noise.draw), hash(noise.draw + 1u), hash(noise.draw + 2u));
    return DrawKeys(
        hash(seed ^ 0x0fa5e000u),
        vec3<u32>(hash(draws.x ^ seed), hash(draws.y ^ seed), hash(draws.z ^ seed)),
    );
}

// The words of a row, by its index.
fn draw_keys_of_row(keys: DrawKeys, row: u32) -> DrawKeys {
    let word = hash(row);
    let draws = keys.draws ^ vec3<u32>(word);
    return DrawKeys(hash(keys.phase ^ word), vec3<u32>(hash(draws.x), hash(draws.y), hash(draws.z)));
}

// Whether numbers are interpolated between draws.
fn is_interpolated(noise: NoiseNumbers) -> bool {
    return noise.time > 1 || noise.length > 1;
}

// The random numbers of an individual.
fn draws_of_individual(noise: NoiseNumbers, number: u32) -> Draws {
    let keys = draw_keys(noise);
    var draws: Draws;
    if (noise.angle != 0) {
        draws.angle = number_in_time(noise, keys, number, DRAWS_ANGLE);
    }
    if (noise.vector != 0) {
        draws.vector = number_in_time(noise, keys, number, DRAWS_VECTOR);
    }
    if (noise.deviation != 0) {
        draws.normal = number_in_time(noise, keys, number, DRAWS_NORMAL).x;
        if (IS_NOISE_DEEP) {
            draws.side = number_in_time(noise, keys, number, DRAWS_SIDE);
        }
    }
    return finished_draws(noise, draws);
}

// Normalises directions to the length ONE. Sums of draws have other lengths.
fn finished_draws(noise: NoiseNumbers, draws: Draws) -> Draws {
    var finished = draws;
    if (is_interpolated(noise)) {
        if (IS_NOISE_DEEP) {
            finished.angle = normalise(draws.angle);
            finished.side = normalise(draws.side);
        }
        finished.vector = normalise(draws.vector);
    }
    return finished;
}

// The random numbers of a step, for an individual or for a place in a row.
fn number_in_time(noise: NoiseNumbers, keys: DrawKeys, number: u32, kind: u32) -> Vector3 {
    let place = hash(number);
    if (noise.time == 1) {
        return number_of_word(hash(place ^ keys.draws.x), kind);
    }
    let phase = i32(((hash(place ^ keys.phase) >> 16u) * u32(noise.time)) >> 16u);
    let is_over = phase + noise.since >= noise.time;
    let since = phase + noise.since - select(0, noise.time, is_over);
    let first = number_of_word(hash(place ^ select(keys.draws.x, keys.draws.y, is_over)), kind);
    let second = number_of_word(hash(place ^ select(keys.draws.y, keys.draws.z, is_over)), kind);
    return mix_draws(first, second, draw_weights((since * noise.pace) >> 16u));
}

// Cosine and sine (Q14) of 0 to a quarter of a turn, in 2^-16 turn.
fn draw_weights(angle: i32) -> vec2<i32> {
    let both = cosine_and_sine(angle);
    return vec2<i32>(round_shift(both.x, 1u), round_shift(both.y, 1u));
}

// The sum of two draws by weights (Q14) whose squares add up to 1. |components| ≤ 2^16.
fn mix_draws(first: Vector3, second: Vector3, weights: vec2<i32>) -> Vector3 {
    return round_shift3(first * weights.x + second * weights.y, 14u);
}

// The random number of a word: a direction, a fraction or a normal random number.
fn number_of_word(word: u32, kind: u32) -> Vector3 {
    let own = word ^ kind;
    if (kind == DRAWS_NORMAL) {
        return Vector3(normal_of_word(own), 0, 0);
    }
    if (kind == DRAWS_VECTOR || kind == DRAWS_SIDE) {
        return direction_of_word(hash(own));
    }
    if (IS_NOISE_DEEP) {
        return direction_of_word(own);
    }
    return Vector3(i32((own >> 18u) << 1u) + 1 - ONE, 0, 0);
}

// The sum of the bytes of four hashes, less its mean.
fn normal_of_word(word: u32) -> i32 {
    var last = word;
    var sums = 0u;
    for (var index = 0; index < 4; index++) {
        last = hash(last);
        sums += (last & 0x00ff00ffu) + ((last >> 8u) & 0x00ff00ffu);
    }
    return i32((sums & 0xffffu) + (sums >> 16u)) - 2040;
}

// A direction of the length ONE from a word, uniform on the circle or the sphere.
fn direction_of_word(word: u32) -> Vector3 {
    if (!IS_NOISE_DEEP) {
        return Vector3(draw_weights(i32(word >> 16u)), 0);
    }
    let z = i32((word >> 17u) << 1u) + 1 - 2 * ONE;
    let radius = i32(square_root(u32(4 * ONE * ONE - z * z)));
    let round = cosine_and_sine(i32(word & 0xffffu)) * radius;
    return Vector3(round_shift(round.x, 16u), round_shift(round.y, 16u), round_shift(z, 1u));
}

// Cosine and sine (Q15) of an angle in 2^-16 turn. |angle| < 2^30.
fn cosine_and_sine(angle: i32) -> vec2<i32> {
    let quarters = (angle + 8192) >> 14u;
    let x = (angle - (quarters << 14u)) << 2u;
    let square = (x * x + 16384) >> 15u;
    let inner = 5290 - round_shift(square * 160, 15u);
    let sine = round_shift(x * (51471 - round_shift(square * inner, 15u)), 16u);
    let fall = 20205 - round_shift(square * 1011, 15u);
    let cosine = 32768 - round_shift(square * fall, 16u);
    let both = select(vec2<i32>(cosine, sine), vec2<i32>(-sine, cosine), (quarters & 1) != 0);
    return select(both, -both, (quarters & 2) != 0);
}

// The length of a vector to nearest. |components| ≤ 2^15.
fn nearest_length3(v: Vector3) -> i32 {
    let below = square_root(u32(v.x * v.x) + u32(v.y * v.y) + u32(v.z * v.z));
    let rest = u32(v.x * v.x) + u32(v.y * v.y) + u32(v.z * v.z) - below * below;
    return i32(below + select(0u, 1u, rest > below));
}

// A vector, stretched to the length `to` ≤ 2^15; `otherwise` if the vector is 0. |components| ≤ 2^30.
fn with_length(v: Vector3, to: i32, otherwise: Vector3) -> Vector3 {
    let held = to_fifteen_bits(v, all_bits(v));
    let length = nearest_length3(held);
    return select(stretch3(held, length, to), otherwise, length == 0);
}

// A velocity (Q14) after noise: first the noise of the vector, then the noise of the angle.
fn velocity_with_noise(v: Vector3, noise: NoiseNumbers, draws: Draws) -> Vector3 {
    var turned = v;
    if (noise.vector != 0) {
        turned = with_vector(v, nearest_length3(v), noise.vector, draws.vector);
    }
    return turned_by_angles(turned, noise, draws);
}

// A velocity of the length `speed` ≤ 2^15 after noise, from a vector (Q14) of any length up to 2^29.
fn velocity_at_speed(v: Vector3, speed: i32, noise: NoiseNumbers, draws: Draws) -> Vector3 {
    return turned_by_angles(with_vector(v, speed, noise.vector, draws.vector), noise, draws);
}

// Turns a velocity by the uniform angle, and then by the normal angle.
fn turned_by_angles(v: Vector3, noise: NoiseNumbers, draws: Draws) -> Vector3 {
    var turned = v;
    if (noise.angle != 0) {
        turned = turned_by_noise(turned, noise, draws.angle);
    }
    if (noise.deviation != 0) {
        turned = turned_by_normal(turned, noise.deviation, draws);
    }
    return turned;
}

// v' = speed · (v + part·speed·n) / |v + part·speed·n|, and v if the sum is 0; n: the direction
fn with_vector(v: Vector3, speed: i32, part: i32, direction: Vector3) -> Vector3 {
    let size = round_shift(speed * part, 14u);
    return with_length(v + round_shift3(direction * size, 14u), speed, v);
}

fn turned_by_noise(v: Vector3, noise: NoiseNumbers, n: Vector3) -> Vector3 {
    if (IS_NOISE_DEEP) {
        return turned_deep(v, noise.chord, n);
    }
    return rotated(v, cosine_and_sine(round_shift(n.x * noise.angle, 14u)));
}

// A vector of a flat world, turned by the angle with this cosine and sine (Q15).
fn rotated(v: Vector3, both: vec2<i32>) -> Vector3 {
    let x = v.x * both.x - v.y * both.y;
    let y = v.x * both.y + v.y * both.x;
    return Vector3(round_shift(x, 15u), round_shift(y, 15u), 0);
}

// v' = cos φ·v + sin φ·|v|·e, with φ = n·σ, n the normal random number, and e the direction of s - (s·v̂)v̂ for the
// random side s; in a flat world v turns by φ. The side is uniform around v, so the sign of sin φ does not matter.
fn turned_by_normal(v: Vector3, deviation: i32, draws: Draws) -> Vector3 {
    let angle = round_shift(draws.normal * deviation, 13u);
    if (!IS_NOISE_DEEP) {
        return rotated(v, cosine_and_sine(angle));
    }
    let both = cosine_and_sine(angle);
    let way = normalise(v);
    let across = draws.side - round_shift3(way * round_shift(dot(draws.side, way), 14u), 14u);
    let aside = stretch3(across, length3(across), round_shift(abs(both.y), 1u));
    return with_length(round_shift3(way * both.x, 15u) + aside, nearest_length3(v), v);
}

// sin(φ/2) = sin(η/4)·sin(θ/2), with θ the angle between v and n, and φ the angle by which v turns towards n;
// `chord`: sin(η/4) (Q15)
fn turned_deep(v: Vector3, chord: i32, n: Vector3) -> Vector3 {
    let way = normalise(v);
    let across = n - round_shift3(way * round_shift(dot(n, way), 14u), 14u);
    let own = min(round_shift(length3(n - way) * chord, 15u), 2 * ONE);
    let cosine = ONE - round_shift(own * own, 15u);
    let sine = round_shift(own * i32(square_root(u32(4 * ONE * ONE - own * own))), 15u);
    let aside = stretch3(across, length3(across), sine);
    return with_length(round_shift3(way * cosine, 14u) + aside, nearest_length3(v), v);
}
